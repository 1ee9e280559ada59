// Turns the steps of a toolchain row into commands: expands their words, and adds what closures need (depfiles) and
// what makes outputs the same in every checkout (prefix maps).
#pragma once

#include <string>
#include <vector>

#include "action/action.h"
#include "action/expand.h"
#include "action/roots.h"
#include "action/toolchain_set.h"
#include "base/error.h"
#include "model/sdk.h"

namespace scene_kernels {

struct CommandContext {
    const ChosenToolchain *toolchain = nullptr;
    const Roots *roots = nullptr;
    FileSystem *files = nullptr;                   // where options may name files
    Expander expander;                             // placeholders of the platform, the action and its tokens
    std::vector<Spelled> args;                     // what {args} stands for
    std::vector<Spelled> include_dirs;             // command and logical paths
    std::vector<std::string> library_directories;  // of the toolchain; becomes part of the steps
};

[[nodiscard]] Expected<std::vector<ActionStep>> make_steps(const std::vector<SdkStep> &steps,
                                                           const CommandContext &context);

// Takes response files apart (`read` gets their names) and refuses options that would hide what is read. Errors name
// the toolchain.
[[nodiscard]] Expected<std::vector<Spelled>> settle_options(const CommandContext &context, std::vector<Spelled> words,
                                                            std::vector<std::string> &read);

// Expands every text of `texts`.
[[nodiscard]] Expected<std::vector<Spelled>> expand_all(const Expander &expander,
                                                        const std::vector<std::string> &texts);

}  // namespace scene_kernels
