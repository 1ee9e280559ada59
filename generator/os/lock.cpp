#include "os/lock.h"

#include <cerrno>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scene_kernels {

namespace {

// Opens and locks `path` without waiting; -1 in the value where somebody else holds it, or it was replaced meanwhile.
Expected<int> open_and_lock(const std::string &path, int open_flags, LockMode mode) {
    const int descriptor = ::open(path.c_str(), open_flags | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return failure(with_errno("cannot open the lock " + path, errno));
    }
    const int operation = (mode == LockMode::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
    while (::flock(descriptor, operation) != 0) {
        if (errno == EINTR) {
            continue;
        }
        const int error = errno;
        ::close(descriptor);
        if (error == EWOULDBLOCK) {
            return -1;
        }
        return failure(with_errno("cannot lock " + path, error));
    }
    struct stat locked {};
    struct stat named {};
    if (::fstat(descriptor, &locked) != 0 || ::stat(path.c_str(), &named) != 0 || locked.st_ino != named.st_ino ||
        locked.st_dev != named.st_dev) {
        ::close(descriptor);  // somebody unlinked the file between our open and our lock
        return -1;
    }
    return descriptor;
}

}  // namespace

FileLock::~FileLock() {
    release();
}
FileLock::FileLock(FileLock &&other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
FileLock &FileLock::operator=(FileLock &&other) noexcept {
    if (this != &other) {
        release();
        m_descriptor = std::exchange(other.m_descriptor, -1);
    }
    return *this;
}

void FileLock::set_note(std::string_view text) const {
    if (m_descriptor >= 0 && ::ftruncate(m_descriptor, 0) == 0) {
        static_cast<void>(::pwrite(m_descriptor, text.data(), text.size(), 0));
    }
}

std::string FileLock::note_of(const std::string &path) {
    std::string text(256, '\0');
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t size = descriptor < 0 ? 0 : ::read(descriptor, text.data(), text.size());
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return text;
}

void FileLock::release() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
        m_descriptor = -1;
    }
}

Expected<std::optional<FileLock>> FileLock::try_acquire(const std::string &path, LockMode mode) {
    SK_TRY(const int descriptor, open_and_lock(path, O_RDWR | O_CREAT, mode));
    if (descriptor < 0) {
        return std::nullopt;
    }
    return FileLock(descriptor);
}

Expected<std::optional<FileLock>> FileLock::try_acquire_directory(const std::string &path, LockMode mode) {
    SK_TRY(const int descriptor, open_and_lock(path, O_RDONLY | O_DIRECTORY, mode));
    if (descriptor < 0) {
        return std::nullopt;
    }
    return FileLock(descriptor);
}

Expected<std::optional<FileLock>> FileLock::acquire(const std::string &path, LockMode mode,
                                                    std::chrono::milliseconds limit,
                                                    std::chrono::milliseconds say_after,
                                                    const std::function<void()> &on_wait) {
    using std::chrono::steady_clock;
    const steady_clock::time_point start = steady_clock::now();
    std::chrono::milliseconds pause(1);
    bool said = false;
    for (;;) {
        SK_TRY(std::optional<FileLock> lock, try_acquire(path, mode));
        if (lock) {
            return lock;
        }
        const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - start);
        if (waited >= limit) {
            return std::nullopt;
        }
        if (!said && waited >= say_after) {
            said = true;
            on_wait();
        }
        // flock has no time limit of its own; a short poll keeps the wait bounded and costs nothing beside a compile.
        std::this_thread::sleep_for(std::min(pause, limit - waited));
        pause = std::min(pause * 2, std::chrono::milliseconds(50));
    }
}

}  // namespace scene_kernels
