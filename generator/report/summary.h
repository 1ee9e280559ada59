// What one run of `warm` or `plan` came to, for people and as JSON (docs/cli.md has the schema).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plan/planner.h"
#include "plan/project.h"
#include "report/events.h"

namespace scene_kernels {

struct Counts {
    int total = 0;
    int hit = 0;
    int built = 0;
    int failed = 0;
    int skipped = 0;
    int uncacheable = 0;
    int missing = 0;  // only after `plan`: what `warm` would build
};

// An action and why it ended as it did, for the lines above the totals.
struct Remark {
    std::string action;
    std::vector<std::string> users;
    std::string reason;
};

struct Summary {
    Counts callables;
    Counts actions;
    double plan_seconds = 0;
    double ninja_seconds = 0;
    double total_seconds = 0;
    std::string store;
    std::uint64_t store_bytes = 0;
    std::string store_trouble;       // why nothing could be kept; empty if all is well
    std::vector<std::string> built;  // names of the actions that were
    std::vector<Remark> failures;
    std::vector<Remark> uncacheable;
    std::vector<Remark> not_kept;  // built, but only for this graph: the store could not take it
};

// `events` are those of this run; `built` says whether Ninja ran at all (else misses count as missing).
[[nodiscard]] Summary summarize(const Project &project, const std::vector<PlannedAction> &planned,
                                const std::map<std::string, Event> &events, bool built);

[[nodiscard]] std::string summary_text(const Summary &summary);
[[nodiscard]] std::string summary_json(const Summary &summary);
// `::warning::` lines for CI, one per failed action.
[[nodiscard]] std::string warning_lines(const Summary &summary);

}  // namespace scene_kernels
