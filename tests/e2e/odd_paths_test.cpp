// Paths that shells, Make and Ninja have opinions about.
#include <doctest/doctest.h>

#include <csignal>

#include "support/checkout.h"

namespace scene_kernels::e2e {

namespace {

// Gives scene s0 of `checkout` a folder and a header with `odd` in their names.
void make_odd(const Checkout &checkout, const std::string &odd) {
    const std::filesystem::path scenes = checkout.root() / "scenes";
    std::filesystem::rename(scenes / "s0", scenes / ("s0" + odd));
    const std::filesystem::path folder = scenes / ("s0" + odd);
    write_file(folder / "kernels" / ("odd" + odd + ".h"), "#define ODD_VALUE 21\n");
    edit_file(folder / "kernels/s0_k0.cpp", "#include \"first.h\"\n",
              "#include \"first.h\"\n#include <odd" + odd + ".h>\n");
    edit_file(folder / "kernels/s0_k0.cpp", "DEEP_VALUE + 0", "DEEP_VALUE + ODD_VALUE");
    edit_file(folder / "s0.scene.json", "\"func_id\": 0,", "\"func_id\": 0, \"extra_include_dirs\": [\"kernels\"],");
}

void check_all_ways(const std::string &odd) {
    CAPTURE(odd);
    TemporaryFolder folder;
    Checkout checkout(folder.path() / ("clone" + odd), folder.path() / "home");
    checkout.write_suite({1, 1});
    make_odd(checkout, odd);
    const Outcome first = checkout.warm();
    INFO(first.result.text());
    REQUIRE(first.result.status == 0);
    CHECK(first.figure("callables", "built") == 1);
    const Outcome again = checkout.warm();
    CHECK(again.built() == 0);
    CHECK(again.trace.compiler_processes() == 0);
    CHECK(checkout.ninja().trace.programs().empty());

    const std::filesystem::path header = checkout.root() / ("scenes/s0" + odd) / "kernels" / ("odd" + odd + ".h");
    for (const Way way : {Way::warm, Way::ninja}) {
        CAPTURE(static_cast<int>(way));
        const std::string value = way == Way::warm ? "221" : "321";
        edit_file(header, "21", value);
        const Outcome edited = checkout.update(way);
        CHECK(edited.result.status == 0);
        CHECK(edited.trace.compiled() == std::vector<std::string>{"s0_k0.cpp"});
        edit_file(header, value, "21");
        const Outcome reverted = checkout.update(way);
        CHECK(reverted.result.status == 0);
        CHECK(reverted.trace.compiled().empty());
    }
    CHECK(run(checkout.ninja_command({"-t", "compdb"})).status == 0);
}

}  // namespace

TEST_CASE("spaces, quotes, $, #, : and letters beyond ASCII in a clone, a scene folder and a header") {
    for (const char *odd : {" a b'q'", "$HOME#1", ":c\xc3\xa4\xe6\xbc\xa2%5", "a=b~@+(x)"}) {
        check_all_ways(odd);
    }
}

TEST_CASE("names that a depfile cannot carry as they are") {
    for (const char *odd : {"*&;|?x", "^{a}`b`[c]!"}) {
        check_all_ways(odd);
    }
}

TEST_CASE("everything odd at once") {
    check_all_ways(" 'q' $X #1 :c \xc3\xa9 %");
}

TEST_CASE("double quotes and backslashes outside of include directives") {
    for (const char *odd : {"\"d\"", "back\\slash"}) {
        CAPTURE(odd);
        TemporaryFolder folder;
        Checkout checkout(folder.path() / (std::string("clone") + odd), folder.path() / "home");
        checkout.write_suite({1, 1});
        std::filesystem::rename(checkout.root() / "scenes/s0", checkout.root() / "scenes" / (std::string("s0") + odd));
        const Outcome first = checkout.warm();
        INFO(first.result.text());
        REQUIRE(first.result.status == 0);
        CHECK(checkout.warm().trace.compiler_processes() == 0);
        CHECK(checkout.ninja().trace.programs().empty());
        edit_file(checkout.root() / "sdk/include/first.h", "5", "6");
        CHECK(checkout.ninja().trace.compiled() == std::vector<std::string>{"s0_k0.cpp"});
    }
}

TEST_CASE("a newline is refused, with a clear message") {
    TemporaryFolder folder;
    {
        Checkout checkout(folder.path() / "new\nline", folder.path() / "home");
        checkout.write_suite({1, 1});
        const Outcome outcome = checkout.warm();
        CHECK(outcome.result.status == 2);
        CHECK(outcome.result.err.find("newline") != std::string::npos);
        CHECK(outcome.trace.compiled().empty());
    }
    Checkout checkout(folder.path() / "plain", folder.path() / "home");
    checkout.write_suite({1, 1});
    std::filesystem::rename(checkout.root() / "scenes/s0", checkout.root() / "scenes/s\n0");
    const Outcome outcome = checkout.warm();
    CHECK(outcome.result.status == 2);
    CHECK(outcome.result.err.find("newline") != std::string::npos);
    CHECK(outcome.trace.compiled().empty());
}

}  // namespace scene_kernels::e2e
