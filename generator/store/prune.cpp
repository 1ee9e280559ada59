#include "store/prune.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "store/closure_log.h"

namespace scene_kernels {

namespace {

// FileSystem::write() and write_link() make these beside the file that they replace: NAME.tmp.PID.NUMBER.
bool is_temporary_name(const std::string &name) {
    const std::size_t at = name.rfind(".tmp.");
    if (at == std::string::npos) {
        return false;
    }
    const std::string_view numbers = std::string_view(name).substr(at + 5);
    return numbers.find_first_not_of("0123456789.") == std::string_view::npos && !numbers.empty();
}

bool is_answer_name(const std::string &name) {
    return name.ends_with(".json") && Digest::from_hex(name.substr(0, name.size() - 5)).has_value();
}

// A time before 1970 is as old as can be; the difference could not be represented.
std::int64_t age_of(std::int64_t time_ns, std::int64_t now_ns) {
    return now_ns - std::max<std::int64_t>(time_ns, 0);
}

// One pruning of one store, or of a part of it.
class Pruner {
public:
    Pruner(FileSystem &files, std::int64_t now_ns, Store &store, const PruneLimits &limits, bool dry_run,
           PruneReport &report)
        : m_files(files), m_now_ns(now_ns), m_store(store), m_limits(limits), m_dry_run(dry_run), m_report(report) {}

    Expected<void> prune_entries(unsigned first, unsigned last) {
        std::vector<StoreEntry> entries;
        for (unsigned shard = first; shard < last; ++shard) {
            SK_TRY(const std::vector<StoreEntry> more, m_store.entries_of_shard(shard));
            entries.insert(entries.end(), more.begin(), more.end());
        }
        for (const StoreEntry &entry : entries) {
            ++m_report.kept_entries;
            m_report.kept_bytes += entry.disk_bytes;
            if (!m_dry_run && entry.used_ns > m_now_ns + k_day_ns) {
                m_store.mark_used(entry.key);  // a clock was wrong once: it would never age
            }
        }
        for (PrunedEntry &chosen : choose_entries(entries, m_limits, m_now_ns)) {
            if (m_dry_run || remove(chosen.entry)) {
                --m_report.kept_entries;
                m_report.kept_bytes -= chosen.entry.disk_bytes;
                m_report.removed_bytes += chosen.entry.disk_bytes;
                m_report.removed.push_back(std::move(chosen));
            }
        }
        return {};
    }

    // Unlinking is safe only while the lock is held: who waits for it compares inodes afterwards (os/lock.h).
    void prune_locks(unsigned first, unsigned last) {
        for (const std::string &name : names_in(m_store.lock_directory())) {
            const std::optional<Digest> recipe = Digest::from_hex(name);
            if (!recipe || recipe->bytes.front() < first || recipe->bytes.front() >= last) {
                continue;
            }
            const std::string path = m_store.lock_directory() + "/" + name;
            const auto status = m_files.lstat(path);
            if (!status || !*status || age_of((*status)->mtime_ns, m_now_ns) < k_protected_age_ns) {
                continue;  // it tells who waits how long that build takes
            }
            const auto lock = FileLock::try_acquire(path, LockMode::exclusive);
            if (lock && *lock && (m_dry_run || noted(m_files.remove(path)))) {
                ++m_report.lock_files;
            }
        }
    }

    void prune_leftovers() {
        m_report.abandoned += m_dry_run ? m_store.count_abandoned() : m_store.remove_abandoned();
        prune_leftovers_in(m_store.directory());
        prune_leftovers_in(m_store.toolchain_directory());
        prune_leftovers_in(m_store.directory() + "/closures");
    }

private:
    // Not if it has been used, or replaced, since it was listed.
    bool remove(const StoreEntry &entry) {
        return noted(m_store.remove_entry(entry.key, [this, &entry] {
            const auto status = m_files.lstat(entry.directory);
            return status && *status && (*status)->mtime_ns == entry.used_ns;
        }));
    }

    void prune_leftovers_in(const std::string &directory) {
        for (const std::string &name : names_in(directory)) {
            const std::string path = directory + "/" + name;
            const auto status = m_files.lstat(path);
            if (!status || !*status || (*status)->type != FileType::regular) {
                continue;
            }
            const std::int64_t age = age_of((*status)->mtime_ns, m_now_ns);
            const bool old = (is_temporary_name(name) && age > k_day_ns) ||
                             (directory == m_store.toolchain_directory() && is_answer_name(name) &&
                              age > std::max(m_limits.max_age_ns, k_protected_age_ns));
            if (old && (m_dry_run || noted(m_files.remove(path)))) {
                ++m_report.leftovers;
            }
        }
    }

