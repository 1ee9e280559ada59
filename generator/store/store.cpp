#include "store/store.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

#include "os/environment.h"
#include "store/entry.h"

namespace scene_kernels {

namespace {

constexpr std::int64_t k_use_granularity_ns = 86'400'000'000'000;
constexpr std::chrono::seconds k_say_waiting_after(3);
// Taking an entry away is one rename, after the check of one entry.
constexpr std::chrono::seconds k_removal_limit(30);
constexpr int k_name_attempts = 100;
constexpr int k_replace_attempts = 5;

// False where something has the name already, be it a directory or not.
Expected<bool> move_in(FileSystem &files, const std::string &from, const std::string &to) {
    Expected<bool> moved = files.rename(from, to);
    if (!moved) {
        SK_TRY(const auto holder, files.lstat(to));
        if (holder && holder->type != FileType::directory) {
            return false;
        }
    }
    return moved;
}

}  // namespace

Staging::Staging(FileSystem &files, std::string directory, FileLock lock)
    : m_files(&files), m_directory(std::move(directory)), m_lock(std::move(lock)) {}
Staging::~Staging() {
    if (!m_directory.empty()) {
        (void)m_files->remove_all(m_directory);
    }
}
Staging::Staging(Staging &&other) noexcept
    : m_files(other.m_files), m_directory(std::exchange(other.m_directory, {})), m_lock(std::move(other.m_lock)) {}

Store::Store(FileSystem &files, Clock &clock, std::string directory)
    : m_files(&files), m_clock(&clock), m_directory(std::move(directory)) {}

std::string Store::artifact_directory(const Digest &key) const {
    const std::string hex = key.hex();
    return m_directory + "/artifacts/" + hex.substr(0, 2) + "/" + hex;
}
std::string Store::manifest_path(const Digest &key) const {
    return artifact_directory(key) + "/" + k_manifest_file;
}
std::string Store::closure_log_path() const {
    return m_directory + "/closures/log";
}
std::string Store::toolchain_directory() const {
    return m_directory + "/toolchains";
}

std::string Store::lock_directory() const {
    return m_directory + "/locks";
}

std::string Store::lock_path(const Digest &recipe) const {
    return lock_directory() + "/" + recipe.hex();
}

std::string Store::fresh_name() const {
    static std::atomic<unsigned> s_counter{0};
    return fmt::format("{}/tmp/{}-{}-{}", m_directory, process_id(), m_clock->now_ns(), s_counter.fetch_add(1));
}

Expected<void> Store::require_write(const char *what) const {
    if (m_state.access != StoreAccess::write) {
        return failure(fmt::format("cannot {} in the store {}: {}", what, m_directory, m_state.why));
    }
    return {};
}

std::optional<Manifest> Store::find(const Digest &key, bool deep) const {
    if (m_state.access == StoreAccess::none) {
        return std::nullopt;
    }
    std::optional<CheckedEntry> entry = check_entry(*m_files, artifact_directory(key), key, deep);
    return entry ? std::optional<Manifest>(std::move(entry->manifest)) : std::nullopt;
}

Expected<Staging> Store::stage() {
    SK_CHECK(require_write("build"));
    for (int attempt = 0; attempt < k_name_attempts; ++attempt) {
        const std::string path = fresh_name();
        SK_TRY(const bool created, m_files->create_directory(path));
        if (!created) {
            continue;
        }
        if (!m_has_locks) {
            return Staging(*m_files, path, FileLock());
        }
        auto lock = FileLock::try_acquire_directory(path, LockMode::exclusive);
        if (lock && *lock) {
            return Staging(*m_files, path, std::move(**lock));
        }
        // A cleaner was faster if the directory is gone or locked; else locking does not work.
        SK_TRY(const auto status, m_files->lstat(path));
        if (!lock && status) {
            (void)m_files->remove(path);
            return tl::unexpected<Error>(lock.error());
        }
    }
    return failure("cannot create a directory of a new name in " + m_directory + "/tmp");
}

Expected<Digest> Store::publish(Staging staging, const Manifest &manifest) {
    SK_CHECK(require_write("publish"));
    SK_TRY(const Digest digest, seal_entry(*m_files, staging.directory(), manifest));
    return install(staging, manifest.key, digest);
}

Expected<FileLock> Store::lock_removal() const {
    if (!m_has_locks) {
        return FileLock();
    }
    const std::string path = lock_directory() + "/removal";
    SK_TRY(std::optional<FileLock> lock,
           FileLock::acquire(path, LockMode::exclusive, k_removal_limit, k_removal_limit, [] {}));
    if (!lock) {
        return failure(fmt::format("another process has held {} for {} s", path, k_removal_limit.count()));
    }
    return std::move(*lock);
}

// The name is settled by the first rename that succeeds. Who finds it taken by a bad entry replaces that under the lock
// of removal: without it, of two who both judged the entry bad, the second could take away the first one's good one.
Expected<Digest> Store::install(Staging &staging, const Digest &key, const Digest &manifest_digest) {
    const std::string target = artifact_directory(key);
    const std::string shard = target.substr(0, target.rfind('/'));
    SK_TRY(const bool new_shard, m_files->create_directory(shard));
    if (new_shard) {
        SK_CHECK(m_files->sync(m_directory + "/artifacts"));
    }
    SK_TRY(bool moved, move_in(*m_files, staging.directory(), target));
    for (int attempt = 0; !moved; ++attempt) {
        if (const auto holder = check_entry(*m_files, target, key, true)) {
            mark_used(key);
            return holder->manifest_digest;
        }
        if (attempt == k_replace_attempts) {
            return failure("cannot replace the damaged store entry " + target + ": another process holds it");
        }
        SK_TRY(const FileLock removal, lock_removal());
        if (!check_entry(*m_files, target, key, true)) {
            SK_CHECK(move_away(target));
            SK_TRY(moved, move_in(*m_files, staging.directory(), target));
        }
    }
    staging.forget();
    SK_CHECK(m_files->sync(shard));
    return manifest_digest;
}

// One rename into tmp/, then removal. A directory is locked first, so that nobody takes it for an abandoned one and
// removes it too; false where that lock is taken, or nothing is there. The caller holds the lock of removal.
Expected<bool> Store::move_away(const std::string &path) {
    SK_TRY(const auto status, m_files->lstat(path));
    if (!status) {
        return false;
    }
    const std::string aside = fresh_name();
    std::optional<FileLock> lock;
    if (status->type == FileType::directory) {
        if (m_has_locks) {
            SK_TRY(lock, FileLock::try_acquire_directory(path, LockMode::exclusive));
            if (!lock) {
                return false;
            }
        }
        if ((status->mode & 0300U) != 0300U) {
            // To move a directory to another parent, write permission on it is needed.
            (void)m_files->set_mode(path, status->mode | 0700U);
        }
    }
    SK_CHECK(m_files->rename(path, aside));
    SK_CHECK(m_files->remove_all(aside));
    return true;
}

Expected<bool> Store::remove_entry(const Digest &key, const std::function<bool()> &condemned) {
    SK_CHECK(require_write("remove"));
    SK_TRY(const FileLock removal, lock_removal());
    if (!condemned()) {
        return false;
    }
    return move_away(artifact_directory(key));
}

Expected<std::optional<FileLock>> Store::lock(const Digest &recipe, std::chrono::milliseconds limit,
                                              const std::function<void()> &on_wait) {
    SK_CHECK(require_write("lock"));
    if (!m_has_locks) {
        return FileLock();
    }
    return FileLock::acquire(lock_path(recipe), LockMode::exclusive, limit, k_say_waiting_after, on_wait);
}

void Store::mark_used(const Digest &key) {
    if (m_state.access != StoreAccess::write) {
        return;
    }
    const std::string path = artifact_directory(key);
    const auto status = m_files->lstat(path);
    if (!status || !*status || (*status)->type != FileType::directory) {
        return;
    }
    const std::int64_t now = m_clock->now_ns();
    const std::int64_t used = std::max<std::int64_t>((*status)->mtime_ns, 0);  // the difference must not overflow
    if (used <= now ? now - used < k_use_granularity_ns : used - now < k_use_granularity_ns) {
        return;
    }
    if (!m_files->set_mtime(path, now)) {
        // Only the owner may set times; in a store that a group shares, any change inside the directory does the same.
        if (m_files->create_directory(path + "/.used")) {
            (void)m_files->remove(path + "/.used");
        }
    }
}

int Store::remove_abandoned() {
    return sweep_abandoned(true);
}
int Store::count_abandoned() const {
    return sweep_abandoned(false);
}

int Store::sweep_abandoned(bool remove) const {
    if (m_state.access != StoreAccess::write || !m_has_locks) {
        return 0;
    }
    const auto entries = m_files->list(m_directory + "/tmp");
    if (!entries || !*entries) {
        return 0;
    }
    int abandoned = 0;
    for (const DirectoryEntry &entry : **entries) {
        const std::string path = m_directory + "/tmp/" + entry.name;
        std::optional<FileLock> lock;
        if (entry.type == FileType::directory) {
            // Held until the directory is gone, so that no second cleaner is at it. Nobody builds in anything else:
            // such a thing was in the place of an entry, and its remover died.
            if (auto taken = FileLock::try_acquire_directory(path, LockMode::exclusive); taken) {
                lock = std::move(*taken);
            }
            if (!lock) {
                continue;
            }
        }
        if (!remove || m_files->remove_all(path)) {
            ++abandoned;
        }
    }
    return abandoned;
}

Expected<std::vector<StoreEntry>> Store::entries() const {
    if (m_state.access == StoreAccess::none) {
        return failure(fmt::format("cannot list the store {}: {}", m_directory, m_state.why));
    }
    return list_entries(*m_files, m_directory + "/artifacts");
}

Expected<std::vector<StoreEntry>> Store::entries_of_shard(unsigned shard) const {
    if (m_state.access == StoreAccess::none) {
        return failure(fmt::format("cannot list the store {}: {}", m_directory, m_state.why));
    }
    return list_shard(*m_files, m_directory + "/artifacts", shard);
}

}  // namespace scene_kernels
