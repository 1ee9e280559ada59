// A source tree with a tiny SDK and tiny scenes, and the program under test at work on it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/command.h"
#include "support/files.h"
#include "support/trace.h"

namespace scene_kernels::e2e {

// The tiny suite: scenes `s0`, `s1`, ..., each with one callable of the same name.
//
//   sdk/tiny.sdk.json                      platforms `sim` (default) and `other`
//   sdk/include/{all,first,orch}.h, sub/deep.h, and the project's callable.h with what it includes
//   sdk/before/                            searched before sdk/include, and empty
//   sdk/runtime/runtime.cpp                the runtime's one extra source
//   kernels/common.cpp                     a kernel of every scene (func_id 100)
//   scenes/sI/sI.scene.json
//   scenes/sI/kernels/sI_kJ.cpp            includes all.h and sub/deep.h, and first.h if J is 0
//   scenes/sI/orchestration/sI_orch.cpp    includes orch.h
struct SuiteShape {
    int scenes = 2;
    int kernels = 2;     // of its own, per scene
    bool gated = false;  // compile through the stand-in, which stops at gates
    std::string launcher = "none";
};

// What a program run came to.
struct Outcome {
    Result result;
    Trace trace;
    nlohmann::json summary;  // null where none was written

    // A figure of the summary, such as ("actions", "built"); -1 where there is none.
    [[nodiscard]] int figure(const std::string &group, const std::string &name) const;
    [[nodiscard]] int built() const { return figure("actions", "built"); }
};

enum class Way { warm, ninja };

class Checkout {
public:
    // A checkout in `root` (which may exist), with `home` as HOME of everything that runs in it.
    Checkout(std::filesystem::path root, std::filesystem::path home);

    // Writes the tiny suite.
    void write_suite(const SuiteShape &shape);
    // Adds, or replaces, scene number `index` of the suite.
    void write_scene(int index, int kernels);

    [[nodiscard]] const std::filesystem::path &root() const { return m_root; }
    [[nodiscard]] std::filesystem::path store() const { return m_root / "build/cache/kernels"; }
    [[nodiscard]] std::filesystem::path build_dir() const { return m_root / "build/sim"; }
    [[nodiscard]] std::filesystem::path tools() const { return m_root / "sdk/tools"; }
    // As `path --graph` prints it.
    [[nodiscard]] std::filesystem::path graph_dir() const;
    // The callable's file, as `path CALLABLE` prints it.
    [[nodiscard]] std::filesystem::path artifact(const std::string &callable) const;
    // The relative paths of refs, such as "callable/s0/s0".
    [[nodiscard]] std::vector<std::string> refs() const;
    // Every artifact's files by path in the store.
    [[nodiscard]] std::map<std::string, std::string> artifacts() const;

    // `scene-kernels SUBCOMMAND [the common options] EXTRA...`, run in the root. `scenes` are added at the end.
    [[nodiscard]] Command command(const std::string &subcommand, std::vector<std::string> extra = {},
                                  std::vector<std::string> scenes = {"scenes"}) const;
    [[nodiscard]] Outcome warm(std::vector<std::string> extra = {}) const;
    [[nodiscard]] Command ninja_command(std::vector<std::string> arguments) const;
    // `ninja -C GRAPH_DIR warm-kernels`
    [[nodiscard]] Outcome ninja() const;
    [[nodiscard]] Outcome update(Way way) const { return way == Way::warm ? warm() : ninja(); }

    // Further options for every run, such as {"--store", "..."}; and further variables for their environment.
    std::vector<std::string> options;
    std::map<std::string, std::string> environment;

private:
    std::filesystem::path m_root;
    std::filesystem::path m_home;
};

// Numbers of the suite: how many actions of each kind it has.
[[nodiscard]] int action_count(const SuiteShape &shape);

// The program under test: the one that this build makes, or what the variable E2E_PROGRAM names.
[[nodiscard]] std::filesystem::path program();
// A folder with a checkout of the tiny suite in it, which was warmed once.
class WarmSuite {
public:
    explicit WarmSuite(const SuiteShape &shape = {}, std::string_view folder = "checkout");

    TemporaryFolder folder;
    Checkout checkout;
    Outcome first;  // of the first warm
};

}  // namespace scene_kernels::e2e
