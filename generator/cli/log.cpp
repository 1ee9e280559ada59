// `scene-kernels log`: what the compilers said when the parts of a callable were built, also if that was long ago.
#include <memory>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/graph_view.h"
#include "cli/options.h"

namespace scene_kernels {

namespace {

struct LogOptions {
    SceneOptions scenes;
    std::string callable;
};

Expected<int> run_log(const Services &services, const LogOptions &options) {
    FileSystem &files = *services.files;
    SK_TRY(const Request request, make_request(files, options.scenes, services.data_directory));
    const std::string graph = request.graph_directory();
    SK_TRY(const GraphView view, GraphView::open(files, graph));
    SK_TRY(const std::string name, find_callable(view.callables(), options.callable, graph, "is not"));
    SK_TRY(const std::vector<Action> actions, view.needed("callable/" + name));
    std::string text;
    int silent = 0;
    int missing = 0;
    for (const Action &action : actions) {
        SK_TRY(const std::optional<Manifest> artifact, read_artifact(files, graph, action.name));
        if (!artifact) {
            ++missing;
            text += "== " + action.name + ": not built\n";
        } else if (artifact->messages.empty()) {
            ++silent;
        } else {
            text += "== " + action.name + "\n" + artifact->messages;
            text += artifact->messages.back() == '\n' ? "" : "\n";
        }
    }
    text += std::to_string(actions.size()) + " actions, " + std::to_string(silent) + " without messages\n";
    print(text);
    return missing > 0 ? 1 : 0;
}

}  // namespace

void add_log_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<LogOptions>();
    CLI::App *command = app.add_subcommand("log", "show the compilers' messages for a callable's parts, hits included");
    command->footer("Example:\n  scene-kernels log softmax/softmax");
    add_scene_options(*command, options->scenes, false);
    command->add_option("CALLABLE", options->callable, "\"scene/callable\", or the callable's name if it is unique")
        ->required();
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_log(services, *options); };
    });
}

}  // namespace scene_kernels
