#include "plan/planner.h"

namespace scene_kernels {

namespace {

// The parts of an action, or why there are none yet.
bool collect_parts(const ActionGraph &graph, const std::vector<PlannedAction> &planned, const Action &action,
                   std::vector<Digest> &parts, std::string &why) {
    for (const std::string &name : action.dependencies) {
        const PlannedAction &dependency = planned[graph.by_name.at(name)];
        if (!dependency.hit) {
            why = "waits for " + name;
            return false;
        }
        parts.push_back(dependency.part);
    }
    return true;
}

// What a person should know of a miss whose recipe is known.
Expected<std::string> reason_for_miss(const Action &action, const std::vector<Closure> &closures, KeyMaker &keys) {
    if (action.kind == ActionKind::callable) {
        return std::string("its parts have not been packed together yet");
    }
    if (closures.empty()) {
        return std::string("nothing is known of this recipe yet (a new source, or other options, tools or SDK)");
    }
    SK_TRY(const std::vector<std::string> changes, keys.changes(action, closures.front()));
    constexpr std::size_t k_shown = 3;
    std::string text;
    for (std::size_t i = 0; i < changes.size() && i < k_shown; ++i) {
        text += (i == 0 ? "" : ", ") + changes[i];
    }
    if (changes.size() > k_shown) {
        text += " and " + std::to_string(changes.size() - k_shown) + " more";
    }
    return text.empty() ? std::string("something that it read, or where a name is found, is not what the store knows")
                        : text;
}

Expected<PlannedAction> plan_one(const Action &action, const std::vector<Digest> &parts, KeyMaker &keys,
                                 StoreLayers &stores) {
    PlannedAction result;
    std::vector<Closure> closures = stores.closures_of(action.recipe);
    if (action.kind == ActionKind::callable) {
        closures.assign(1, Closure{});  // a pack reads its parts alone
    }
    for (const Closure &closure : closures) {
        SK_TRY(const std::optional<Digest> key, keys.key(action, parts, closure));
        if (!key) {
            continue;
        }
        SK_TRY(const std::optional<FoundArtifact> found, stores.find(*key));
        if (found) {
            result.hit = true;
            result.key = *key;
            result.part = found->part;
            result.manifest = found->manifest;
            return result;
        }
    }
    SK_TRY(result.why, reason_for_miss(action, closures, keys));
    return result;
}

}  // namespace

Expected<std::vector<PlannedAction>> plan_actions(const ActionGraph &graph, KeyMaker &keys, StoreLayers &stores) {
    std::vector<PlannedAction> planned;
    planned.reserve(graph.actions.size());
    for (const Action &action : graph.actions) {
        PlannedAction result;
        std::vector<Digest> parts;
        if (!action.error.empty()) {
            result.why = action.error;
        } else if (collect_parts(graph, planned, action, parts, result.why)) {
            SK_TRY(result, plan_one(action, parts, keys, stores));
        }
        planned.push_back(std::move(result));
    }
    return planned;
}

std::vector<bool> needed_actions(const ActionGraph &graph, const std::vector<std::size_t> &callables) {
    std::vector<bool> needed(graph.actions.size(), false);
    for (const std::size_t index : callables) {
        needed[index] = true;
    }
    for (std::size_t i = graph.actions.size(); i-- > 0;) {
        if (needed[i]) {
            for (const std::string &name : graph.actions[i].dependencies) {
                needed[graph.by_name.at(name)] = true;
            }
        }
    }
    return needed;
}

}  // namespace scene_kernels
