// Broken kernels: the rest is built, the error is shown once and belongs to somebody.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/checkout.h"

namespace scene_kernels::e2e {

TEST_CASE("of ten scenes one is broken: nine are published") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({10, 1});
    const std::filesystem::path broken = checkout.root() / "scenes/s4/kernels/s4_k0.cpp";
    edit_file(broken, "+= i", "+= undeclared_here");

    const Outcome failed = checkout.warm();
    INFO(failed.result.text());
    CHECK(failed.result.status == 1);
    CHECK(failed.figure("callables", "total") == 10);
    CHECK(failed.figure("callables", "built") == 9);
    CHECK(failed.figure("callables", "failed") == 1);
    CHECK(failed.result.count("was not declared in this scope") == 1);
    CHECK(failed.result.text().find("s4_k0.cpp") != std::string::npos);
    CHECK(failed.result.text().find("s4/s4") != std::string::npos);
    CHECK(failed.result.text().find("::warning::") == std::string::npos);
    const std::vector<std::string> refs = checkout.refs();
    CHECK(std::count(refs.begin(), refs.end(), "callable/s3/s3") == 1);
    CHECK(std::count(refs.begin(), refs.end(), "callable/s4/s4") == 0);

    const Outcome lenient = checkout.warm({"--best-effort"});
    CHECK(lenient.result.status == 0);
    CHECK(lenient.figure("callables", "failed") == 1);
    CHECK(lenient.figure("callables", "hit") == 9);
    CHECK(lenient.result.count("::warning::") >= 1);
    CHECK(lenient.trace.compiled() == std::vector<std::string>{"s4_k0.cpp"});

    edit_file(broken, "+= undeclared_here", "+= i");
    const Outcome repaired = checkout.warm();
    CHECK(repaired.result.status == 0);
    CHECK(repaired.figure("callables", "built") == 1);
    CHECK(repaired.trace.compiled() == std::vector<std::string>{"s4_k0.cpp"});
}

TEST_CASE("a broken shared kernel is compiled once, and fails every callable that uses it") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({3, 1});
    edit_file(checkout.root() / "kernels/common.cpp", "+= i", "+= undeclared_here");
    const Outcome failed = checkout.warm();
    CHECK(failed.result.status == 1);
    CHECK(failed.figure("callables", "failed") == 3);
    CHECK(failed.result.count("was not declared in this scope") == 1);
}

TEST_CASE("the command that a failure prints is the one that reruns it") {
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    edit_file(suite.checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "+= i", "+= undeclared_here");
    const Outcome failed = suite.checkout.warm();
    CHECK(failed.result.status == 1);
    const std::string text = failed.result.text();
    const std::string title = "to run it again:\n";
    const std::size_t mark = text.find(title);
    REQUIRE(mark != std::string::npos);
    const std::size_t begin = mark + title.size();
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    INFO(text);
    INFO(line);
    const Result rerun = run({{"sh", "-c", line}, suite.checkout.root(), clean_environment(suite.folder.path())});
    CHECK(rerun.status == 1);
    CHECK(rerun.text().find("was not declared in this scope") != std::string::npos);
}

TEST_CASE("a kernel without its entry point is refused") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "kernel_entry", "kernel_exit");
    const Outcome failed = checkout.warm();
    CHECK(failed.result.status == 1);
    CHECK(failed.result.text().find("kernel_entry") != std::string::npos);
}

}  // namespace scene_kernels::e2e
