// The end-to-end support itself: a count that is always 0 would prove nothing.
#include <doctest/doctest.h>

#include <csignal>

#include "support/checkout.h"

namespace scene_kernels::e2e {

TEST_CASE("a trace shows what a compiler driver starts") {
    const TemporaryFolder folder("a b");
    write_file(folder.path() / "x y.cpp", "int main() { return 0; }\n");
    const Command compile{{"g++", "-c", "x y.cpp", "-o", "x.o"}, folder.path(), clean_environment(folder.path())};
    const TracedResult traced = run_traced(compile);
    CHECK(traced.result.status == 0);
    CHECK(traced.trace.compiled() == std::vector<std::string>{"x y.cpp"});
    CHECK(traced.trace.count("cc1plus") == 1);
    CHECK(traced.trace.count("as") == 1);
    CHECK(traced.trace.compiler_processes() == 3);
    CHECK(traced.trace.most_compilers_alive() == 1);
    CHECK(traced.trace.programs() == std::vector<std::string>{"cc1plus", "as"});
}

TEST_CASE("questions to a compiler are no compilations") {
    const TemporaryFolder folder;
    const std::string script =
        "g++ --version; g++ -E -v -x c++ /dev/null -o /dev/null; g++ -print-prog-name=as; "
        "for i in 1 2; do g++ -c a.cpp -o $i.o & done; wait; ls; exit 3";
    write_file(folder.path() / "a.cpp", "int a;\n");
    const TracedResult traced = run_traced({{"sh", "-c", script}, folder.path(), clean_environment(folder.path())});
    CHECK(traced.result.status == 3);
    CHECK(traced.trace.compiled() == std::vector<std::string>{"a.cpp", "a.cpp"});
    CHECK(traced.trace.count("g++") == 5);
    CHECK(traced.trace.most_compilers_alive() >= 1);
    CHECK(traced.trace.most_compilers_alive() <= 2);
    CHECK(traced.trace.count("ls") == 1);
}

TEST_CASE("a trace of interleaved processes") {
    const Trace trace = Trace::parse(
        "10 execve(\"/bin/sh\", [\"sh\"], 0x1 /* 3 vars */) = 0\n"
        "11 execve(\"/usr/bin/g++-12\", [\"g++-12\", \"-c\", \"d\\\"ir/\\303\\274.cpp\", \"-o\", \"x\"] <unfinished "
        "...>\n"
        "12 execve(\"/usr/bin/clang-14\", [\"clang++-14\", \"-c\", \"b.cpp\", \"-o\", \"y\"], 0x2 /* 3 vars */) = 0\n"
        "13 execve(\"/nowhere/as\", [\"as\"], 0x2 /* 3 vars */) = -1 ENOENT (No such file or directory)\n"
        "11 <... execve resumed>, 0x5 /* 3 vars */) = 0\n"
        "12 +++ exited with 0 +++\n"
        "14 execve(\"/usr/bin/g++\", [\"g++\", \"-shared\", \"x\", \"-o\", \"z\"], 0x2 /* 3 vars */) = 0\n"
        "11 +++ killed by SIGKILL +++\n");
    CHECK(trace.programs() == std::vector<std::string>{"clang-14", "g++-12", "g++"});
    CHECK(trace.compiled() == std::vector<std::string>{"b.cpp", "\xc3\xbc.cpp"});
    CHECK(trace.most_compilers_alive() == 2);
}

TEST_CASE("a background program is signalled as a group, and gates hold a compiler") {
    const TemporaryFolder folder;
    const std::filesystem::path tools = folder.path() / "tools";
    std::filesystem::create_directories(tools);
    std::filesystem::copy_file(E2E_STAND_IN, tools / "cxx");
    write_file(folder.path() / "a.cpp", "int a;\n");
    const Command compile{
        {(tools / "cxx").string(), "-c", "a.cpp", "-o", "a.o"}, folder.path(), clean_environment(folder.path())};
    {
        Gate gate(tools, "a.cpp.before");
        Background compiler(compile);
        REQUIRE(gate.wait_reached(compiler));
        CHECK(!std::filesystem::exists(folder.path() / "a.o"));
        compiler.signal_group(SIGINT);
        CHECK(compiler.wait().status == 128 + SIGINT);
    }
    {
        Gate gate(tools, "a.cpp.after");
        Background compiler(compile);
        REQUIRE(gate.wait_reached(compiler));
        CHECK(std::filesystem::exists(folder.path() / "a.o"));
        gate.open();
        CHECK(compiler.wait().status == 0);
    }
    Gate gate(tools, "b.cpp.before");
    Background compiler(compile);
    CHECK(!gate.wait_reached(compiler));
    CHECK(compiler.wait().status == 0);
}

TEST_CASE("output is captured apart, and trees are compared by content") {
    const TemporaryFolder folder;
    const Result result =
        run({{"sh", "-c", "echo out; echo err >&2; ln -s a b; echo x > a; kill -9 $$"}, folder.path(), {}});
    CHECK(result.status == 128 + SIGKILL);
    CHECK(result.out == "out\n");
    CHECK(result.err == "err\n");
    CHECK(tree_contents(folder.path()) == std::map<std::string, std::string>{{"a", "x\n"}, {"b", "-> a"}});
}

}  // namespace scene_kernels::e2e
