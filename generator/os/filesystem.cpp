#include "os/filesystem.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scene_kernels {

namespace {

class Descriptor {
public:
    explicit Descriptor(int value) : m_value(value) {}
    ~Descriptor() {
        if (m_value >= 0) {
            ::close(m_value);
        }
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    [[nodiscard]] int get() const { return m_value; }

private:
    int m_value;
};

tl::unexpected<Error> system_error(const char *verb, const std::string &path, int errno_value) {
    return failure(with_errno(std::string("cannot ") + verb + " " + path, errno_value));
}

bool means_absent(int errno_value) {
    return errno_value == ENOENT || errno_value == ENOTDIR;
}

FileType type_of_mode(mode_t mode) {
    if (S_ISREG(mode)) {
        return FileType::regular;
    }
    if (S_ISDIR(mode)) {
        return FileType::directory;
    }
    return S_ISLNK(mode) ? FileType::symlink : FileType::other;
}

FileType type_of_entry(unsigned char type) {
    switch (type) {
        case DT_REG:
            return FileType::regular;
        case DT_DIR:
            return FileType::directory;
        case DT_LNK:
            return FileType::symlink;
        default:
            return FileType::other;
    }
}

constexpr std::int64_t k_second_ns = 1'000'000'000;

std::int64_t nanoseconds(const timespec &time) {
    return static_cast<std::int64_t>(time.tv_sec) * k_second_ns + time.tv_nsec;
}

FileStat convert(const struct stat &raw) {
    FileStat stat;
    stat.type = type_of_mode(raw.st_mode);
    stat.device = raw.st_dev;
    stat.inode = raw.st_ino;
    stat.size = static_cast<std::uint64_t>(raw.st_size);
    stat.disk_bytes = static_cast<std::uint64_t>(raw.st_blocks) * 512;
    stat.mtime_ns = nanoseconds(raw.st_mtim);
    stat.ctime_ns = nanoseconds(raw.st_ctim);
    stat.mode = raw.st_mode & 07777U;
    stat.owner = raw.st_uid;
    return stat;
}

Expected<void> write_fully(int descriptor, const std::string &path, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            return system_error("write", path, errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

// A name beside `path` that no other process or thread uses.
std::string temporary_beside(const std::string &path) {
    static std::atomic<unsigned> s_counter{0};
    return path + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(s_counter.fetch_add(1));
}

class RealFileSystem final : public FileSystem {
public:
    Expected<std::optional<FileStat>> stat(const std::string &path) override { return stat_with(path, 0); }
    Expected<std::optional<FileStat>> lstat(const std::string &path) override {
        return stat_with(path, AT_SYMLINK_NOFOLLOW);
    }

    Expected<std::string> read(const std::string &path) override {
        const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat raw {};
        if (file.get() < 0 || ::fstat(file.get(), &raw) != 0) {
            return system_error("read", path, errno);
        }
        std::string bytes;
        // One byte more than expected, so that the usual file is read with a single call that also sees its end.
        std::size_t chunk = raw.st_size > 0 ? static_cast<std::size_t>(raw.st_size) + 1 : 65536;
        for (;;) {
            const std::size_t start = bytes.size();
            bytes.resize(start + chunk);
            const ssize_t count = ::read(file.get(), bytes.data() + start, chunk);
            bytes.resize(start + static_cast<std::size_t>(count > 0 ? count : 0));
            if (count < 0 && errno != EINTR) {
                return system_error("read", path, errno);
            }
            if (count == 0 || (count > 0 && bytes.size() == static_cast<std::size_t>(raw.st_size))) {
                return bytes;
            }
            chunk = 65536;
        }
    }

    Expected<std::optional<std::vector<DirectoryEntry>>> list(const std::string &path) override {
        const std::unique_ptr<DIR, int (*)(DIR *)> directory(::opendir(path.c_str()), ::closedir);
        if (directory == nullptr) {
            if (means_absent(errno)) {
                return std::nullopt;
            }
            return system_error("list", path, errno);
        }
        std::vector<DirectoryEntry> entries;
        for (;;) {
            errno = 0;
            const dirent *entry = ::readdir(directory.get());
            if (entry == nullptr) {
                if (errno != 0) {
                    return system_error("list", path, errno);
                }
                return entries;
            }
            const std::string_view name = entry->d_name;
            if (name == "." || name == "..") {
                continue;
            }
            FileType type = type_of_entry(entry->d_type);
            if (entry->d_type == DT_UNKNOWN) {
                SK_TRY(const auto status, lstat(path + "/" + std::string(name)));
                type = status ? status->type : FileType::other;
            }
            entries.push_back({std::string(name), type});
        }
    }

    Expected<std::optional<std::string>> read_link(const std::string &path) override {
        std::string target(PATH_MAX, '\0');
        const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
        if (size < 0) {
            if (means_absent(errno) || errno == EINVAL) {
                return std::nullopt;
            }
            return system_error("read the link", path, errno);
        }
        target.resize(static_cast<std::size_t>(size));
        return target;
    }

    Expected<std::string> real_path(const std::string &path) override {
        const std::unique_ptr<char, void (*)(void *)> resolved(::realpath(path.c_str(), nullptr), std::free);
        if (resolved == nullptr) {
            return system_error("resolve", path, errno);
        }
        return std::string(resolved.get());
    }

    Expected<void> write(const std::string &path, std::string_view bytes, bool durable) override {
        const std::string temporary = temporary_beside(path);
        Expected<void> result = write_new(temporary, bytes, durable);
        if (result && ::rename(temporary.c_str(), path.c_str()) != 0) {
            result = system_error("replace", path, errno);
        }
        if (!result) {
            ::unlink(temporary.c_str());
        }
        return result;
    }

    Expected<void> append(const std::string &path, std::string_view bytes) override {
        const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
        if (file.get() < 0) {
            return system_error("append to", path, errno);
        }
        return write_fully(file.get(), path, bytes);
    }

    Expected<void> truncate(const std::string &path, std::uint64_t size) override {
        if (::truncate(path.c_str(), static_cast<off_t>(size)) != 0) {
            return system_error("truncate", path, errno);
        }
        return {};
    }

    Expected<void> create_directories(const std::string &path) override {
        SK_TRY(const bool created, try_create(path));
        if (created) {
            return {};
        }
        SK_TRY(const auto present, stat(path));
        if (present) {
            if (present->type == FileType::directory) {
                return {};
            }
            return failure("cannot create directory " + path + ": a file of that name is in the way");
        }
        const std::size_t slash = path.rfind('/');
        if (slash != std::string::npos && slash > 0) {
            SK_CHECK(create_directories(path.substr(0, slash)));
        }
        SK_CHECK(create_directory(path));
        return {};
    }

    Expected<bool> create_directory(const std::string &path) override {
        if (::mkdir(path.c_str(), 0777) == 0) {
            return true;
        }
        if (errno == EEXIST) {
            return false;
        }
        return system_error("create directory", path, errno);
    }

    Expected<void> write_link(const std::string &path, const std::string &target) override {
        const std::string temporary = temporary_beside(path);
        if (::symlink(target.c_str(), temporary.c_str()) != 0) {
            return system_error("create the link", path, errno);
        }
        if (::rename(temporary.c_str(), path.c_str()) != 0) {
            const int error = errno;
            ::unlink(temporary.c_str());
            return system_error("replace the link", path, error);
        }
        return {};
    }

    Expected<bool> rename(const std::string &from, const std::string &to) override {
        if (::rename(from.c_str(), to.c_str()) == 0) {
            return true;
        }
        if (errno == ENOTEMPTY || errno == EEXIST) {
            return false;
        }
        return system_error(("rename " + from + " to").c_str(), to, errno);
    }

    Expected<bool> remove(const std::string &path) override {
        if (::unlink(path.c_str()) == 0) {
            return true;
        }
        if (means_absent(errno)) {
            return false;
        }
        if ((errno == EISDIR || errno == EPERM) && ::rmdir(path.c_str()) == 0) {
            return true;
        }
        return system_error("remove", path, errno);
    }

    Expected<void> remove_all(const std::string &path) override {
        SK_TRY(const auto status, lstat(path));
        if (!status) {
            return {};
        }
        if (status->type == FileType::directory) {
            if ((status->mode & 0700U) != 0700U) {
                ::chmod(path.c_str(), 0700);
            }
            SK_TRY(const auto entries, list(path));
            if (entries) {
                for (const DirectoryEntry &entry : *entries) {
                    SK_CHECK(remove_all(path + "/" + entry.name));
                }
            }
        }
        SK_CHECK(remove(path));
        return {};
    }

    Expected<void> set_mtime(const std::string &path, std::int64_t mtime_ns) override {
        timespec time{};
        time.tv_sec = static_cast<time_t>(mtime_ns / k_second_ns);
        time.tv_nsec = static_cast<long>(mtime_ns % k_second_ns);
        if (time.tv_nsec < 0) {
            time.tv_sec -= 1;
            time.tv_nsec += k_second_ns;
        }
        const timespec times[2] = {time, time};
        if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) {
            return system_error("set the time of", path, errno);
        }
        return {};
    }

    Expected<void> set_mode(const std::string &path, std::uint32_t mode) override {
        if (::chmod(path.c_str(), mode) != 0) {
            return system_error("set the permissions of", path, errno);
        }
        return {};
    }

    Expected<void> sync(const std::string &path) override {
        const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (file.get() < 0 || ::fsync(file.get()) != 0) {
            return system_error("sync", path, errno);
        }
        return {};
    }

    bool is_executable(const std::string &path) override { return ::access(path.c_str(), X_OK) == 0; }
    bool is_writable(const std::string &path) override { return ::access(path.c_str(), W_OK | X_OK) == 0; }

private:
    static Expected<std::optional<FileStat>> stat_with(const std::string &path, int flags) {
        struct stat raw {};
        if (::fstatat(AT_FDCWD, path.c_str(), &raw, flags) != 0) {
            if (means_absent(errno) || errno == ELOOP) {
                return std::nullopt;
            }
            return system_error("look at", path, errno);
        }
        return convert(raw);
    }

    static Expected<bool> try_create(const std::string &path) {
        if (::mkdir(path.c_str(), 0777) == 0) {
            return true;
        }
        if (errno == EEXIST || errno == ENOENT) {
            return false;
        }
        // Some file systems answer for a parent that is read-only before they say that the directory exists.
        struct stat raw {};
        const int error = errno;
        if (::stat(path.c_str(), &raw) == 0) {
            return false;
        }
        return system_error("create directory", path, error);
    }

    static Expected<void> write_new(const std::string &path, std::string_view bytes, bool durable) {
        const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (file.get() < 0) {
            return system_error("create", path, errno);
        }
        SK_CHECK(write_fully(file.get(), path, bytes));
        if (durable && ::fsync(file.get()) != 0) {
            return system_error("sync", path, errno);
        }
        return {};
    }
};

}  // namespace

FileSystem &real_filesystem() {
    static RealFileSystem s_filesystem;
    return s_filesystem;
}

}  // namespace scene_kernels
