// Planning a request and bringing its graph directory in line: what `warm`, `plan` and Ninja's own re-plan share.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.h"
#include "os/lock.h"
#include "plan/planner.h"
#include "plan/project.h"

namespace scene_kernels {

struct Planning {
    FileLock lock;  // of the graph directory
    std::unique_ptr<Project> project;
    std::vector<PlannedAction> planned;
    std::int64_t start_ns = 0;  // by the clock that stamps files
};

// Reads SDK and descriptors first, so that wrong input changes nothing; then takes the graph's lock.
[[nodiscard]] Expected<Planning> plan_and_write(const Services &services, Request request);

// Makes Ninja's log agree with the times of plan.stamp and build.ninja, where it has entries for them at all.
[[nodiscard]] Expected<void> restat_log(const Services &services, const std::string &graph_directory,
                                        const std::string &ninja);

// Absolute path of Ninja; an error that says how to get it.
[[nodiscard]] Expected<std::string> find_ninja(FileSystem &files, const std::string &search_path);

}  // namespace scene_kernels
