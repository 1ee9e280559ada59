// What Ninja's own tools and clangd see of the graph.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/checkout.h"

namespace scene_kernels::e2e {

TEST_CASE("Ninja's tools accept the graph") {
    WarmSuite suite;
    REQUIRE(suite.first.result.status == 0);
    const Checkout &checkout = suite.checkout;
    const Result targets = run(checkout.ninja_command({"-t", "targets", "all"}));
    CHECK(targets.status == 0);
    CHECK(targets.out.find("refs/callable/s0/s0: ") != std::string::npos);
    CHECK(targets.out.find("warm-kernels: phony") != std::string::npos);
    const Result graph = run(checkout.ninja_command({"-t", "graph", "warm-kernels"}));
    CHECK(graph.status == 0);
    CHECK(graph.out.find("digraph") == 0);
    const Result commands = run(checkout.ninja_command({"-t", "compdb"}));
    CHECK(commands.status == 0);
    const auto edges = nlohmann::json::parse(commands.out);
    const auto builds = std::count_if(edges.begin(), edges.end(), [](const nlohmann::json &edge) {
        return edge["output"].get<std::string>().starts_with("refs/");
    });
    // Ninja lists edges with inputs alone: two libraries and two callables.
    CHECK(builds == 4);
}

TEST_CASE("looking, cleaning and recompacting leave a graph that works") {
    WarmSuite suite;
    REQUIRE(suite.first.result.status == 0);
    const Checkout &checkout = suite.checkout;
    const auto artifacts = checkout.artifacts();

    edit_file(checkout.root() / "sdk/include/first.h", "5", "6");
    CHECK(run(checkout.ninja_command({"-n", "warm-kernels"})).status == 0);
    CHECK(checkout.artifacts() == artifacts);
    CHECK(checkout.ninja().trace.compiled().size() == 2);
    edit_file(checkout.root() / "sdk/include/first.h", "6", "5");
    CHECK(checkout.ninja().trace.compiled().empty());

    CHECK(run(checkout.ninja_command({"-t", "recompact"})).status == 0);
    CHECK(checkout.ninja().trace.compiler_processes() == 0);
    CHECK(checkout.warm().built() == 0);

    CHECK(run(checkout.ninja_command({"-t", "clean"})).status == 0);
    const Outcome plain = checkout.ninja();
    INFO(plain.result.text());
    CHECK(plain.result.status == 0);
    CHECK(plain.trace.compiled().empty());
    CHECK(checkout.refs().size() == static_cast<std::size_t>(action_count({})));
    CHECK(checkout.ninja().result.out.find("no work to do") != std::string::npos);

    CHECK(run(checkout.ninja_command({"-t", "clean", "-g"})).status == 0);
    const Outcome warm = checkout.warm();
    CHECK(warm.result.status == 0);
    CHECK(warm.trace.compiled().empty());
    const auto after = checkout.artifacts();
    for (const auto &[path, bytes] : artifacts) {
        CHECK(after.at(path) == bytes);
    }
}

TEST_CASE("compile_commands.json lists every source with the real compiler, and its commands run") {
    WarmSuite suite({2, 2});
    REQUIRE(suite.first.result.status == 0);
    const auto commands = nlohmann::json::parse(read_file(suite.checkout.build_dir() / "compile_commands.json"));
    std::vector<std::string> files;
    for (const auto &entry : commands) {
        const std::filesystem::path directory = entry["directory"].get<std::string>();
        const std::filesystem::path file = directory / entry["file"].get<std::string>();
        CHECK(std::filesystem::is_regular_file(file));
        files.push_back(file.filename().string());
        REQUIRE(entry.contains("arguments"));
        const auto arguments = entry["arguments"].get<std::vector<std::string>>();
        CHECK(std::filesystem::path(arguments.front()).filename() == "g++");
        std::vector<std::string> check = arguments;
        check.emplace_back("-fsyntax-only");
        CHECK(run({check, directory, clean_environment(suite.folder.path())}).status == 0);
    }
    std::sort(files.begin(), files.end());
    for (const char *file : {"common.cpp", "runtime.cpp", "s0_k0.cpp", "s0_k1.cpp", "s0_orch.cpp", "s1_k1.cpp"}) {
        CAPTURE(file);
        CHECK(std::count(files.begin(), files.end(), file) == 1);
    }
}

TEST_CASE("selection decides what is built, not what the graph holds") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({3, 1});
    const Outcome one = checkout.warm({"--select", "scene:s1"});
    CHECK(one.result.status == 0);
    CHECK(one.figure("callables", "built") == 1);
    CHECK(one.figure("callables", "skipped") == 2);
    CHECK(one.trace.compiled() ==
          std::vector<std::string>{"common.cpp", "packer.cpp", "runtime.cpp", "s1_k0.cpp", "s1_orch.cpp"});
    const Outcome rest = checkout.warm();
    CHECK(rest.figure("callables", "built") == 2);
    CHECK(rest.figure("callables", "hit") == 1);
    const Outcome none = checkout.warm({"--select", "not s"});
    CHECK(none.result.status == 0);
    CHECK(none.figure("callables", "skipped") == 3);
}

TEST_CASE("plan only plans, and list names reasons") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({2, 1});
    edit_file(checkout.root() / "scenes/s1/s1.scene.json", "\"name\": \"default\",",
              "\"name\": \"default\", \"manual\": true,");
    const TracedResult planned = run_traced(checkout.command("plan"));
    CHECK(planned.result.status == 0);
    CHECK(planned.trace.compiled().empty());
    CHECK(checkout.artifacts().empty());
    CHECK(std::filesystem::exists(checkout.graph_dir() / "build.ninja"));
    // What was planned is what Ninja builds.
    CHECK(checkout.ninja().result.status == 0);
    CHECK(checkout.warm().built() == 0);

    const Result list = run(checkout.command("list"));
    CHECK(list.status == 0);
    CHECK(list.out.find("s0") != std::string::npos);
    const std::size_t skipped = list.out.find("s1");
    REQUIRE(skipped != std::string::npos);
    CHECK(list.out.find("manual", skipped) != std::string::npos);
}

}  // namespace scene_kernels::e2e
