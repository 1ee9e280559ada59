// Attacks with headers, each through `warm` and through plain Ninja: edits in place, deletions, shadows.
#include <doctest/doctest.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

using Names = std::vector<std::string>;

namespace {

// Runs `attack` on a fresh warm suite, once for each way.
template <typename Attack>
void both_ways(const Attack &attack) {
    for (const Way way : {Way::warm, Way::ninja}) {
        CAPTURE(static_cast<int>(way));
        WarmSuite suite({2, 1});
        REQUIRE(suite.first.result.status == 0);
        attack(suite.checkout, way);
        // Whatever happened: it comes to rest.
        const Outcome last = suite.checkout.update(way);
        CHECK(last.trace.compiler_processes() == 0);
    }
}

}  // namespace

TEST_CASE("edited in place") {
    both_ways([](const Checkout &checkout, Way way) {
        edit_file(checkout.root() / "sdk/include/sub/deep.h", "7", "8");
        CHECK(checkout.update(way).trace.compiled() == Names{"common.cpp", "s0_k0.cpp", "s1_k0.cpp"});
    });
}

TEST_CASE("edited with its old time and size put back: warm sees the change time") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    const std::filesystem::path header = suite.checkout.root() / "sdk/include/first.h";
    const auto time = std::filesystem::last_write_time(header);
    edit_file(header, "5", "6");
    std::filesystem::last_write_time(header, time);
    CHECK(suite.checkout.warm().trace.compiled() == Names{"s0_k0.cpp"});
}

TEST_CASE("deleted: a clear failure, and all is well when it is back") {
    both_ways([](const Checkout &checkout, Way way) {
        const std::filesystem::path header = checkout.root() / "sdk/include/first.h";
        const std::string text = read_file(header);
        std::filesystem::remove(header);
        const Outcome failed = checkout.update(way);
        CHECK(failed.result.status != 0);
        CHECK(failed.result.text().find("first.h") != std::string::npos);
        CHECK(failed.trace.compiled() == Names{"s0_k0.cpp", "s1_k0.cpp"});
        write_file(header, text);
        const Outcome back = checkout.update(way);
        CHECK(back.result.status == 0);
        CHECK(back.trace.compiled().empty());
    });
}

TEST_CASE("shadowed by a header earlier on the search path") {
    both_ways([](const Checkout &checkout, Way way) {
        const std::filesystem::path shadow = checkout.root() / "sdk/before/first.h";
        write_file(shadow, "#pragma once\n#define FIRST_VALUE 55\n");
        const Outcome shadowed = checkout.update(way);
        CHECK(shadowed.result.status == 0);
        CHECK(shadowed.trace.compiled() == Names{"s0_k0.cpp", "s1_k0.cpp"});
        std::filesystem::remove(shadow);
        CHECK(checkout.update(way).trace.compiled().empty());
    });
}

TEST_CASE("shadowed in a subdirectory that was not there") {
    both_ways([](const Checkout &checkout, Way way) {
        write_file(checkout.root() / "sdk/before/sub/deep.h", "#pragma once\n#define DEEP_VALUE 77\n");
        const Outcome shadowed = checkout.update(way);
        CHECK(shadowed.result.status == 0);
        CHECK(shadowed.trace.compiled() == Names{"common.cpp", "s0_k0.cpp", "s1_k0.cpp"});
        std::filesystem::remove_all(checkout.root() / "sdk/before/sub");
        CHECK(checkout.update(way).trace.compiled().empty());
    });
}

TEST_CASE("shadowed beside the source") {
    both_ways([](const Checkout &checkout, Way way) {
        write_file(checkout.root() / "scenes/s0/kernels/first.h", "#pragma once\n#define FIRST_VALUE 56\n");
        CHECK(checkout.update(way).trace.compiled() == Names{"s0_k0.cpp"});
    });
}

TEST_CASE("shadowed through a search directory that appears") {
    both_ways([](const Checkout &checkout, Way way) {
        std::filesystem::remove(checkout.root() / "sdk/before");
        CHECK(checkout.update(way).trace.compiled().empty());
        write_file(checkout.root() / "sdk/before/first.h", "#pragma once\n#define FIRST_VALUE 57\n");
        CHECK(checkout.update(way).trace.compiled() == Names{"s0_k0.cpp", "s1_k0.cpp"});
    });
}

TEST_CASE("shadowed for #include_next through a search directory that appears") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    const Checkout &checkout = suite.checkout;
    // A new argument: the compiler is asked for its search list while sdk/before is missing.
    std::filesystem::remove(checkout.root() / "sdk/before");
    replace_all(checkout.root() / "sdk/tiny.sdk.json", "\"-DTINY_AIV\"", "\"-DTINY_AIV=2\"");
    write_file(checkout.root() / "scenes/s0/kernels/first.h", "#include_next \"first.h\"\n");
    edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "DEEP_VALUE + 0", "DEEP_VALUE + FIRST_VALUE");
    CHECK(checkout.warm().trace.compiled() == Names{"common.cpp", "s0_k0.cpp"});
    write_file(checkout.root() / "sdk/before/first.h", "#define FIRST_VALUE 57\n");
    CHECK(checkout.warm().trace.compiled() == Names{"s0_k0.cpp"});
    std::filesystem::remove(checkout.root() / "sdk/before/first.h");
    CHECK(checkout.warm().trace.compiled().empty());
}

