// Keeping a store small: which entries go, and the removal of them and of what dead processes left. Never in the way of
// somebody who builds or reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "os/clock.h"
#include "os/filesystem.h"
#include "store/store.h"

namespace scene_kernels {

// What was used within the last hour is never removed.
inline constexpr std::int64_t k_protected_age_ns = 3'600'000'000'000;
inline constexpr std::int64_t k_day_ns = 24 * k_protected_age_ns;

struct PruneLimits {
    std::int64_t max_age_ns = 14 * k_day_ns;  // entries last used longer ago go
    std::optional<std::uint64_t> max_bytes;   // the least recently used go until the store takes no more, in blocks
};

enum class PruneReason : std::uint8_t { age, size };

struct PrunedEntry {
    StoreEntry entry;
    PruneReason reason = PruneReason::age;
};

struct PruneReport {
    std::vector<PrunedEntry> removed;  // the least recently used first
    std::uint64_t removed_bytes = 0;
    std::uint64_t kept_entries = 0;
    std::uint64_t kept_bytes = 0;       // of entries
    std::uint64_t other_bytes = 0;      // of folders, logs and locks; a launcher's cache does not count
    int abandoned = 0;                  // staging directories of dead processes
    int lock_files = 0;                 // of recipes that nobody builds
    int leftovers = 0;                  // temporary files of dead processes, and old answers of toolchains
    std::vector<std::string> problems;  // what could not be removed, and why
};

// Which of the entries go at the time `now_ns`, the least recently used first. Entries that were used at the same time
// go in the order of their keys.
[[nodiscard]] std::vector<PrunedEntry> choose_entries(std::vector<StoreEntry> entries, const PruneLimits &limits,
                                                      std::int64_t now_ns);

// Removes entries over the limits, and rubbish; compacts the closure log. With `dry_run` nothing is changed, and the
// report says what would be. An error where `store` is no store that we may write, or another process prunes it.
[[nodiscard]] Expected<PruneReport> prune(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits,
                                          bool dry_run);

// Part of a pruning: the shards from `first` to before `last` (store/entry.h), with their lock files.
// `limits.max_bytes` is what these shards may hold. The caller holds the lock of pruning and may write.
[[nodiscard]] Expected<PruneReport> prune_shards(FileSystem &files, Clock &clock, Store &store,
                                                 const PruneLimits &limits, unsigned first, unsigned last);
// What belongs to no shard: staging directories, temporary files and answers that are left over.
void prune_leftovers(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits, PruneReport &report);
// Rewrites the closure log without what is gone.
void compact_closure_log(FileSystem &files, Store &store, PruneReport &report);

// Who holds this prunes; nothing where somebody else does.
[[nodiscard]] Expected<std::optional<FileLock>> lock_pruning(const Store &store);

}  // namespace scene_kernels
