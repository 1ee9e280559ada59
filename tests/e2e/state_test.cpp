// Attacks on what lies around: the store, refs, times, descriptors that come, go and change names, copied checkouts.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/checkout.h"

namespace scene_kernels::e2e {

namespace {

template <typename Attack>
void both_ways(const Attack &attack) {
    for (const Way way : {Way::warm, Way::ninja}) {
        CAPTURE(static_cast<int>(way));
        WarmSuite suite({2, 1});
        REQUIRE(suite.first.result.status == 0);
        attack(suite.checkout, way);
        const Outcome last = suite.checkout.update(way);
        CHECK(last.result.status == 0);
        CHECK(last.trace.compiler_processes() == 0);
    }
}

}  // namespace

TEST_CASE("a pruned artifact is built again") {
    both_ways([](const Checkout &checkout, Way way) {
        const std::filesystem::path link = checkout.graph_dir() / "refs/image/kernels/common.cpp.aiv";
        std::filesystem::remove_all(std::filesystem::canonical(link).parent_path());
        const Outcome outcome = checkout.update(way);
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled() == std::vector<std::string>{"common.cpp"});
    });
}

TEST_CASE("a removed store is filled again") {
    both_ways([](const Checkout &checkout, Way way) {
        const auto artifacts = checkout.artifacts();
        std::filesystem::remove_all(checkout.store());
        const Outcome outcome = checkout.update(way);
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled().size() == 7);
        CHECK(checkout.artifacts() == artifacts);
    });
}

TEST_CASE("damaged artifacts are misses that get replaced") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    const auto artifacts = suite.checkout.artifacts();
    for (const auto &[path, bytes] : artifacts) {
        const std::filesystem::path file = suite.checkout.store() / "artifacts" / path;
        std::filesystem::permissions(file, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
        // As after a power loss: shorter.
        write_file(file, std::string_view(bytes).substr(0, bytes.size() / 2));
    }
    const Outcome outcome = suite.checkout.warm();
    INFO(outcome.result.text());
    CHECK(outcome.result.status == 0);
    CHECK(outcome.built() == action_count({1, 1}));
    CHECK(suite.checkout.artifacts() == artifacts);
}

TEST_CASE("a damaged log of closures costs work, not correctness") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    const auto artifacts = suite.checkout.artifacts();
    const std::filesystem::path closures = suite.checkout.store() / "closures";
    for (const std::string &name : tree_files(closures)) {
        const std::string bytes = read_file(closures / name);
        write_file(closures / name, std::string_view(bytes).substr(0, bytes.size() / 2));
    }
    CHECK(suite.checkout.warm().result.status == 0);
    CHECK(suite.checkout.artifacts() == artifacts);
    CHECK(suite.checkout.warm().built() == 0);
}

TEST_CASE("times in the future do not make a loop") {
    both_ways([](const Checkout &checkout, Way way) {
        set_mtime(checkout.root() / "sdk/include/first.h", 86400);
        set_mtime(checkout.root() / "scenes/s0/s0.scene.json", 2 * 86400);
        set_mtime(checkout.root() / "sdk/before", 3 * 86400);
        const Outcome outcome = checkout.update(way);
        INFO(outcome.result.text());
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled().empty());
        CHECK(outcome.result.text().find("still dirty") == std::string::npos);
        edit_file(checkout.root() / "sdk/include/first.h", "5", "6");
        CHECK(checkout.warm().trace.compiled().size() == 2);
    });
}

TEST_CASE("a bad descriptor stops plain Ninja and warm, and a repaired one goes on") {
    both_ways([](const Checkout &checkout, Way way) {
        const std::filesystem::path descriptor = checkout.root() / "scenes/s1/s1.scene.json";
        edit_file(descriptor, "\"schema\": 1", "\"schema\": nonsense");
        edit_file(checkout.root() / "sdk/include/first.h", "5", "6");
        const Outcome refused = checkout.update(way);
        CHECK(refused.result.status != 0);
        CHECK(refused.result.text().find("s1.scene.json:") != std::string::npos);
        CHECK(refused.trace.compiled().empty());
        edit_file(descriptor, "\"schema\": nonsense", "\"schema\": 1");
        const Outcome repaired = checkout.update(way);
        INFO(repaired.result.text());
        CHECK(repaired.result.status == 0);
        CHECK(repaired.trace.compiled() == std::vector<std::string>{"s0_k0.cpp", "s1_k0.cpp"});
    });
}

