// `scene-kernels build ACTION`: what Ninja runs, in the graph directory, for every action whose ref is missing.
#include <memory>

#include "build/action_runner.h"
#include "cli/commands.h"
#include "cli/graph_lock.h"
#include "os/environment.h"
#include "os/process.h"
#include "report/events.h"

namespace scene_kernels {

namespace {

Expected<int> run_build(const Services &services, const std::string &action) {
    const std::string directory = current_directory();
    SK_TRY(const FileLock lock, lock_graph(*services.files, directory, LockMode::shared));
    SK_TRY(const FileLock builders, lock_builders(*services.files, directory, LockMode::shared));
    const bool color = environment_variable(k_color_variable).has_value();
    Expected<BuildOutcome> outcome = run_action(services, directory, action, color);
    if (!outcome) {
        BuildOutcome trouble;
        trouble.reason = outcome.error().message;
        static_cast<void>(services.files->append(events_path(directory), event_line(action, trouble)));
        return tl::unexpected<Error>(std::move(outcome).error());
    }
    // Without an event the summary counts the action as failed, so a failure to write it is one.
    SK_CHECK(services.files->append(events_path(directory), event_line(action, *outcome)));
    print(outcome->output);
    switch (outcome->result) {
        case BuildResult::hit:
        case BuildResult::built:
        case BuildResult::uncacheable:
            return 0;
        case BuildResult::interrupted:
            return 128 + interrupt_signal();
        case BuildResult::failed:
            break;
    }
    return 1;
}

}  // namespace

void add_build_command(CLI::App &app, Invocation &invocation) {
    auto action = std::make_shared<std::string>();
    CLI::App *command =
        app.add_subcommand("build", "build one action of the graph in the current directory (Ninja calls it)");
    command->footer(
        "Example:\n  cd build/a2a3sim/scene-kernels/default && scene-kernels build callable/softmax/softmax");
    command->add_option("ACTION", *action, "name of the action, as in refs/")->required();
    command->callback([action, &invocation] {
        invocation.run = [action](const Services &services) { return run_build(services, *action); };
    });
}

}  // namespace scene_kernels
