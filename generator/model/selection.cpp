#include "model/selection.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/strings.h"

namespace scene_kernels {

namespace {

bool contains(const std::vector<std::string> &list, const std::string &word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether the list leaves the choice open, or names `word`.
bool admits(const std::vector<std::string> &list, const std::string &word) {
    return list.empty() || contains(list, word);
}

bool environment_holds(const SkipCondition &condition, const SelectionContext &context) {
    return std::all_of(condition.env.begin(), condition.env.end(), [&context](const auto &wanted) {
        const std::optional<std::string> value = context.environment ? context.environment(wanted.first) : std::nullopt;
        return value && (!wanted.second || *value == *wanted.second);
    });
}

// Names of variables and tools are asked for only where the parts that cost nothing hold.
bool holds(const SkipCondition &condition, const SelectionContext &context) {
    if (!admits(condition.platforms, context.platform) || !admits(condition.systems, context.system) ||
        !admits(condition.machines, context.machine) || !environment_holds(condition, context)) {
        return false;
    }
    return condition.missing_tools.empty() ||
           std::any_of(condition.missing_tools.begin(), condition.missing_tools.end(),
                       [&context](const std::string &tool) { return !context.has_tool || !context.has_tool(tool); });
}

bool is_manual(const Case &scene_case, const std::string &platform) {
    return scene_case.manual || contains(scene_case.manual_platforms, platform);
}

// Why a case that lists the platform does not apply; nothing if it does.
std::optional<SkipReason> case_reason(const Case &scene_case, const SelectionContext &context) {
    const bool manual = is_manual(scene_case, context.platform);
    if (manual && context.manual == ManualMode::exclude) {
        return SkipReason{SkipKind::manual, "manual"};
    }
    if (!manual && context.manual == ManualMode::only) {
        return SkipReason{SkipKind::manual, "not manual"};
    }
    for (const Skip &skip : scene_case.skip) {
        if (!skip.when || holds(*skip.when, context)) {
            return SkipReason{SkipKind::condition, skip.reason};
        }
    }
    return std::nullopt;
}

SkipReason platform_reason(const Scene &scene, const std::string &platform) {
    std::set<std::string> listed;
    for (const Case &scene_case : scene.cases) {
        listed.insert(scene_case.platforms.begin(), scene_case.platforms.end());
    }
    return {SkipKind::platform, fmt::format("no case lists platform {} (they list: {})", platform,
                                            join({listed.begin(), listed.end()}, ", "))};
}

// One text for all cases that list the platform and do not apply.
SkipReason combined(const std::vector<std::pair<std::string, SkipReason>> &reasons) {
    const auto is_manual_reason = [](const auto &reason) { return reason.second.kind == SkipKind::manual; };
    if (std::all_of(reasons.begin(), reasons.end(), is_manual_reason)) {
        return {SkipKind::manual, reasons.front().second.text};
    }
    std::vector<std::string> texts;
    for (const auto &[name, reason] : reasons) {
        texts.push_back(fmt::format("case {}: {}", name, reason.text));
    }
    return {SkipKind::condition, join(texts, "; ")};
}

}  // namespace

std::optional<SkipReason> skip_reason(const Scene &scene, const Callable &callable, const SelectExpression &select,
                                      const SelectionContext &context) {
    std::vector<std::pair<std::string, SkipReason>> reasons;
    bool applies = false;
    for (const Case &scene_case : scene.cases) {
        if (!contains(scene_case.platforms, context.platform)) {
            continue;
        }
        auto reason = case_reason(scene_case, context);
        if (!reason) {
            applies = true;
            break;
        }
        reasons.emplace_back(scene_case.name, std::move(*reason));
    }
    if (!applies) {
        return reasons.empty() ? platform_reason(scene, context.platform) : combined(reasons);
    }
    // Last, so that `select` as the reason means that nothing else stands in the way.
    if (!select.matches(scene, callable)) {
        return SkipReason{SkipKind::select, "not selected"};
    }
    return std::nullopt;
}

}  // namespace scene_kernels