TEST_CASE("a renamed scene, a removed scene and a new one leave no orphan refs") {
    both_ways([](Checkout &checkout, Way way) {
        replace_all(checkout.root() / "scenes/s1/s1.scene.json", "\"name\": \"s1\"", "\"name\": \"renamed\"");
        CHECK(checkout.update(way).result.status == 0);
        std::vector<std::string> refs = checkout.refs();
        CHECK(std::count(refs.begin(), refs.end(), "callable/renamed/renamed") == 1);
        CHECK(std::count(refs.begin(), refs.end(), "callable/s1/s1") == 0);

        std::filesystem::remove_all(checkout.root() / "scenes/s1");
        CHECK(checkout.update(way).result.status == 0);
        refs = checkout.refs();
        CHECK(refs.size() == static_cast<std::size_t>(action_count({1, 1})));
        CHECK(std::none_of(refs.begin(), refs.end(), [](const std::string &ref) {
            return ref.find("renamed") != std::string::npos || ref.find("s1") != std::string::npos;
        }));

        checkout.write_scene(2, 1);
        const Outcome added = checkout.update(way);
        CHECK(added.result.status == 0);
        CHECK(added.trace.compiled() == std::vector<std::string>{"s2_k0.cpp", "s2_orch.cpp"});
    });
}

TEST_CASE("a checkout that is copied together with its build directory works on itself") {
    both_ways([](const Checkout &checkout, Way way) {
        const std::filesystem::path top = checkout.root().parent_path();
        Checkout copy(top / "copies/of it", top / "home3");
        std::filesystem::remove(copy.root());
        copy_tree(checkout.root(), copy.root());
        const auto original = tree_contents(checkout.root());

        edit_file(copy.root() / "scenes/s0/kernels/s0_k0.cpp", "DEEP_VALUE + 0", "DEEP_VALUE + 4711");
        const Outcome outcome = copy.update(way);
        INFO(outcome.result.text());
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled() == std::vector<std::string>{"s0_k0.cpp"});
        CHECK(copy.artifact("s0/s0").string().starts_with(copy.root().string()));
        CHECK(copy.update(way).trace.compiler_processes() == 0);
        CHECK(tree_contents(checkout.root()) == original);
    });
}

TEST_CASE("a removed graph directory, and a removed ref") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    const Checkout &checkout = suite.checkout;
    const std::filesystem::path graph = checkout.graph_dir();
    std::filesystem::remove(graph / "refs/callable/s0/s0");
    CHECK(checkout.ninja().trace.compiled().empty());
    CHECK(std::filesystem::exists(graph / "refs/callable/s0/s0"));
    std::filesystem::remove_all(graph);
    const Outcome outcome = checkout.warm();
    CHECK(outcome.result.status == 0);
    CHECK(outcome.built() == 0);
    CHECK(checkout.ninja().trace.programs().empty());
}

TEST_CASE("a store that cannot be used never breaks a build") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    write_file(folder.path() / "foreign/precious.txt", "not a store\n");
    checkout.options = {"--store", (folder.path() / "foreign").string()};
    const Outcome outcome = checkout.warm();
    INFO(outcome.result.text());
    CHECK(outcome.result.status == 0);
    CHECK(outcome.result.count("warning") == 1);
    CHECK(outcome.figure("callables", "built") == 1);
    CHECK(tree_files(folder.path() / "foreign") == std::vector<std::string>{"precious.txt"});
}

TEST_CASE("a header that disappears from a hit's closure and a toolchain that changes are misses") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    // The store of a gated suite and that of a plain one have nothing in common but the sources.
    SuiteShape other{1, 1};
    other.gated = true;
    suite.checkout.write_suite(other);
    const Outcome changed = suite.checkout.warm();
    CHECK(changed.result.status == 0);
    CHECK(changed.trace.compiled().size() == 5);
}

TEST_CASE("variables of the caller do not leak into compiles") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    Checkout &checkout = suite.checkout;
    write_file(checkout.root() / "trap/first.h", "#error the environment leaked\n");
    const std::string trap = (checkout.root() / "trap").string();
    checkout.environment = {{"CPATH", trap},         {"CPLUS_INCLUDE_PATH", trap}, {"GCC_EXEC_PREFIX", trap + "/"},
                            {"LANG", "de_DE.UTF-8"}, {"SOURCE_DATE_EPOCH", "1"},   {"CXXFLAGS", "-DX"}};
    const Outcome outcome = checkout.warm();
    CHECK(outcome.result.status == 0);
    CHECK(outcome.built() == 0);
    std::filesystem::remove_all(checkout.store());
    CHECK(checkout.warm().result.status == 0);
}

}  // namespace scene_kernels::e2e
