// A FileSystem that hands everything on to another one, for tests that step in at single calls or count them.
#pragma once

#include <string>
#include <vector>

#include "os/filesystem.h"

namespace scene_kernels {

class ForwardingFileSystem : public FileSystem {
public:
    explicit ForwardingFileSystem(FileSystem &target) : m_target(target) {}

    Expected<std::optional<FileStat>> stat(const std::string &path) override { return target(path).stat(path); }
    Expected<std::optional<FileStat>> lstat(const std::string &path) override { return target(path).lstat(path); }
    Expected<std::string> read(const std::string &path) override { return target(path).read(path); }
    Expected<std::optional<std::vector<DirectoryEntry>>> list(const std::string &path) override {
        return target(path).list(path);
    }
    Expected<std::optional<std::string>> read_link(const std::string &path) override {
        return target(path).read_link(path);
    }
    Expected<std::string> real_path(const std::string &path) override { return target(path).real_path(path); }
    Expected<void> write(const std::string &path, std::string_view bytes, bool durable) override {
        return target(path).write(path, bytes, durable);
    }
    Expected<void> append(const std::string &path, std::string_view bytes) override {
        return target(path).append(path, bytes);
    }
    Expected<void> truncate(const std::string &path, std::uint64_t size) override {
        return target(path).truncate(path, size);
    }
    Expected<void> create_directories(const std::string &path) override {
        return target(path).create_directories(path);
    }
    Expected<bool> create_directory(const std::string &path) override { return target(path).create_directory(path); }
    Expected<void> write_link(const std::string &path, const std::string &link_target) override {
        return target(path).write_link(path, link_target);
    }
    Expected<bool> rename(const std::string &from, const std::string &to) override {
        return target(from).rename(from, to);
    }
    Expected<bool> remove(const std::string &path) override { return target(path).remove(path); }
    Expected<void> remove_all(const std::string &path) override { return target(path).remove_all(path); }
    Expected<void> set_mtime(const std::string &path, std::int64_t mtime_ns) override {
        return target(path).set_mtime(path, mtime_ns);
    }
    Expected<void> set_mode(const std::string &path, std::uint32_t mode) override {
        return target(path).set_mode(path, mode);
    }
    Expected<void> sync(const std::string &path) override { return target(path).sync(path); }
    bool is_executable(const std::string &path) override { return target(path).is_executable(path); }
    bool is_writable(const std::string &path) override { return target(path).is_writable(path); }

protected:
    // Which file system a path belongs to.
    virtual FileSystem &target(const std::string & /*path*/) { return m_target; }

private:
    FileSystem &m_target;
};

}  // namespace scene_kernels
