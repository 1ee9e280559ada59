// The subcommands: each adds itself to the command line and runs when chosen. One file per subcommand.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "os/lock.h"
#include "plan/project.h"

namespace scene_kernels {

// What the chosen subcommand does; returns the exit status. Set by the subcommand's callback.
struct Invocation {
    std::function<Expected<int>(const Services &)> run;
};

void add_warm_command(CLI::App &app, Invocation &invocation);
void add_plan_command(CLI::App &app, Invocation &invocation);
void add_build_command(CLI::App &app, Invocation &invocation);
void add_list_command(CLI::App &app, Invocation &invocation);
void add_path_command(CLI::App &app, Invocation &invocation);

// The lock of a graph directory: exclusive for a plan or a whole `warm`, shared for a `build` that Ninja started by
// itself. Nothing to hold (but no error) inside a `warm` that holds it already. An error says who is in the way.
[[nodiscard]] Expected<FileLock> lock_graph(FileSystem &files, const std::string &graph_directory, LockMode mode);

// Held by every `build` (shared) while it works, and by a plan (exclusive) while it decides and writes refs: a build
// that outlived a killed `warm` could else point a ref at what the plan has just found outdated. Waits, and says so.
[[nodiscard]] Expected<FileLock> lock_builders(FileSystem &files, const std::string &graph_directory, LockMode mode);

// The environment by which a `warm` tells its children that it holds the lock.
inline constexpr const char *k_lock_variable = "SCENE_KERNELS_LOCKED_GRAPH";
inline constexpr const char *k_color_variable = "SCENE_KERNELS_COLOR";

// Prints to stdout; a closed pipe is no reason to fail.
void print(std::string_view text);

}  // namespace scene_kernels
