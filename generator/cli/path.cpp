// `scene-kernels path`: where the last warm put a callable's file, or the graph directory.
#include <memory>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/options.h"

namespace scene_kernels {

namespace {

struct PathOptions {
    SceneOptions scenes;
    std::string callable;
    bool graph = false;
};

// "scene/callable" of every callable that has a ref.
Expected<std::vector<std::string>> warm_callables(FileSystem &files, const std::string &graph_directory) {
    std::vector<std::string> names;
    const std::string root = path_join(graph_directory, "refs/callable");
    SK_TRY(const auto scenes, files.list(root));
    for (const DirectoryEntry &scene : scenes.value_or(std::vector<DirectoryEntry>{})) {
        SK_TRY(const auto callables, files.list(path_join(root, scene.name)));
        for (const DirectoryEntry &callable : callables.value_or(std::vector<DirectoryEntry>{})) {
            names.push_back(scene.name + "/" + callable.name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

Expected<std::string> find_callable(const std::vector<std::string> &names, const std::string &wanted,
                                    const std::string &graph_directory) {
    std::vector<std::string> matches;
    for (const std::string &name : names) {
        if (name == wanted || path_name(name) == wanted) {
            matches.push_back(name);
        }
    }
    if (matches.size() == 1) {
        return matches.front();
    }
    if (matches.size() > 1) {
        return input_error("\"" + wanted + "\" names more than one callable: " + join(matches, ", "));
    }
    std::string text = "callable \"" + wanted + "\" is not warm in " + graph_directory;
    std::vector<std::string> candidates = names;
    for (const std::string &name : names) {
        candidates.emplace_back(path_name(name));
    }
    if (const auto near = nearest(wanted, candidates)) {
        text += "; did you mean " + *near + "?";
    }
    return input_error(text + "; run scene-kernels warm first");
}

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
    SK_TRY(const std::string name, find_callable(names, options.callable, graph_directory));
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
