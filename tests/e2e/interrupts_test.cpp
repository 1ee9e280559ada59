// Interrupts, and edits while something runs.
#include <doctest/doctest.h>

#include <csignal>

#include "support/checkout.h"

namespace scene_kernels::e2e {

namespace {

SuiteShape gated(int scenes, int kernels) {
    SuiteShape shape{scenes, kernels};
    shape.gated = true;
    return shape;
}

void check_nothing_left(const Checkout &checkout) {
    CHECK(tree_files(checkout.store() / "tmp").empty());
    for (const std::string &file : tree_files(checkout.root())) {
        CHECK(file.find(".tmp") == std::string::npos);
    }
}

std::size_t published(const Checkout &checkout) {
    std::size_t count = 0;
    for (const std::string &file : tree_files(checkout.store() / "artifacts")) {
        count += file.ends_with("/artifact.json") ? 1U : 0U;
    }
    return count;
}

}  // namespace

TEST_CASE("interrupted during a compile: compilers stop, what was finished stays finished") {
    for (const bool whole_group : {true, false}) {
        CAPTURE(whole_group);
        const SuiteShape shape = gated(2, 2);
        TemporaryFolder folder;
        Checkout checkout(folder.path() / "checkout", folder.path() / "home");
        checkout.write_suite(shape);
        {
            Gate gate(checkout.tools(), "s1_k1.cpp.before");
            Background warm(checkout.command("warm", {"-j", "1"}));
            REQUIRE(gate.wait_reached(warm));
            if (whole_group) {
                warm.signal_group(SIGINT);
            } else {
                warm.signal(SIGINT);
            }
            const Result result = warm.wait();
            CHECK(result.status != 0);
        }
        check_nothing_left(checkout);
        const std::size_t finished = published(checkout);
        CHECK(finished < static_cast<std::size_t>(action_count(shape)));

        const Outcome rest = checkout.warm();
        INFO(rest.result.text());
        CHECK(rest.result.status == 0);
        CHECK(rest.built() == action_count(shape) - static_cast<int>(finished));
        CHECK(checkout.warm().built() == 0);
    }
}

TEST_CASE("plain Ninja interrupted during a compile") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite(gated(1, 2));
    REQUIRE(checkout.warm().result.status == 0);
    edit_file(checkout.root() / "sdk/include/all.h", "3", "4");
    {
        Gate gate(checkout.tools(), "s0_k1.cpp.after");
        Background ninja(checkout.ninja_command({"warm-kernels"}));
        REQUIRE(gate.wait_reached(ninja));
        ninja.signal_group(SIGINT);
        CHECK(ninja.wait().status != 0);
    }
    check_nothing_left(checkout);
    CHECK(std::filesystem::exists(checkout.graph_dir() / "build.ninja"));
    CHECK(checkout.ninja().result.status == 0);
    CHECK(checkout.ninja().trace.compiler_processes() == 0);
    CHECK(checkout.warm().built() == 0);
}

TEST_CASE("killed outright during a compile") {
    const SuiteShape shape = gated(1, 2);
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite(shape);
    {
        Gate gate(checkout.tools(), "s0_k1.cpp.after");
        Background warm(checkout.command("warm"));
        REQUIRE(gate.wait_reached(warm));
        warm.signal_group(SIGKILL);
        CHECK(warm.wait().status == 128 + SIGKILL);
    }
    const Outcome rest = checkout.warm();
    INFO(rest.result.text());
    CHECK(rest.result.status == 0);
    CHECK(rest.figure("callables", "built") == 1);
    CHECK(checkout.warm().built() == 0);
}

