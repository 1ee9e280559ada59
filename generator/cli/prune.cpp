// `scene-kernels prune`: removes what has not been used for long, and what a store may not hold any more.
#include <memory>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/store_options.h"
#include "report/texts.h"
#include "store/upkeep.h"

namespace scene_kernels {

namespace {

struct PruneOptions {
    StoreOptions store;
    std::string max_age;
    std::string max_size;
    bool dry_run = false;
};

std::string report_text(const PruneReport &report, bool dry_run, std::int64_t now_ns) {
    std::string text;
    const char *const verb = dry_run ? "would remove" : "removed";
    for (const PrunedEntry &pruned : report.removed) {
        text += fmt::format("{} {} ({}, last used {} ago, {})\n", verb, path_name(pruned.entry.directory),
                            bytes_text(pruned.entry.disk_bytes), age_text(now_ns - pruned.entry.used_ns),
                            pruned.reason == PruneReason::age ? "too old" : "over the size");
    }
    for (const std::string &problem : report.problems) {
        text += "problem: " + problem + "\n";
    }
    text += fmt::format("{} {} entries ({}); {} stay ({})\n", verb, report.removed.size(),
                        bytes_text(report.removed_bytes), report.kept_entries, bytes_text(report.kept_bytes));
    text += fmt::format("{} {} abandoned builds, {} lock files, {} leftovers\n", verb, report.abandoned,
                        report.lock_files, report.leftovers);
    return text;
}

Expected<int> run_prune(const Services &services, const PruneOptions &options) {
    SK_TRY(const PruneLimits limits, prune_limits(options.max_age, options.max_size));
    SK_TRY(Store store, open_existing_store(services, options.store));
    const std::int64_t now_ns = services.clock->now_ns();
    SK_TRY(const PruneReport report, prune(*services.files, *services.clock, store, limits, options.dry_run));
    if (!options.dry_run) {
        note_pruned(*services.files, *services.clock, store, report);
    }
    print(report_text(report, options.dry_run, now_ns));
    return report.problems.empty() ? 0 : 1;
}

}  // namespace

void add_prune_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<PruneOptions>();
    CLI::App *command = app.add_subcommand("prune", "remove what the store need not hold any more");
    command->footer("Example:\n  scene-kernels prune --max-age 7d --max-size 2G --dry-run");
    add_store_options(*command, options->store);
    command
        ->add_option("--max-age", options->max_age,
                     "entries last used longer ago go; default: $SCENE_KERNELS_MAX_AGE or 14d")
        ->type_name("AGE");
    command
        ->add_option("--max-size", options->max_size,
                     "the least recently used go until the store is no larger; default: $SCENE_KERNELS_MAX_SIZE or 10G")
        ->type_name("SIZE");
    command->add_flag("--dry-run", options->dry_run, "say what would go, and change nothing");
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_prune(services, *options); };
    });
}

}  // namespace scene_kernels
