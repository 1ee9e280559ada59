// Builds one action: the lock, the second look, the commands, the closure, the publication, the ref. What Ninja runs
// for every miss.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "plan/project.h"

namespace scene_kernels {

enum class BuildResult : std::uint8_t {
    hit,  // somebody had published it meanwhile, or the parts turned out the same as before
    built,
    uncacheable,  // built, but only for this graph
    failed,
    interrupted,
};

[[nodiscard]] const char *to_text(BuildResult result);

struct BuildOutcome {
    BuildResult result = BuildResult::failed;
    int commands = 0;  // processes started for it
    double seconds = 0;
    std::string reason;    // why uncacheable or failed: one line
    std::string not_kept;  // why what was built is not in the user's store, where it could have been: one line
    std::string output;    // what to show: the commands' own messages, then whose they are and how to rerun them
};

// `graph_directory` is absolute; `color` asks compilers for coloured messages. Errors are for a graph directory that is
// not usable (of another version, say); a failing command is an outcome.
[[nodiscard]] Expected<BuildOutcome> run_action(const Services &services, const std::string &graph_directory,
                                                const std::string &action_name, bool color);

}  // namespace scene_kernels
