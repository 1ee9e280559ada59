// The small share of pruning that every `warm` does, so that a store stays small without anybody thinking of it, and
// what a store holds, without walking all of it.
//
// Keys are digests, so each of the 256 shards is a fair sample of the store. One step looks at a bounded number of
// entries, shard after shard; a round through all shards begins at most once a day.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "os/clock.h"
#include "os/filesystem.h"
#include "store/prune.h"
#include "store/store.h"

namespace scene_kernels {

// How many entries one step looks at before it stops at the end of a shard. Removing one counts as much as looking at
// ten.
inline constexpr std::uint64_t k_upkeep_entries = 1500;

struct UpkeepReport {
    std::uint64_t removed_entries = 0;
    std::uint64_t removed_bytes = 0;
    std::uint64_t store_bytes = 0;  // blocks that all entries take: as of the last round, and what was added since
    bool round_ended = false;       // with this step
};

// One step, if a round is due or under way, the store can be written and nobody else prunes it. `added_bytes` is what
// this run published. Never fails: what could not be done is done by another run.
[[nodiscard]] UpkeepReport keep_up(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits,
                                   std::uint64_t added_bytes, std::uint64_t budget = k_upkeep_entries);

// What the last step knew of the store's size, in bytes; 0 where there was none.
[[nodiscard]] std::uint64_t known_bytes(FileSystem &files, const Store &store);

// Notes what a whole pruning left, so that the next round is due a day later.
void note_pruned(FileSystem &files, Clock &clock, Store &store, const PruneReport &report);

}  // namespace scene_kernels
