// What a graph directory says of the last plan and build, for commands that only look: callables, actions, artifacts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "action/action_file.h"
#include "base/error.h"
#include "os/filesystem.h"
#include "store/manifest.h"

namespace scene_kernels {

// "scene/callable" of every callable that has a ref, sorted.
[[nodiscard]] Expected<std::vector<std::string>> warm_callables(FileSystem &files, const std::string &graph_directory);

// The one of `names` that is `wanted`, or whose last part is; kind input with the nearest one if there is none, or more
// than one. `state` says what a name lacks: "is not warm".
[[nodiscard]] Expected<std::string> find_callable(const std::vector<std::string> &names, const std::string &wanted,
                                                  const std::string &graph_directory, const std::string &state);

// The artifact that an action's ref stands for; nothing where there is no ref, or it leads nowhere.
[[nodiscard]] Expected<std::optional<Manifest>> read_artifact(FileSystem &files, const std::string &graph_directory,
                                                              const std::string &action);

// The actions of a graph directory. Not thread-safe.
class GraphView {
public:
    // Kind input where there is no graph.
    [[nodiscard]] static Expected<GraphView> open(FileSystem &files, const std::string &graph_directory);

    // "scene/callable" of every callable of the graph, sorted.
    [[nodiscard]] std::vector<std::string> callables() const;
    [[nodiscard]] std::vector<std::string> actions() const { return action_names(m_text); }
    // The actions that `action` needs, itself last, each once.
    [[nodiscard]] Expected<std::vector<Action>> needed(const std::string &action) const;

private:
    std::string m_directory;
    std::string m_text;  // of actions.jsonl
};

}  // namespace scene_kernels
