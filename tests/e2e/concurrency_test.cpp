// Many processes on one store, two on one graph, and the job budget.
#include <doctest/doctest.h>

#include <memory>

#include "support/checkout.h"

namespace scene_kernels::e2e {

TEST_CASE("eight processes with one empty store build every action once in all") {
    const SuiteShape shape{2, 2};
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite(shape);
    std::vector<std::unique_ptr<Background>> processes;
    std::vector<std::filesystem::path> summaries;
    for (int i = 0; i < 8; ++i) {
        summaries.push_back(folder.path() / ("summary" + std::to_string(i)));
        Command command = checkout.command("warm", {"--summary", summaries.back().string()});
        for (std::string &argument : command.argv) {
            argument = argument == "build/sim" ? "build/number" + std::to_string(i) : argument;
        }
        processes.push_back(std::make_unique<Background>(command));
    }
    int built = 0;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const Result result = processes[i]->wait();
        INFO(result.text());
        REQUIRE(result.status == 0);
        const auto summary = nlohmann::json::parse(read_file(summaries[i]));
        built += summary["actions"]["built"].get<int>();
        CHECK(summary["actions"]["total"].get<int>() == action_count(shape));
        CHECK(summary["actions"]["failed"].get<int>() == 0);
    }
    CHECK(built == action_count(shape));
    CHECK(tree_files(checkout.store() / "tmp").empty());
}

TEST_CASE("of two processes in one build directory one works and one says why not") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    SuiteShape shape{1, 1};
    shape.gated = true;
    checkout.write_suite(shape);
    Gate gate(checkout.tools(), "s0_k0.cpp.before");
    Background first(checkout.command("warm"));
    REQUIRE(gate.wait_reached(first));

    const Outcome second = checkout.warm();
    CHECK(second.result.status != 0);
    CHECK(second.trace.compiled().empty());
    CHECK(second.result.err.find("build/sim") != std::string::npos);

    gate.open();
    CHECK(first.wait().status == 0);
    CHECK(checkout.warm().built() == 0);
}

TEST_CASE("never more compilers than jobs") {
    for (const int jobs : {1, 2}) {
        CAPTURE(jobs);
        TemporaryFolder folder;
        Checkout checkout(folder.path() / "checkout", folder.path() / "home");
        checkout.write_suite({1, 20});
        const Outcome outcome = checkout.warm({"-j", std::to_string(jobs)});
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled().size() == 24);
        CHECK(outcome.trace.most_compilers_alive() >= 1);
        CHECK(outcome.trace.most_compilers_alive() <= jobs);
    }
}

}  // namespace scene_kernels::e2e
