// Files as the generator sees them: one interface, the real one and (in tests) an in-memory one. Knows no formats.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace scene_kernels {

enum class FileType : std::uint8_t { regular, directory, symlink, other };

// What `stat` says of a file. Times are nanoseconds since the epoch, as the file system recorded them.
struct FileStat {
    FileType type = FileType::other;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;        // bytes
    std::uint64_t disk_bytes = 0;  // blocks really allocated, in bytes
    std::int64_t mtime_ns = 0;
    std::int64_t ctime_ns = 0;
    std::uint32_t mode = 0;   // permission bits
    std::uint32_t owner = 0;  // user id

    bool operator==(const FileStat &) const = default;
};

struct DirectoryEntry {
    std::string name;
    FileType type = FileType::other;  // of the entry itself: a symlink is a symlink
};

// Paths are bytes. Absent files are values (nullopt), everything else that goes wrong is an error that names path and
// cause. Implementations may be used from several threads at once.
class FileSystem {
public:
    virtual ~FileSystem() = default;

    // Follows symlinks; nothing where no file is there (also for a dangling link, or a parent that is no directory).
    [[nodiscard]] virtual Expected<std::optional<FileStat>> stat(const std::string &path) = 0;
    // The same for the path itself.
    [[nodiscard]] virtual Expected<std::optional<FileStat>> lstat(const std::string &path) = 0;
    [[nodiscard]] virtual Expected<std::string> read(const std::string &path) = 0;
    // Nothing where `path` is no directory. Order is unspecified; "." and ".." are left out.
    [[nodiscard]] virtual Expected<std::optional<std::vector<DirectoryEntry>>> list(const std::string &path) = 0;
    [[nodiscard]] virtual Expected<std::optional<std::string>> read_link(const std::string &path) = 0;
    // The canonical absolute path; an error where `path` does not exist.
    [[nodiscard]] virtual Expected<std::string> real_path(const std::string &path) = 0;

    // Replaces `path` in one step (temporary beside it, then rename). With `durable` the bytes reach the disk first.
    [[nodiscard]] virtual Expected<void> write(const std::string &path, std::string_view bytes,
                                               bool durable = false) = 0;
    // Appends in one write call (O_APPEND), so that lines of several processes do not mix.
    [[nodiscard]] virtual Expected<void> append(const std::string &path, std::string_view bytes) = 0;
    [[nodiscard]] virtual Expected<void> truncate(const std::string &path, std::uint64_t size) = 0;
    [[nodiscard]] virtual Expected<void> create_directories(const std::string &path) = 0;
    // False where `path` exists already.
    [[nodiscard]] virtual Expected<bool> create_directory(const std::string &path) = 0;
    // Replaces whatever non-directory is at `path`, in one step.
    [[nodiscard]] virtual Expected<void> write_link(const std::string &path, const std::string &target) = 0;
    // rename(2). False where `to` is a directory that is not empty (the only refusal that callers decide upon).
    [[nodiscard]] virtual Expected<bool> rename(const std::string &from, const std::string &to) = 0;
    // A file, link or empty directory; true if something was removed.
    [[nodiscard]] virtual Expected<bool> remove(const std::string &path) = 0;
    // A tree, without following links; also directories without write permission. An absent path is no error.
    [[nodiscard]] virtual Expected<void> remove_all(const std::string &path) = 0;
    // Sets mtime (and atime) of `path`, following links.
    [[nodiscard]] virtual Expected<void> set_mtime(const std::string &path, std::int64_t mtime_ns) = 0;
    [[nodiscard]] virtual Expected<void> set_mode(const std::string &path, std::uint32_t mode) = 0;
    // Flushes a file's bytes, or a directory's entries, to the disk.
    [[nodiscard]] virtual Expected<void> sync(const std::string &path) = 0;
    // Whether this process may execute (files), or create entries in (directories), `path`.
    [[nodiscard]] virtual bool is_executable(const std::string &path) = 0;
    [[nodiscard]] virtual bool is_writable(const std::string &path) = 0;
};

// The real file system. One object serves the whole process.
[[nodiscard]] FileSystem &real_filesystem();

}  // namespace scene_kernels
