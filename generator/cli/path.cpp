// `scene-kernels path`: where the last warm put a callable's file, or the graph directory.
#include <memory>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/graph_view.h"
#include "cli/options.h"

namespace scene_kernels {

namespace {

struct PathOptions {
    SceneOptions scenes;
    std::string callable;
    bool graph = false;
};

Expected<int> run_path(const Services &services, const PathOptions &options) {
    FileSystem &files = *services.files;
    SK_TRY(const Request request, make_request(files, options.scenes, services.data_directory));
    const std::string graph_directory = request.graph_directory();
    if (options.graph) {
        print(graph_directory + "\n");
        return 0;
    }
    if (options.callable.empty()) {
        return input_error("path: give a CALLABLE (\"scene/callable\"), or --graph for the graph directory");
    }
    SK_TRY(const std::vector<std::string> names, warm_callables(files, graph_directory));
    SK_TRY(const std::string name, find_callable(names, options.callable, graph_directory, "is not warm"));
    const std::string ref = path_join(graph_directory, "refs/callable/" + name);
    const auto manifest = files.real_path(ref);
    if (!manifest) {
        return failure("the artifact of " + name + " is gone from the store; run scene-kernels warm again");
    }
    print(path_join(path_parent(*manifest), "callable.bin") + "\n");
    return 0;
}

}  // namespace

void add_path_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<PathOptions>();
    CLI::App *command = app.add_subcommand("path", "print the file of a callable that was warmed");
    command->footer("Example:\n  scene-kernels path --platform a2a3sim vector_example/vector_example");
    add_scene_options(*command, options->scenes, false);
    command->add_option("CALLABLE", options->callable, "\"scene/callable\", or the callable's name if it is unique");
    command->add_flag("--graph", options->graph, "print the graph directory (for ninja -C)");
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_path(services, *options); };
    });
}

}  // namespace scene_kernels
