// The project itself, from a fresh clone: one command warms the sample scenes, and the next one does nothing.
#include <doctest/doctest.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

namespace {

struct Clone {
    explicit Clone(const TemporaryFolder &folder) : root(folder.path() / "a clone"), home(folder.path() / "home") {
        std::filesystem::create_directories(home);
        environment = clean_environment(home);
        // The generator's own objects may come from the cache of whoever runs the test; kernels may not.
        environment["CCACHE_DIR"] = E2E_PROJECT "/build/ccache";
        environment["CCACHE_BASEDIR"] = root.string();
        environment["CCACHE_NOHASHDIR"] = "1";
    }

    [[nodiscard]] Command command(std::vector<std::string> argv, const std::filesystem::path &directory) const {
        return {std::move(argv), directory, environment};
    }

    std::filesystem::path root;
    std::filesystem::path home;
    std::map<std::string, std::string> environment;
};

// Copies what is under version control, as it is now.
void clone_project(const Clone &clone) {
    const std::string script =
        "git -C \"$1\" ls-files -z --cached --others --exclude-standard | "
        "tar -C \"$1\" --ignore-failed-read --null -T - -cf - | tar -C \"$2\" -xf -";
    std::filesystem::create_directories(clone.root);
    REQUIRE(run(clone.command({"sh", "-c", script, "sh", E2E_PROJECT, clone.root.string()}, "/")).status == 0);
}

}  // namespace

TEST_CASE("warm in a fresh clone, from another directory, and again") {
    const TemporaryFolder folder;
    const Clone clone(folder);
    clone_project(clone);
    const Command warm = clone.command({(clone.root / "warm").string()}, folder.path());
    const Result first = run(warm);
    INFO(first.text());
    REQUIRE(first.status == 0);
    const std::filesystem::path refs = clone.root / "build/a2a3sim/scene-kernels/samples/refs";
    CHECK(tree_files(refs / "callable").size() >= 7);
    CHECK(tree_files(refs / "image").size() >= 20);
    const auto artifacts = tree_contents(clone.root / "build/cache/kernels/artifacts");

    const TracedResult second = run_traced(warm);
    CHECK(second.result.status == 0);
    CHECK(second.trace.compiler_processes() == 0);
    const Command ninja = clone.command({"ninja", "-C", refs.parent_path().string(), "warm-kernels"}, folder.path());
    const TracedResult plain = run_traced(ninja);
    CHECK(plain.result.status == 0);
    CHECK(plain.trace.programs().empty());
    CHECK(tree_contents(clone.root / "build/cache/kernels/artifacts") == artifacts);

    const Result other = run(clone.command({(clone.root / "warm").string(), "a5sim"}, clone.root));
    INFO(other.text());
    CHECK(other.status == 0);
    CHECK(tree_files(clone.root / "build/a5sim/scene-kernels/samples/refs/image").size() >= 20);
}

}  // namespace scene_kernels::e2e
