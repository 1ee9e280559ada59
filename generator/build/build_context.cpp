#include "build/build_context.h"

#include "base/strings.h"

namespace scene_kernels {

BuildContext::BuildContext(const Services &outside, std::string directory, ActionFileHeader file_header, Action wanted)
    : services(outside),
      graph_directory(std::move(directory)),
      header(std::move(file_header)),
      action(std::move(wanted)),
      roots(header.source_root, header.roots),
      surroundings(command_surroundings(header.search_path, action.environment)),
      memory(*services.files, *services.clock),
      stores(*services.files, memory, names, searches),
      keys(*services.files, memory, roots, names, searches) {}

Expected<std::unique_ptr<BuildContext>> BuildContext::open(const Services &services, const std::string &graph_directory,
                                                           const std::string &action_name) {
    const std::string path = path_join(graph_directory, "actions.jsonl");
    SK_TRY(const auto present, services.files->stat(path));
    if (!present) {
        return input_error(graph_directory + " is no graph directory of scene-kernels: it has no actions.jsonl");
    }
    SK_TRY(const std::string text, services.files->read(path));
    SK_TRY(ActionFileHeader header, read_action_header(text, graph_directory));
    SK_TRY(std::optional<Action> action, read_action(text, action_name));
    if (!action) {
        std::string message = "no action has the name \"" + action_name + "\" in " + path;
        if (const auto near = nearest(action_name, action_names(text))) {
            message += "; did you mean \"" + *near + "\"?";
        }
        return input_error(message);
    }
    std::unique_ptr<BuildContext> context(
        new BuildContext(services, graph_directory, std::move(header), std::move(*action)));
    load_memories(context->memory, graph_directory);
    context->stores.open(*services.clock, context->header.store, private_directory(graph_directory),
                         context->header.allow_foreign_store);
    SK_CHECK(context->stores.load());
    context->answers = stored_toolchain_answers(*services.files, context->stores);
    return context;
}

Expected<std::vector<Part>> BuildContext::parts() {
    std::vector<Part> result;
    for (const std::string &name : action.dependencies) {
        const std::string ref = path_join(path_join(graph_directory, "refs"), name);
        SK_TRY(const auto target, services.files->read_link(ref));
        if (!target) {
            return failure("its part " + name + " is not built");
        }
        const std::string manifest_path = path_normal(path_join(path_parent(ref), *target));
        const auto text = services.files->read(manifest_path);
        Part part;
        part.directory = std::string(path_parent(manifest_path));
        if (text) {
            if (auto manifest = parse_manifest(*text)) {
                part.manifest = std::move(*manifest);
            }
        }
        bool whole = !part.manifest.outputs.empty();
        for (const OutputFile &output : part.manifest.outputs) {
            SK_TRY(const FileFacts *facts, memory.look(path_join(part.directory, output.name)));
            whole = whole && facts != nullptr && facts->digest == output.digest;
        }
        if (!whole) {
            static_cast<void>(services.files->remove(ref));
            return failure("its part " + name + " is damaged in " + part.directory +
                           "; run the same command again to build it anew");
        }
        part.digest = part_digest(part.manifest.outputs);
        result.push_back(std::move(part));
    }
    return result;
}

void BuildContext::save_memory() {
    save_memories(*services.files, memory, graph_directory, roots, header.store);
}

}  // namespace scene_kernels
