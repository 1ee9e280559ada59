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

// One pruning of one store.
class Pruner {
public:
    Pruner(FileSystem &files, std::int64_t now_ns, Store &store, const PruneLimits &limits, bool dry_run)
        : m_files(files), m_now_ns(now_ns), m_store(store), m_limits(limits), m_dry_run(dry_run) {}

    Expected<PruneReport> run() {
        SK_CHECK(prune_entries());
        m_report.abandoned = m_dry_run ? m_store.count_abandoned() : m_store.remove_abandoned();
        prune_locks();
        prune_leftovers(m_store.directory());
        prune_leftovers(m_store.toolchain_directory());
        prune_leftovers(m_store.directory() + "/closures");
        if (!m_dry_run) {
            compact_log();
        }
        return std::move(m_report);
    }

private:
    Expected<void> prune_entries() {
        SK_TRY(const std::vector<StoreEntry> entries, m_store.entries());
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

    // Not if it has been used, or replaced, since it was listed.
    bool remove(const StoreEntry &entry) {
        return noted(m_store.remove_entry(entry.key, [this, &entry] {
            const auto status = m_files.lstat(entry.directory);
            return status && *status && (*status)->mtime_ns == entry.used_ns;
        }));
    }

    // Unlinking is safe only while the lock is held: who waits for it compares inodes afterwards (os/lock.h).
    void prune_locks() {
        for (const std::string &name : names_in(m_store.lock_directory())) {
            if (!Digest::from_hex(name)) {
                continue;
            }
            const std::string path = m_store.lock_directory() + "/" + name;
            const auto lock = FileLock::try_acquire(path, LockMode::exclusive);
            if (lock && *lock && (m_dry_run || noted(m_files.remove(path)))) {
                ++m_report.lock_files;
            }
        }
    }

    void prune_leftovers(const std::string &directory) {
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

    void compact_log() {
        const std::string path = m_store.closure_log_path();
        const auto status = m_files.stat(path);
        if (!status || !*status) {
            return;
        }
        NameTable names;
        SearchTable searches;
        ClosureLog log(m_files, path, names, searches);
        const auto compacted = log.compact([this](const Digest &key) {
            const auto entry = m_files.lstat(m_store.artifact_directory(key));
            return !entry || *entry;
        });
        if (!compacted) {
            m_report.problems.push_back(compacted.error().message);
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
    PruneLimits m_limits;
    bool m_dry_run;
    PruneReport m_report;
};

// Who holds this prunes; nothing where somebody else does.
Expected<std::optional<FileLock>> lock_pruning(const Store &store) {
    return FileLock::try_acquire(store.lock_directory() + "/prune", LockMode::exclusive);
}

std::string stamp_path(const Store &store) {
    return store.directory() + "/pruned";
}

// The stamp is set first, so that a store that cannot be pruned is not tried by every run.
Expected<PruneReport> prune_locked(FileSystem &files, Clock &clock, Store &store, const PruneLimits &limits,
                                   bool dry_run) {
    const std::int64_t now_ns = clock.now_ns();
    if (!dry_run) {
        SK_CHECK(files.write(stamp_path(store), ""));
        SK_CHECK(files.set_mtime(stamp_path(store), now_ns));
    }
    return Pruner(files, now_ns, store, limits, dry_run).run();
}

}  // namespace

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
    return prune_locked(files, clock, store, limits, dry_run);
}

Expected<std::optional<PruneReport>> prune_if_due(FileSystem &files, Clock &clock, Store &store,
                                                  const PruneLimits &limits) {
    if (store.state().access != StoreAccess::write) {
        return std::nullopt;
    }
    SK_TRY(const std::optional<FileLock> lock, lock_pruning(store));
    if (!lock) {
        return std::nullopt;
    }
    SK_TRY(const auto stamp, files.lstat(stamp_path(store)));
    const std::int64_t now_ns = clock.now_ns();
    if (stamp && stamp->mtime_ns <= now_ns && now_ns - stamp->mtime_ns < k_day_ns) {
        return std::nullopt;
    }
    SK_TRY(PruneReport report, prune_locked(files, clock, store, limits, false));
    return report;
}

}  // namespace scene_kernels