    // Sorted, so that reports do not depend on the file system.
    std::vector<std::string> names_in(const std::string &directory) {
        std::vector<std::string> names;
        const auto entries = m_files.list(directory);
        if (entries && *entries) {
            for (const DirectoryEntry &entry : **entries) {
                names.push_back(entry.name);
            }
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    bool noted(const Expected<bool> &removed) {
        if (!removed) {
            m_report.problems.push_back(removed.error().message);
        }
        return removed.value_or(false);
    }

    FileSystem &m_files;
    std::int64_t m_now_ns;
    Store &m_store;
    const PruneLimits &m_limits;
    bool m_dry_run;
    PruneReport &m_report;
};

std::uint64_t own_bytes(FileSystem &files, const std::string &path) {
    const auto status = files.lstat(path);
    return status && *status ? (*status)->disk_bytes : 0;
}

// What `du` counts beside the entries. ccache keeps its own directory small.
std::uint64_t bytes_beside_entries(FileSystem &files, const Store &store) {
    std::uint64_t bytes = own_bytes(files, store.directory());
    const auto names = files.list(store.directory());
    for (const DirectoryEntry &entry : names.value_or(std::nullopt).value_or(std::vector<DirectoryEntry>{})) {
        const std::string path = store.directory() + "/" + entry.name;
        if (entry.name != "artifacts" && entry.name != "ccache") {
            bytes += disk_bytes_below(files, path);
        }
    }
    const std::string artifacts = store.directory() + "/artifacts";
    bytes += own_bytes(files, artifacts);
    for (unsigned shard = 0; shard < k_shards; ++shard) {
        bytes += own_bytes(files, artifacts + "/" + shard_name(shard));
    }
    return bytes;
}

}  // namespace

Expected<std::optional<FileLock>> lock_pruning(const Store &store) {
    return FileLock::try_acquire(store.lock_directory() + "/prune", LockMode::exclusive);
}

std::vector<PrunedEntry> choose_entries(std::vector<StoreEntry> entries, const PruneLimits &limits,
                                        std::int64_t now_ns) {
    std::sort(entries.begin(), entries.end(), [](const StoreEntry &a, const StoreEntry &b) {
        return std::tie(a.used_ns, a.key) < std::tie(b.used_ns, b.key);
    });
    std::uint64_t total = 0;
    for (const StoreEntry &entry : entries) {
        total += entry.disk_bytes;
    }
    std::vector<PrunedEntry> chosen;
    for (StoreEntry &entry : entries) {
        const std::int64_t age = age_of(entry.used_ns, now_ns);
        const bool old = age > limits.max_age_ns;
        const bool over = limits.max_bytes && total > *limits.max_bytes;
        if (age <= k_protected_age_ns || (!old && !over)) {
            break;  // those that follow were used later still
        }
        total -= entry.disk_bytes;
        chosen.push_back({std::move(entry), old ? PruneReason::age : PruneReason::size});
    }
    return chosen;
}

Expected<PruneReport> prune(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits, bool dry_run) {
    if (store.state().access != StoreAccess::write) {
        return failure("cannot prune the store " + store.directory() + ": " + store.state().why);
    }
    SK_TRY(const std::optional<FileLock> lock, lock_pruning(store));
    if (!lock) {
        return failure("cannot prune the store " + store.directory() + ": another process is pruning it");
    }
    PruneReport report;
    report.other_bytes = bytes_beside_entries(files, store);
    PruneLimits remaining = limits;
    if (remaining.max_bytes) {
        *remaining.max_bytes -= std::min(*remaining.max_bytes, report.other_bytes);
    }
    Pruner pruner(files, clock.now_ns(), store, remaining, dry_run, report);
    SK_CHECK(pruner.prune_entries(0, k_shards));
    pruner.prune_locks(0, k_shards);
    pruner.prune_leftovers();
    if (!dry_run) {
        compact_closure_log(files, store, report);
    }
    return report;
}

Expected<PruneReport> prune_shards(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits,
                                   unsigned first, unsigned last) {
    PruneReport report;
    Pruner pruner(files, clock.now_ns(), store, limits, false, report);
    SK_CHECK(pruner.prune_entries(first, last));
    pruner.prune_locks(first, last);
    return report;
}

void prune_leftovers(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits, PruneReport &report) {
    Pruner(files, clock.now_ns(), store, limits, false, report).prune_leftovers();
}

void compact_closure_log(FileSystem &files, Store &store, PruneReport &report) {
    const std::string path = store.closure_log_path();
    const auto status = files.stat(path);
    if (!status || !*status) {
        return;
    }
    NameTable names;
    SearchTable searches;
    ClosureLog log(files, path, names, searches);
    const auto compacted = log.compact([&](const Digest &key) {
        const auto entry = files.lstat(store.artifact_directory(key));
        return !entry || *entry;
    });
    if (!compacted) {
        report.problems.push_back(compacted.error().message);
    }
}

}  // namespace scene_kernels
