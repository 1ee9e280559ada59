// `scene-kernels list`: every callable of the scenes, selected or why not.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/options.h"

namespace scene_kernels {

namespace {

Expected<int> run_list(const Services &services, const SceneOptions &options) {
    SK_TRY(Request request, make_request(*services.files, options, services.data_directory));
    SK_TRY(const std::unique_ptr<Project> project, Project::open(services, std::move(request)));
    std::size_t width = 0;
    for (const CallableChoice &choice : project->choices()) {
        width = std::max(width, choice.scene->name.size() + 1 + choice.callable->name.size());
    }
    std::string text;
    int skipped = 0;
    for (const CallableChoice &choice : project->choices()) {
        const std::string name = choice.scene->name + "/" + choice.callable->name;
        text += fmt::format("{:<{}}  {}\n", name, width, choice.skip ? "skipped: " + choice.skip->text : "selected");
        skipped += choice.skip ? 1 : 0;
    }
    const int total = static_cast<int>(project->choices().size());
    text += fmt::format("{} callables on {}: {} selected, {} skipped\n", total, project->platform().name,
                        total - skipped, skipped);
    print(text);
    return 0;
}

}  // namespace

void add_list_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<SceneOptions>();
    CLI::App *command = app.add_subcommand("list", "list callables: selected, or skipped and why");
    command->footer("Example:\n  scene-kernels list --select 'attention and not slow' kernels/scenes");
    add_scene_options(*command, *options, true);
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_list(services, *options); };
    });
}

}  // namespace scene_kernels
