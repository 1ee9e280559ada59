// Brings a graph directory in line with a plan: refs, actions, inputs, build.ninja, stamp, in the order that keeps
// every crash window harmless. docs/formats.md describes the directory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "ninja/input_list.h"
#include "plan/planner.h"
#include "plan/project.h"

namespace scene_kernels {

struct GraphChanges {
    int refs_written = 0;
    int refs_removed = 0;
    bool shape_changed = false;  // build.ninja has new content
};

// `plan_start_ns` is the time (of the clock that stamps files) before the first input was read. Requires the graph's
// lock.
[[nodiscard]] Expected<GraphChanges> write_graph(Project &project, const std::vector<PlannedAction> &planned,
                                                 std::int64_t plan_start_ns);

// Sets the times of plan.stamp and build.ninja from the inputs as they are now; see InputList::stamp_time. True if
// either file's time changed.
[[nodiscard]] Expected<bool> stamp_graph(const Services &services, const std::string &graph_directory,
                                         const std::string &source_root, std::int64_t plan_start_ns);

// Points the ref of an action at an artifact's manifest. Used by the plan and by `build`.
[[nodiscard]] Expected<bool> write_ref(FileSystem &files, const std::string &graph_directory,
                                       const std::string &source_root, const std::string &action_name,
                                       const std::string &manifest);

}  // namespace scene_kernels
