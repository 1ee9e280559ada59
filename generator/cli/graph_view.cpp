#include "cli/graph_view.h"

#include <algorithm>
#include <set>

#include "base/strings.h"

namespace scene_kernels {

namespace {

constexpr std::string_view k_callable_prefix = "callable/";

}  // namespace

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
                                    const std::string &graph_directory, const std::string &state) {
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
    std::string text = "callable \"" + wanted + "\" " + state + " in " + graph_directory;
    std::vector<std::string> candidates = names;
    for (const std::string &name : names) {
        candidates.emplace_back(path_name(name));
    }
    if (const auto near = nearest(wanted, candidates)) {
        text += "; did you mean " + *near + "?";
    }
    return input_error(text + "; run scene-kernels warm first");
}

Expected<std::optional<Manifest>> read_artifact(FileSystem &files, const std::string &graph_directory,
                                                const std::string &action) {
    const std::string ref = path_join(graph_directory, "refs/" + action);
    SK_TRY(const auto present, files.stat(ref));
    if (!present) {
        return std::nullopt;
    }
    SK_TRY(const std::string text, files.read(ref));
    auto manifest = parse_manifest(text);
    if (!manifest) {
        return failure(ref + ": " + manifest.error().message);
    }
    return std::move(*manifest);
}

Expected<GraphView> GraphView::open(FileSystem &files, const std::string &graph_directory) {
    const std::string path = path_join(graph_directory, "actions.jsonl");
    SK_TRY(const auto present, files.stat(path));
    if (!present) {
        return input_error("nothing was planned in " + graph_directory + " yet; run scene-kernels warm first");
    }
    GraphView view;
    view.m_directory = graph_directory;
    SK_TRY(view.m_text, files.read(path));
    SK_CHECK(read_action_header(view.m_text, graph_directory));
    return view;
}

std::vector<std::string> GraphView::callables() const {
    std::vector<std::string> names;
    for (const std::string &name : action_names(m_text)) {
        if (name.starts_with(k_callable_prefix)) {
            names.push_back(name.substr(k_callable_prefix.size()));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

Expected<std::vector<Action>> GraphView::needed(const std::string &action) const {
    std::vector<Action> result;
    std::set<std::string> seen;
    std::vector<std::string> pending = {action};
    while (!pending.empty()) {
        const std::string name = pending.back();
        pending.pop_back();
        if (!seen.insert(name).second) {
            continue;
        }
        SK_TRY(std::optional<Action> found, read_action(m_text, name));
        if (!found) {
            return failure("no action has the name \"" + name + "\" in " + m_directory);
        }
        pending.insert(pending.end(), found->dependencies.rbegin(), found->dependencies.rend());
        result.push_back(std::move(*found));
    }
    // Users were found before what they use.
    std::reverse(result.begin(), result.end());
    return result;
}

}  // namespace scene_kernels
