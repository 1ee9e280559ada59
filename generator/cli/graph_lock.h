// Who may work in a graph directory at the same time, and what a `warm` tells the builds that Ninja starts for it.
#pragma once

#include <string>

#include "base/error.h"
#include "os/filesystem.h"
#include "os/lock.h"

namespace scene_kernels {

// The lock of a graph directory: exclusive for a plan or a whole `warm`, shared for a `build` that Ninja started by
// itself. Nothing to hold (but no error) inside a `warm` that holds it already. An error says who is in the way.
[[nodiscard]] Expected<FileLock> lock_graph(FileSystem &files, const std::string &graph_directory, LockMode mode);

// Held by every `build` (shared) while it works, and by a plan (exclusive) while it decides and writes refs: a build
// that outlived a killed `warm` could else point a ref at what the plan has just found outdated. Waits, and says so.
[[nodiscard]] Expected<FileLock> lock_builders(FileSystem &files, const std::string &graph_directory, LockMode mode);

// The environment by which a `warm` tells its children that it holds the lock.
inline constexpr const char *k_lock_variable = "SCENE_KERNELS_LOCKED_GRAPH";
inline constexpr const char *k_color_variable = "SCENE_KERNELS_COLOR";

}  // namespace scene_kernels
