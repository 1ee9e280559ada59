// Advisory file locks (flock): released by the kernel when the holder dies, so there is no stale lock to judge.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"

namespace scene_kernels {

enum class LockMode { shared, exclusive };
// What to do on a file system that has no locks: fail, or go on without them where only waste can come of it.
enum class Locking { required, if_possible };

// Holds a lock until destroyed. Movable. The lock file stays; whoever prunes it may unlink it while holding the lock,
// and acquiring notices that (the inode is compared) and tries again on the new file.
class FileLock {
public:
    FileLock() = default;
    ~FileLock();
    FileLock(FileLock &&other) noexcept;
    FileLock &operator=(FileLock &&other) noexcept;

    // Nothing if somebody else holds it. Creates the file. An error where locking does not work here at all.
    [[nodiscard]] static Expected<std::optional<FileLock>> try_acquire(const std::string &path, LockMode mode);
    // Waits up to `limit`; nothing after that. `on_wait` is called once, when waiting has lasted `say_after`.
    [[nodiscard]] static Expected<std::optional<FileLock>> acquire(const std::string &path, LockMode mode,
                                                                   std::chrono::milliseconds limit,
                                                                   std::chrono::milliseconds say_after,
                                                                   const std::function<void()> &on_wait);
    // Locks a directory itself (used by writers of temporary directories). Never creates it.
    [[nodiscard]] static Expected<std::optional<FileLock>> try_acquire_directory(const std::string &path,
                                                                                 LockMode mode);

    // Replaces what the lock file holds: a word for those who wait. Failure is ignored. Not for directories.
    void set_note(std::string_view text) const;
    // What the holder of a lock wrote into it; empty where there is nothing.
    [[nodiscard]] static std::string note_of(const std::string &path);

    [[nodiscard]] bool held() const { return m_descriptor >= 0; }
    void release();

private:
    explicit FileLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor = -1;
};

}  // namespace scene_kernels