TEST_CASE("interrupted during the plan, by warm and by plain Ninja") {
    for (const Way way : {Way::warm, Way::ninja}) {
        CAPTURE(static_cast<int>(way));
        TemporaryFolder folder;
        Checkout checkout(folder.path() / "checkout", folder.path() / "home");
        checkout.write_suite(gated(1, 1));
        REQUIRE(checkout.warm().result.status == 0);
        const std::string build_ninja = read_file(checkout.graph_dir() / "build.ninja");
        const Command ninja = checkout.ninja_command({"warm-kernels"});
        // Other bytes of the compiler make the plan ask it again.
        const std::filesystem::path compiler = checkout.tools() / "cxx";
        write_file(compiler, read_file(compiler) + "x");
        {
            Gate gate(checkout.tools(), "query.before");
            Background process(way == Way::warm ? checkout.command("warm") : ninja);
            REQUIRE(gate.wait_reached(process));
            process.signal_group(SIGINT);
            CHECK(process.wait().status != 0);
        }
        CHECK(read_file(checkout.graph_dir() / "build.ninja") == build_ninja);
        const Outcome next = checkout.update(way);
        INFO(next.result.text());
        CHECK(next.result.status == 0);
        CHECK(!next.trace.compiled().empty());
        CHECK(checkout.update(way).trace.compiler_processes() == 0);
    }
}

TEST_CASE("a header edited while the plan runs is noticed, if not now then next time") {
    for (const Way way : {Way::warm, Way::ninja}) {
        CAPTURE(static_cast<int>(way));
        TemporaryFolder folder;
        Checkout checkout(folder.path() / "checkout", folder.path() / "home");
        checkout.write_suite(gated(1, 1));
        REQUIRE(checkout.warm().result.status == 0);
        const Command ninja = checkout.ninja_command({"warm-kernels"});
        const std::filesystem::path compiler = checkout.tools() / "cxx";
        write_file(compiler, read_file(compiler) + "x");
        Gate gate(checkout.tools(), "query.before");
        Background process(way == Way::warm ? checkout.command("warm") : ninja);
        REQUIRE(gate.wait_reached(process));
        edit_file(checkout.root() / "sdk/include/first.h", "5", "6");
        gate.open();
        CHECK(process.wait().status == 0);

        CHECK(checkout.update(way).result.status == 0);
        const auto artifact = checkout.artifact("s0/s0");
        CHECK(checkout.update(way).trace.compiler_processes() == 0);
        // What is there now is what a build from nothing makes of the edited header.
        Checkout fresh(folder.path() / "fresh", folder.path() / "home2");
        fresh.write_suite(gated(1, 1));
        std::filesystem::copy_file(compiler, fresh.tools() / "cxx", std::filesystem::copy_options::overwrite_existing);
        edit_file(fresh.root() / "sdk/include/first.h", "5", "6");
        REQUIRE(fresh.warm().result.status == 0);
        CHECK(fresh.artifact("s0/s0").parent_path().filename() == artifact.parent_path().filename());
    }
}

TEST_CASE("a header edited while its compile runs is not published under its new content") {
    for (const char *when : {"s0_k0.cpp.before", "s0_k0.cpp.after"}) {
        CAPTURE(when);
        TemporaryFolder folder;
        Checkout checkout(folder.path() / "checkout", folder.path() / "home");
        checkout.write_suite(gated(1, 1));
        edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "DEEP_VALUE + 0", "DEEP_VALUE + FIRST_VALUE");
        {
            Gate gate(checkout.tools(), when);
            Background warm(checkout.command("warm"));
            REQUIRE(gate.wait_reached(warm));
            edit_file(checkout.root() / "sdk/include/first.h", "5", "6");
            gate.open();
            static_cast<void>(warm.wait());
        }
        REQUIRE(checkout.warm().result.status == 0);
        Checkout fresh(folder.path() / "fresh", folder.path() / "home2");
        fresh.write_suite(gated(1, 1));
        edit_file(fresh.root() / "scenes/s0/kernels/s0_k0.cpp", "DEEP_VALUE + 0", "DEEP_VALUE + FIRST_VALUE");
        edit_file(fresh.root() / "sdk/include/first.h", "5", "6");
        REQUIRE(fresh.warm().result.status == 0);
        CHECK(tree_contents(checkout.artifact("s0/s0").parent_path()) ==
              tree_contents(fresh.artifact("s0/s0").parent_path()));
    }
}

}  // namespace scene_kernels::e2e
