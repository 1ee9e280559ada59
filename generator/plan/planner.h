// Decides, by content, which actions of a graph hold an artifact already. Changes nothing anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "action/graph.h"
#include "action/key.h"
#include "base/error.h"
#include "store/layers.h"

namespace scene_kernels {

// What the plan knows of one action.
struct PlannedAction {
    bool hit = false;
    Digest key;            // of the artifact, where hit
    Digest part;           // how the artifact enters its users' keys
    std::string manifest;  // path of its artifact.json
    std::string why;       // where not hit: for `--verbose` and explain ("no artifact is known for this recipe")
};

// One entry per action of the graph, in its order. Reads files through the key maker's memory only.
[[nodiscard]] Expected<std::vector<PlannedAction>> plan_actions(const ActionGraph &graph, KeyMaker &keys,
                                                                StoreLayers &stores);

// The actions that the given callables need, themselves included, in graph order.
[[nodiscard]] std::vector<bool> needed_actions(const ActionGraph &graph, const std::vector<std::size_t> &callables);

}  // namespace scene_kernels
