// `scene-kernels stats`: what a store holds.
#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/store_options.h"
#include "report/texts.h"
#include "store/entry.h"

namespace scene_kernels {

namespace {

struct StatsOptions {
    StoreOptions store;
    bool json = false;
};

struct Sum {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    void add(std::uint64_t more) {
        ++entries;
        bytes += more;
    }
};

struct Stats {
    Sum all;
    Sum damaged;
    std::map<std::pair<std::string, std::string>, Sum> by_kind;  // platform ("" for none) and kind
    std::int64_t newest_ns = 0;
    std::int64_t oldest_ns = 0;
    std::uint64_t log_bytes = 0;
    std::uint64_t toolchains = 0;
    int abandoned = 0;
};

Expected<Stats> collect(FileSystem &files, const Store &store) {
    Stats stats;
    SK_TRY(const std::vector<StoreEntry> entries, store.entries());
    for (const StoreEntry &entry : entries) {
        stats.all.add(entry.disk_bytes);
        stats.oldest_ns = stats.all.entries == 1 ? entry.used_ns : std::min(stats.oldest_ns, entry.used_ns);
        stats.newest_ns = std::max(stats.newest_ns, entry.used_ns);
        if (const auto manifest = store.find(entry.key, false)) {
            stats.by_kind[{manifest->platform, to_text(manifest->kind)}].add(entry.disk_bytes);
        } else {
            stats.damaged.add(entry.disk_bytes);
        }
    }
    const auto log = files.stat(store.closure_log_path());
    stats.log_bytes = log && *log ? (*log)->size : 0;
    const auto toolchains = files.list(store.toolchain_directory());
    stats.toolchains = toolchains && *toolchains ? (*toolchains)->size() : 0;
    stats.abandoned = store.count_abandoned();
    return stats;
}

std::string stats_text(const Stats &stats, const Store &store, std::int64_t now_ns) {
    std::string text =
        fmt::format("store:      {}{}\n", store.directory(),
                    store.state().access == StoreAccess::write ? "" : " (read-only: " + store.state().why + ")");
    text += fmt::format("entries:    {} ({})\n", stats.all.entries, bytes_text(stats.all.bytes));
    for (const auto &[what, sum] : stats.by_kind) {
        text += fmt::format("  {:<10}{:<9}{:>7}  {:>10}\n", what.first.empty() ? "host" : what.first, what.second,
                            sum.entries, bytes_text(sum.bytes));
    }
    if (stats.damaged.entries > 0) {
        text += fmt::format("damaged:    {} ({}); see scene-kernels verify\n", stats.damaged.entries,
                            bytes_text(stats.damaged.bytes));
    }
    if (stats.all.entries > 0) {
        text += fmt::format("last used:  {} to {} ago\n", age_text(now_ns - stats.newest_ns),
                            age_text(now_ns - stats.oldest_ns));
    }
    text += fmt::format("closures:   {}\n", bytes_text(stats.log_bytes));
    text += fmt::format("toolchains: {} answers\n", stats.toolchains);
    if (stats.abandoned > 0) {
        text += fmt::format("abandoned:  {} builds of processes that died\n", stats.abandoned);
    }
    return text;
}

std::string stats_json(const Stats &stats, const Store &store) {
    nlohmann::ordered_json kinds = nlohmann::ordered_json::array();
    for (const auto &[what, sum] : stats.by_kind) {
        kinds.push_back(
            {{"platform", what.first}, {"kind", what.second}, {"entries", sum.entries}, {"bytes", sum.bytes}});
    }
    const nlohmann::ordered_json json{{"schema", 1},
                                      {"store", store.directory()},
                                      {"entries", stats.all.entries},
                                      {"bytes", stats.all.bytes},
                                      {"damaged", stats.damaged.entries},
                                      {"kinds", kinds},
                                      {"closure_log_bytes", stats.log_bytes},
                                      {"toolchains", stats.toolchains},
                                      {"abandoned", stats.abandoned}};
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Expected<int> run_stats(const Services &services, const StatsOptions &options) {
    SK_TRY(const Store store, open_existing_store(services, options.store));
    SK_TRY(const Stats stats, collect(*services.files, store));
    print(options.json ? stats_json(stats, store) : stats_text(stats, store, services.clock->now_ns()));
    return 0;
}

}  // namespace

void add_stats_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<StatsOptions>();
    CLI::App *command = app.add_subcommand("stats", "say what the store holds");
    command->footer("Example:\n  scene-kernels stats --store /var/cache/kernels");
    add_store_options(*command, options->store);
    command->add_flag("--json", options->json, "as JSON");
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_stats(services, *options); };
    });
}

}  // namespace scene_kernels