TEST_CASE("what a search directory that appeared hides does not count") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    const Checkout &checkout = suite.checkout;
    const std::filesystem::path sdk = checkout.root() / "sdk/tiny.sdk.json";
    std::filesystem::remove(checkout.root() / "sdk/before");
    write_file(checkout.root() / "sdk/behind/unrelated.h", "");
    replace_all(sdk, "\"before\",", "\"before\", \"behind\",");
    CHECK(!checkout.warm().trace.compiled().empty());
    write_file(checkout.root() / "sdk/before/first.h", "#define FIRST_VALUE 57\n");
    CHECK(checkout.warm().trace.compiled() == Names{"s0_k0.cpp"});
    write_file(checkout.root() / "sdk/behind/first.h", "#define FIRST_VALUE 58\n");
    CHECK(checkout.warm().trace.compiled().empty());
}

TEST_CASE("shadowed through a quote directory that appears, or for #include_next in one that is there") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    const Checkout &checkout = suite.checkout;
    replace_all(checkout.root() / "sdk/tiny.sdk.json", "\"-DTINY_AIV\"",
                "\"-iquotequotes/missing\", \"-iquotequotes/one\", \"-iquotequotes/two\"");
    write_file(checkout.root() / "quotes/one/first.h", "#include_next \"first.h\"\n");
    write_file(checkout.root() / "quotes/two/unrelated.h", "");
    edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "DEEP_VALUE + 0", "DEEP_VALUE + FIRST_VALUE");
    CHECK(checkout.warm().trace.compiled() == Names{"common.cpp", "s0_k0.cpp"});
    write_file(checkout.root() / "quotes/two/first.h", "#define FIRST_VALUE 58\n");
    CHECK(checkout.warm().trace.compiled() == Names{"s0_k0.cpp"});
    write_file(checkout.root() / "quotes/missing/first.h", "#define FIRST_VALUE 59\n");
    CHECK(checkout.warm().trace.compiled() == Names{"s0_k0.cpp"});
}

TEST_CASE("an unrelated new header reaches nobody") {
    both_ways([](const Checkout &checkout, Way way) {
        write_file(checkout.root() / "sdk/before/unrelated.h", "#error\n");
        write_file(checkout.root() / "sdk/include/sub/unrelated.h", "#error\n");
        CHECK(checkout.update(way).trace.compiled().empty());
    });
}

TEST_CASE("what __has_include asked for: it appears, and it goes") {
    both_ways([](const Checkout &checkout, Way way) {
        const std::filesystem::path kernel = checkout.root() / "scenes/s0/kernels/s0_k0.cpp";
        const std::filesystem::path asked = checkout.root() / "sdk/include/maybe.h";
        edit_file(kernel, "// a comment\n",
                  "#if __has_include(\"maybe.h\")\n#define MAYBE 1\n#else\n#define MAYBE 2\n#endif\n");
        edit_file(kernel, "DEEP_VALUE + 0", "DEEP_VALUE + MAYBE");
        CHECK(checkout.update(way).trace.compiled() == Names{"s0_k0.cpp"});
        write_file(asked, "");
        const Outcome appeared = checkout.update(way);
        CHECK(appeared.result.status == 0);
        CHECK(appeared.trace.compiled() == Names{"s0_k0.cpp"});
        const auto with = checkout.artifact("s0/s0");
        std::filesystem::remove(asked);
        CHECK(checkout.update(way).trace.compiled().empty());
        CHECK(checkout.artifact("s0/s0") != with);
    });
}

TEST_CASE("a newly included header is watched from its first build on") {
    both_ways([](const Checkout &checkout, Way way) {
        const std::filesystem::path header = checkout.root() / "sdk/include/new.h";
        write_file(header, "#define NEW_VALUE 1\n");
        edit_file(checkout.root() / "scenes/s1/kernels/s1_k0.cpp", "// a comment\n", "#include \"new.h\"\n");
        CHECK(checkout.update(way).trace.compiled() == Names{"s1_k0.cpp"});
        edit_file(header, "1", "2");
        CHECK(checkout.update(way).trace.compiled() == Names{"s1_k0.cpp"});
        edit_file(header, "2", "3");
        CHECK(checkout.update(way).trace.compiled() == Names{"s1_k0.cpp"});
    });
}

TEST_CASE("a precompiled header beside a header is refused, not used") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    write_file(suite.checkout.root() / "sdk/include/first.h.gch", "not really one");
    const Outcome refused = suite.checkout.warm();
    CHECK(refused.result.status != 0);
    CHECK(refused.result.text().find("first.h.gch") != std::string::npos);
    std::filesystem::remove(suite.checkout.root() / "sdk/include/first.h.gch");
    CHECK(suite.checkout.warm().built() == 0);
}

TEST_CASE("a kernel with an input that no depfile shows is built each time, and says so") {
    WarmSuite suite({1, 2});
    REQUIRE(suite.first.result.status == 0);
    const std::filesystem::path kernel = suite.checkout.root() / "scenes/s0/kernels/s0_k1.cpp";
    edit_file(kernel, "// a comment\n", "extern \"C\" const char *built() { return __TIMESTAMP__; }\n");
    for (int round = 0; round < 2; ++round) {
        const Outcome outcome = suite.checkout.warm();
        INFO(outcome.result.text());
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled() == Names{"s0_k1.cpp"});
        CHECK(outcome.figure("callables", "uncacheable") == 1);
        CHECK(outcome.figure("actions", "uncacheable") == 2);
        CHECK(outcome.result.text().find("s0_k1.cpp:3") != std::string::npos);
    }
}

}  // namespace scene_kernels::e2e
