// Warming and warming again: what is built once is never built again, here or in another checkout.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/checkout.h"

namespace scene_kernels::e2e {

TEST_CASE("a cold warm builds every action once, and the next ones start no compiler") {
    const SuiteShape shape{3, 2};
    WarmSuite suite(shape);
    INFO(suite.first.result.text());
    REQUIRE(suite.first.result.status == 0);
    CHECK(suite.first.figure("actions", "total") == action_count(shape));
    CHECK(suite.first.built() == action_count(shape));
    CHECK(suite.first.figure("callables", "total") == 3);
    CHECK(suite.first.figure("callables", "built") == 3);
    CHECK(suite.first.figure("callables", "hit") == 0);
    // 3 * 2 + 1 kernels, 3 orchestrations, the runtime's source and the packer.
    CHECK(suite.first.trace.compiled().size() == 12);

    const auto artifacts = suite.checkout.artifacts();
    const Outcome again = suite.checkout.warm();
    CHECK(again.result.status == 0);
    CHECK(again.built() == 0);
    CHECK(again.figure("actions", "hit") == action_count(shape));
    CHECK(again.figure("callables", "hit") == 3);
    CHECK(again.trace.compiler_processes() == 0);
    CHECK(suite.checkout.artifacts() == artifacts);

    const Outcome plain = suite.checkout.ninja();
    CHECK(plain.result.status == 0);
    CHECK(plain.trace.programs().empty());
    CHECK(plain.result.out.find("no work to do") != std::string::npos);
}

TEST_CASE("refs name every action, and lead into the store") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    const std::vector<std::string> refs = suite.checkout.refs();
    CHECK(refs.size() == static_cast<std::size_t>(action_count({1, 1})));
    CHECK(std::count(refs.begin(), refs.end(), "callable/s0/s0") == 1);
    CHECK(std::count(refs.begin(), refs.end(), "image/scenes/s0/kernels/s0_k0.cpp.aiv") == 1);
    for (const std::string &ref : refs) {
        const std::filesystem::path link = suite.checkout.graph_dir() / "refs" / ref;
        CHECK(std::filesystem::is_symlink(link));
        CHECK(std::filesystem::canonical(link).filename() == "artifact.json");
    }
    CHECK(std::filesystem::exists(suite.checkout.artifact("s0/s0")));
}

TEST_CASE("another checkout with a copy of the store builds nothing and has the same bytes") {
    WarmSuite suite({2, 2});
    REQUIRE(suite.first.result.status == 0);
    Checkout other(suite.folder.path().parent_path() / "else where/deep/checkout",
                   suite.folder.path().parent_path() / "home2");
    other.write_suite({2, 2});
    const std::string archive = (suite.folder.path().parent_path() / "store.tar").string();
    std::filesystem::create_directories(other.store());
    const auto environment = clean_environment(suite.folder.path());
    REQUIRE(run({{"tar", "-cf", archive, "-C", suite.checkout.store().string(), "."}, {}, environment}).status == 0);
    // -m: everything gets the time of unpacking, as with most CI caches.
    REQUIRE(run({{"tar", "-xmf", archive, "-C", other.store().string()}, {}, environment}).status == 0);

    const auto before = other.artifacts();
    CHECK(before == suite.checkout.artifacts());
    const Outcome outcome = other.warm();
    INFO(outcome.result.text());
    CHECK(outcome.result.status == 0);
    CHECK(outcome.built() == 0);
    CHECK(outcome.figure("callables", "hit") == 2);
    CHECK(outcome.trace.compiled().empty());
    CHECK(other.artifacts() == before);
    CHECK(other.refs() == suite.checkout.refs());
}

TEST_CASE("two checkouts that build on their own make the same artifacts, byte for byte") {
    WarmSuite here({1, 2}, "here");
    WarmSuite there({1, 2}, "a rather longer name for the other one");
    REQUIRE(here.first.result.status == 0);
    REQUIRE(there.first.result.status == 0);
    CHECK(here.checkout.artifacts() == there.checkout.artifacts());
    CHECK(!here.checkout.artifacts().empty());
    CHECK(read_file(here.checkout.graph_dir() / "build.ninja") ==
          read_file(there.checkout.graph_dir() / "build.ninja"));
}

TEST_CASE("platforms are built apart, and share what is the same") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    Checkout &checkout = suite.checkout;
    Command command = checkout.command("warm", {"--platform", "other"});
    for (std::string &argument : command.argv) {
        argument = argument == "build/sim" ? "build/other" : argument;
    }
    const TracedResult other = run_traced(command);
    CHECK(other.result.status == 0);
    // The kernel, the common kernel, the orchestration and the runtime's source; the packer is the same.
    CHECK(other.trace.compiled().size() == 4);
    CHECK(checkout.warm().built() == 0);
}

}  // namespace scene_kernels::e2e
