#include "report/summary.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "report/texts.h"

namespace scene_kernels {

namespace {

// How many remarks of one kind are shown in full.
constexpr std::size_t k_shown_remarks = 20;

enum class Ending { hit, built, failed, uncacheable, missing };

Ending ending_of(const PlannedAction &planned, const Event *event, bool built) {
    if (planned.hit && event == nullptr) {
        return Ending::hit;
    }
    if (event == nullptr) {
        return built ? Ending::failed : Ending::missing;  // Ninja never came to it: a part failed
    }
    switch (event->result) {
        case BuildResult::hit:
            return Ending::hit;
        case BuildResult::built:
            return Ending::built;
        case BuildResult::uncacheable:
            return Ending::uncacheable;
        case BuildResult::failed:
        case BuildResult::interrupted:
            break;
    }
    return Ending::failed;
}

void count(Counts &counts, Ending ending) {
    ++counts.total;
    switch (ending) {
        case Ending::hit:
            ++counts.hit;
            break;
        case Ending::built:
            ++counts.built;
            break;
        case Ending::failed:
            ++counts.failed;
            break;
        case Ending::uncacheable:
            ++counts.uncacheable;
            break;
        case Ending::missing:
            ++counts.missing;
            break;
    }
}

std::string counts_text(const Counts &counts) {
    std::string text = fmt::format("{} hit, {} built", counts.hit, counts.built);
    const auto add = [&text](int number, const char *what) {
        if (number > 0) {
            text += fmt::format(", {} {}", number, what);
        }
    };
    add(counts.missing, "to build");
    add(counts.failed, "failed");
    add(counts.uncacheable, "uncacheable");
    add(counts.skipped, "skipped");
    return text;
}

void add_remarks(std::string &text, const char *what, const std::vector<Remark> &remarks) {
    for (std::size_t i = 0; i < remarks.size() && i < k_shown_remarks; ++i) {
        text += fmt::format("{}: {}: {}\n", what, remarks[i].action, remarks[i].reason);
    }
    if (remarks.size() > k_shown_remarks) {
        text += fmt::format("{}: and {} more\n", what, remarks.size() - k_shown_remarks);
    }
}

nlohmann::ordered_json counts_json(const Counts &counts) {
    return {{"total", counts.total},    {"hit", counts.hit},         {"built", counts.built},
            {"failed", counts.failed},  {"skipped", counts.skipped}, {"uncacheable", counts.uncacheable},
            {"missing", counts.missing}};
}

}  // namespace

Summary summarize(const Project &project, const std::vector<PlannedAction> &planned,
                  const std::map<std::string, Event> &events, bool built) {
    const ActionGraph &graph = project.graph();
    std::vector<std::size_t> roots;
    for (const std::size_t index : project.selected()) {
        roots.push_back(graph.callables[index].action);
    }
    const std::vector<bool> needed = needed_actions(graph, roots);
    Summary summary;
    for (std::size_t i = 0; i < graph.actions.size(); ++i) {
        const Action &action = graph.actions[i];
        if (!needed[i]) {
            ++summary.actions.total;
            ++summary.actions.skipped;
            continue;
        }
        const auto found = events.find(action.name);
        const Event *event = found == events.end() ? nullptr : &found->second;
        const Ending ending = ending_of(planned[i], event, built);
        count(summary.actions, ending);
        if (action.kind == ActionKind::callable) {
            count(summary.callables, ending);
        }
        if (ending == Ending::built) {
            summary.built.push_back(action.name);
        }
        if (ending == Ending::failed && event != nullptr && event->result == BuildResult::failed) {
            summary.failures.push_back({action.name, action.users, event->reason});
        }
        if (event != nullptr && !event->not_kept.empty() && ending != Ending::failed) {
            summary.not_kept.push_back({action.name, action.users, event->not_kept});
        }
        if (ending == Ending::uncacheable) {
            summary.uncacheable.push_back({action.name, action.users, event->reason});
        }
    }
    for (const CallableChoice &choice : project.choices()) {
        if (choice.skip) {
            ++summary.callables.total;
            ++summary.callables.skipped;
        }
    }
    return summary;
}

std::string summary_text(const Summary &summary) {
    std::string text;
    add_remarks(text, "failed", summary.failures);
    add_remarks(text, "uncacheable", summary.uncacheable);
    if (!summary.not_kept.empty()) {
        text += fmt::format("warning: {} of the artifacts could not be kept in the store: {}\n",
                            summary.not_kept.size(), summary.not_kept.front().reason);
    }
    if (!summary.store_trouble.empty()) {
        text += "warning: built without the store: " + summary.store_trouble + "\n";
    }
    text += fmt::format("callables: {}\n", counts_text(summary.callables));
    text += fmt::format("actions:   {}\n", counts_text(summary.actions));
    text += fmt::format("store:     {} in {}\n", bytes_text(summary.store_bytes), summary.store);
    text += fmt::format("seconds:   {:.2f} (plan {:.2f}, ninja {:.2f})\n", summary.total_seconds, summary.plan_seconds,
                        summary.ninja_seconds);
    return text;
}

std::string summary_json(const Summary &summary) {
    nlohmann::ordered_json json{
        {"schema", 1},
        {"callables", counts_json(summary.callables)},
        {"actions", counts_json(summary.actions)},
        {"seconds",
         {{"plan", summary.plan_seconds}, {"ninja", summary.ninja_seconds}, {"total", summary.total_seconds}}},
        {"store", {{"path", summary.store}, {"bytes", summary.store_bytes}}}};
    if (!summary.not_kept.empty()) {
        json["store"]["not_kept"] = summary.not_kept.size();
    }
    if (!summary.store_trouble.empty()) {
        json["store"]["trouble"] = summary.store_trouble;
    }
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string warning_lines(const Summary &summary) {
    std::string text;
    for (const Remark &failure : summary.failures) {
        text += "::warning::" + join(failure.users, ", ") + ": " + failure.reason + "\n";
    }
    return text;
}

}  // namespace scene_kernels
