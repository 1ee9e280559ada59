// Builds again what a ref stands for, and compares: a check of the promise that the same inputs give the same bytes.
#pragma once

#include <string>

#include "base/error.h"
#include "plan/project.h"

namespace scene_kernels {

enum class RebuildResult : unsigned char {
    same,
    different,  // the same inputs gave other bytes
    outdated,   // its inputs have changed since: there is nothing to compare
    failed,
};

struct RebuildOutcome {
    RebuildResult result = RebuildResult::failed;
    std::string reason;  // what differs or went wrong, in one line; empty for `same`
    std::string output;  // what the commands printed
};

// Publishes nothing and changes no ref. The action must have a ref, and so must its dependencies.
[[nodiscard]] Expected<RebuildOutcome> rebuild_action(const Services &services, const std::string &graph_directory,
                                                      const std::string &action_name);

}  // namespace scene_kernels
