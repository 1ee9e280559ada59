// Edits rebuild exactly what they reach.
#include <doctest/doctest.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

using Names = std::vector<std::string>;

TEST_CASE("new times on every file build nothing") {
    WarmSuite suite;
    REQUIRE(suite.first.result.status == 0);
    touch_tree(suite.checkout.root() / "scenes");
    touch_tree(suite.checkout.root() / "sdk");
    touch_tree(suite.checkout.root() / "kernels");
    const Outcome outcome = suite.checkout.warm();
    CHECK(outcome.result.status == 0);
    CHECK(outcome.built() == 0);
    CHECK(outcome.trace.compiler_processes() == 0);
}

TEST_CASE("an edited kernel is compiled, and each callable that uses it is packed") {
    for (const Way way : {Way::warm, Way::ninja}) {
        CAPTURE(static_cast<int>(way));
        WarmSuite suite({3, 2});
        REQUIRE(suite.first.result.status == 0);
        const auto before = suite.checkout.artifacts();
        const std::filesystem::path kernel = suite.checkout.root() / "scenes/s1/kernels/s1_k0.cpp";

        edit_file(kernel, "DEEP_VALUE + 100", "DEEP_VALUE + 4242");
        const Outcome own = suite.checkout.update(way);
        CHECK(own.result.status == 0);
        CHECK(own.trace.compiled() == Names{"s1_k0.cpp"});
        if (way == Way::warm) {
            CHECK(own.built() == 2);
            CHECK(own.figure("callables", "built") == 1);
            CHECK(own.figure("callables", "hit") == 2);
        }

        edit_file(suite.checkout.root() / "kernels/common.cpp", "DEEP_VALUE + 11", "DEEP_VALUE + 12");
        const Outcome shared = suite.checkout.update(way);
        CHECK(shared.result.status == 0);
        CHECK(shared.trace.compiled() == Names{"common.cpp"});
        if (way == Way::warm) {
            CHECK(shared.built() == 1 + 3);
        }

        edit_file(kernel, "DEEP_VALUE + 4242", "DEEP_VALUE + 100");
        edit_file(suite.checkout.root() / "kernels/common.cpp", "DEEP_VALUE + 12", "DEEP_VALUE + 11");
        const Outcome reverted = suite.checkout.update(way);
        CHECK(reverted.result.status == 0);
        CHECK(reverted.trace.compiled().empty());
        const auto after = suite.checkout.artifacts();
        for (const auto &[path, bytes] : before) {
            CHECK(after.at(path) == bytes);
        }
    }
}

TEST_CASE("an edited header rebuilds exactly its readers") {
    for (const Way way : {Way::warm, Way::ninja}) {
        CAPTURE(static_cast<int>(way));
        WarmSuite suite({2, 2});
        REQUIRE(suite.first.result.status == 0);
        const std::filesystem::path include = suite.checkout.root() / "sdk/include";

        edit_file(include / "first.h", "5", "6");
        CHECK(suite.checkout.update(way).trace.compiled() == Names{"s0_k0.cpp", "s1_k0.cpp"});
        edit_file(include / "all.h", "3", "4");
        CHECK(suite.checkout.update(way).trace.compiled() ==
              Names{"common.cpp", "s0_k0.cpp", "s0_k1.cpp", "s1_k0.cpp", "s1_k1.cpp"});
        edit_file(include / "orch.h", "9", "8");
        CHECK(suite.checkout.update(way).trace.compiled() == Names{"s0_orch.cpp", "s1_orch.cpp"});

        edit_file(include / "first.h", "6", "5");
        edit_file(include / "all.h", "4", "3");
        edit_file(include / "orch.h", "8", "9");
        CHECK(suite.checkout.update(way).trace.compiled().empty());
        CHECK(suite.checkout.update(way).trace.compiler_processes() == 0);
    }
}

TEST_CASE("a comment in an orchestration rebuilds its object, and nothing behind it") {
    WarmSuite suite;
    REQUIRE(suite.first.result.status == 0);
    edit_file(suite.checkout.root() / "scenes/s0/orchestration/s0_orch.cpp", "// a comment", "// another one");
    const Outcome outcome = suite.checkout.warm();
    CHECK(outcome.result.status == 0);
    CHECK(outcome.trace.compiled() == Names{"s0_orch.cpp"});
    CHECK(outcome.trace.count("collect2") == 0);
    CHECK(outcome.built() == 1);
    CHECK(outcome.figure("actions", "hit") == action_count({}) - 1);
}

TEST_CASE("what a descriptor says about a kernel changes the pack, not the kernel") {
    WarmSuite suite;
    REQUIRE(suite.first.result.status == 0);
    edit_file(suite.checkout.root() / "scenes/s0/s0.scene.json", "\"func_id\": 1,", "\"func_id\": 7,");
    const Outcome outcome = suite.checkout.warm();
    CHECK(outcome.result.status == 0);
    CHECK(outcome.trace.compiled().empty());
    CHECK(outcome.built() == 1);
}

TEST_CASE("a changed flag of the SDK rebuilds what it applies to") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    replace_all(suite.checkout.root() / "sdk/tiny.sdk.json", "\"-DTINY_AIV\"", "\"-DTINY_AIV=2\"");
    const Outcome first = suite.checkout.warm();
    CHECK(first.result.status == 0);
    for (const std::string &source : first.trace.compiled()) {
        INFO(source);
        CHECK((source == "common.cpp" || source == "s0_k0.cpp"));
    }
    CHECK(!first.trace.compiled().empty());
    CHECK(suite.checkout.warm().built() == 0);
}

}  // namespace scene_kernels::e2e
