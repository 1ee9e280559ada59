// The subcommands: each adds itself to the command line and runs when chosen. One file per subcommand.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "base/error.h"
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
void add_explain_command(CLI::App &app, Invocation &invocation);
void add_doctor_command(CLI::App &app, Invocation &invocation);
void add_log_command(CLI::App &app, Invocation &invocation);
void add_verify_command(CLI::App &app, Invocation &invocation);
void add_prune_command(CLI::App &app, Invocation &invocation);
void add_stats_command(CLI::App &app, Invocation &invocation);

// Prints to stdout; a closed pipe is no reason to fail.
void print(std::string_view text);

}  // namespace scene_kernels
