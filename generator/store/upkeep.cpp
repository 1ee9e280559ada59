#include "store/upkeep.h"

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "store/entry.h"

namespace scene_kernels {

namespace {

constexpr std::uint64_t k_cost_of_removal = 10;
// A log that has not doubled, or is smaller than this, is not worth writing anew.
constexpr std::uint64_t k_small_log_bytes = 1U << 20U;

// What `upkeep` holds, one line of numbers.
struct UpkeepState {
    std::int64_t begun_ns = 0;      // when the last round began; 0: never
    unsigned next = k_shards;       // the shard to go on with; k_shards: the round has ended
    std::uint64_t round_bytes = 0;  // kept so far in this round
    std::uint64_t total_bytes = 0;  // kept by the last round that ended, and added since
    std::uint64_t log_bytes = 0;    // of the closure log when it was last written anew
};

std::string path_of(const Store &store) {
    return store.directory() + "/upkeep";
}

UpkeepState read_state(FileSystem &files, const Store &store) {
    const auto status = files.stat(path_of(store));
    constexpr std::uint64_t k_longest = 256;
    if (!status || !*status || (*status)->size > k_longest) {
        return {};
    }
    const auto text = files.read(path_of(store));
    UpkeepState state;
    long long begun = 0;
    unsigned long long numbers[3] = {};
    if (!text || std::sscanf(text->c_str(), "scene-kernels upkeep 1: begun %lld next %u kept %llu total %llu log %llu",
                             &begun, &state.next, &numbers[0], &numbers[1], &numbers[2]) != 5) {
        return {};
    }
    if (begun < 0 || state.next > k_shards) {
        return {};
    }
    state.begun_ns = begun;
    state.round_bytes = numbers[0];
    state.total_bytes = numbers[1];
    state.log_bytes = numbers[2];
    return state;
}

void write_state(FileSystem &files, const Store &store, const UpkeepState &state) {
    static_cast<void>(
        files.write(path_of(store),
                    fmt::format("scene-kernels upkeep 1: begun {} next {} kept {} total {} log {}\n", state.begun_ns,
                                state.next, state.round_bytes, state.total_bytes, state.log_bytes)));
}

std::uint64_t log_bytes(FileSystem &files, const Store &store) {
    const auto status = files.stat(store.closure_log_path());
    return status && *status ? (*status)->size : 0;
}

class Round {
public:
    Round(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits, UpkeepState &state)
        : m_files(files), m_clock(clock), m_store(store), m_limits(limits), m_state(state) {}

    // Until the budget is spent or the round has ended.
    UpkeepReport step(std::uint64_t budget) {
        UpkeepReport report;
        std::uint64_t spent = 0;
        while (m_state.next < k_shards && spent < budget) {
            // A small store is looked at as a whole, so that the least recently used of all entries go first.
            const bool whole = m_state.next == 0 && count_entries(budget) < budget;
            const unsigned last = whole ? k_shards : m_state.next + 1;
            const auto pruned =
                prune_shards(m_files, m_clock, m_store, limits_for(last - m_state.next), m_state.next, last);
            m_state.next = last;
            if (!pruned) {
                continue;
            }
            m_state.round_bytes += pruned->kept_bytes;
            report.removed_entries += pruned->removed.size();
            report.removed_bytes += pruned->removed_bytes;
            spent += pruned->kept_entries + k_cost_of_removal * pruned->removed.size();
        }
        if (m_state.next == k_shards) {
            end();
            report.round_ended = true;
        }
        return report;
    }

private:
    // How many entries the store has, as far as `enough`.
    std::uint64_t count_entries(std::uint64_t enough) {
        std::uint64_t count = 0;
        for (unsigned shard = 0; shard < k_shards && count < enough; ++shard) {
            const auto names = m_files.list(m_store.directory() + "/artifacts/" + shard_name(shard));
            count += names && *names ? (*names)->size() : 0;
        }
        return count;
    }

    PruneLimits limits_for(unsigned shards) const {
        PruneLimits limits = m_limits;
        if (limits.max_bytes && shards < k_shards) {
            limits.max_bytes = *limits.max_bytes / k_shards * shards;
        }
        return limits;
    }

    void end() {
        PruneReport report;
        prune_leftovers(m_files, m_clock, m_store, m_limits, report);
        if (const std::uint64_t size = log_bytes(m_files, m_store);
            size > k_small_log_bytes && size > 2 * m_state.log_bytes) {
            compact_closure_log(m_files, m_store, report);
            m_state.log_bytes = log_bytes(m_files, m_store);
        }
        m_state.total_bytes = m_state.round_bytes;
        m_state.round_bytes = 0;
    }

    FileSystem &m_files;
    Clock &m_clock;
    Store &m_store;
    const PruneLimits &m_limits;
    UpkeepState &m_state;
};

bool is_due(const UpkeepState &state, std::int64_t now_ns) {
    return state.next == k_shards &&
           (state.begun_ns == 0 || state.begun_ns > now_ns || now_ns - state.begun_ns >= k_day_ns);
}

}  // namespace

UpkeepReport keep_up(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits,
                     std::uint64_t added_bytes, std::uint64_t budget) {
    UpkeepReport report;
    UpkeepState state = read_state(files, store);
    report.store_bytes = state.total_bytes + added_bytes;
    if (store.state().access != StoreAccess::write) {
        return report;
    }
    const auto lock = lock_pruning(store);
    if (!lock || !*lock) {
        return report;
    }
    state = read_state(files, store);
    const bool due = is_due(state, clock.now_ns());
    if (due) {
        state.begun_ns = clock.now_ns();
        state.next = 0;
        state.round_bytes = 0;
        write_state(files, store, state);  // a store that cannot be pruned is not tried by every run
    }
    const bool under_way = state.next < k_shards;
    state.total_bytes += added_bytes;
    if (under_way) {
        report = Round(files, clock, store, limits, state).step(budget);
    }
    report.store_bytes = state.total_bytes;
    if (under_way || added_bytes > 0) {
        write_state(files, store, state);
    }
    return report;
}

std::uint64_t known_bytes(FileSystem &files, const Store &store) {
    return read_state(files, store).total_bytes;
}

void note_pruned(FileSystem &files, Clock &clock, Store &store, const PruneReport &report) {
    UpkeepState state;
    state.begun_ns = clock.now_ns();
    state.total_bytes = report.kept_bytes;
    state.log_bytes = log_bytes(files, store);
    write_state(files, store, state);
}

}  // namespace scene_kernels
