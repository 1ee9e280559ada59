// The content-addressed directory of artifacts: finding, staging, publishing, locks, cleaning. Knows no recipes and no
// compilers. Layout (docs/formats.md):
//
//   CACHEDIR.TAG  VERSION
//   closures/log              known closures (store/closure_log.h)
//   toolchains/<digest>.json  what toolchains said of themselves (action/toolchain.h)
//   artifacts/ab/<key>/       artifact.json + outputs; appears by one rename, complete
//   locks/<recipe>            flock while somebody builds that recipe
//   locks/removal             flock while somebody takes an entry away
//   tmp/<unique>/             flocked by its writer; a free one is abandoned
//   upkeep                    how far the daily pruning has come, and what it found (store/upkeep.h)
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/sha256.h"
#include "os/clock.h"
#include "os/filesystem.h"
#include "os/lock.h"
#include "store/entry.h"
#include "store/manifest.h"

namespace scene_kernels {

inline constexpr int k_store_version = 1;

// A directory that one writer fills before it is published. Removed when destroyed, unless it was published.
class Staging {
public:
    Staging(FileSystem &files, std::string directory, FileLock lock);
    ~Staging();
    Staging(Staging &&other) noexcept;
    Staging &operator=(Staging &&) = delete;

    [[nodiscard]] const std::string &directory() const { return m_directory; }
    void forget() { m_directory.clear(); }  // it was renamed away

private:
    FileSystem *m_files;
    std::string m_directory;
    FileLock m_lock;
};

// Whether a store can be used, and how. Finding needs `read`; everything else needs `write`.
enum class StoreAccess : std::uint8_t { none, read, write };

struct StoreState {
    StoreAccess access = StoreAccess::none;
    std::string why;  // for people, where access is not `write`: what is wrong with which path
};

// Not thread-safe; any number of processes may use one directory.
class Store {
public:
    // Creates the directory where it is missing; any number of processes may do so at once. Never fails: a store that
    // cannot be used has access `none` and says why: wrong version, not a store of ours (a non-empty directory without
    // VERSION), another user's (unless `allow_foreign`). One that is good but cannot be written (read-only, no flock)
    // has access `read`. A disk that fills up later shows as errors of stage() and publish().
    // With `Locking::if_possible` a file system without locks does not matter: then two builders may do the same work,
    // and what died is not cleaned away.
    [[nodiscard]] static Store open(FileSystem &files, Clock &clock, const std::string &directory, bool allow_foreign,
                                    Locking locking = Locking::required);

    [[nodiscard]] const StoreState &state() const { return m_state; }
    [[nodiscard]] const std::string &directory() const { return m_directory; }
    [[nodiscard]] std::string artifact_directory(const Digest &key) const;  // .../artifacts/ab/<key>
    [[nodiscard]] std::string manifest_path(const Digest &key) const;
    [[nodiscard]] std::string closure_log_path() const;
    [[nodiscard]] std::string toolchain_directory() const;
    [[nodiscard]] std::string lock_directory() const;

    // The manifest of an entry; nothing where there is none, or where it is not what its name says. The sizes of the
    // outputs are checked; with `deep` their digests too.
    [[nodiscard]] std::optional<Manifest> find(const Digest &key, bool deep) const;

    // A fresh locked directory under tmp/.
    //
    // Between its creation and its lock a cleaner may take the directory for an abandoned one. That is harmless: the
    // writer puts nothing into it before it holds the lock, and if the cleaner was first, locking fails (FileLock
    // compares inodes) and the writer takes another name. Once locked, no cleaner touches it.
    [[nodiscard]] Expected<Staging> stage();

    // Moves a staging directory to the name of its key: checks the outputs that `manifest` names against their sizes
    // and digests, makes them read-only (0444, executables 0555), removes whatever else is in the directory, writes
    // artifact.json, flushes everything to the disk, renames. If a good entry has that name, ours is dropped; a bad one
    // is moved away first. Returns the digest of the artifact.json that the entry has now. Outputs may differ from ours
    // if the holder's build was not reproducible: find() says what they are.
    [[nodiscard]] Expected<Digest> publish(Staging staging, const Manifest &manifest);

    // Takes an entry away if `condemned`, asked while nobody else can take entries away, still says so: one rename into
    // tmp/, so that no reader sees half an entry, and removal there. False where there is no entry, where it was not
    // condemned, or where its writer has not let go of it yet.
    [[nodiscard]] Expected<bool> remove_entry(const Digest &key, const std::function<bool()> &condemned);

    // The lock file by which builders of `recipe` exclude each other.
    [[nodiscard]] std::string lock_path(const Digest &recipe) const;
    // Excludes other builders of `recipe`. Nothing after `limit`. `on_wait` is called once after a few seconds.
    [[nodiscard]] Expected<std::optional<FileLock>> lock(const Digest &recipe, std::chrono::milliseconds limit,
                                                         const std::function<void()> &on_wait);

    // Notes that an entry was used (the mtime of its directory), at most once a day. Failure is ignored.
    void mark_used(const Digest &key);

    // Removes staging directories that no living process holds. Returns how many.
    int remove_abandoned();
    // How many remove_abandoned() would remove now.
    [[nodiscard]] int count_abandoned() const;

    // Every entry, whole or not, sorted by key. For what is in one, see find().
    [[nodiscard]] Expected<std::vector<StoreEntry>> entries() const;

    // Those of one shard (store/entry.h).
    [[nodiscard]] Expected<std::vector<StoreEntry>> entries_of_shard(unsigned shard) const;

private:
    Store(FileSystem &files, Clock &clock, std::string directory);
    [[nodiscard]] std::string fresh_name() const;
    [[nodiscard]] Expected<void> require_write(const char *what) const;
    [[nodiscard]] Expected<FileLock> lock_removal() const;
    int sweep_abandoned(bool remove) const;
    [[nodiscard]] Expected<bool> move_away(const std::string &path);
    [[nodiscard]] Expected<Digest> install(Staging &staging, const Digest &key, const Digest &manifest_digest);

    FileSystem *m_files;
    Clock *m_clock;
    std::string m_directory;
    StoreState m_state;
    bool m_has_locks = true;
};

}  // namespace scene_kernels
