// An in-memory FileSystem and a Clock that tests move by hand; both count what is asked of them.
#pragma once

#include <map>
#include <string>

#include "os/clock.h"
#include "os/filesystem.h"

namespace scene_kernels {

class FakeClock final : public Clock {
public:
    // No whole second: such times look as if the file system kept no fractions.
    std::int64_t now = 1'700'000'000'123'456'789;
    std::int64_t now_ns() override { return now; }
    std::int64_t steady_ns() override { return now; }
    // Moves by more than any file's time could be uncertain.
    void tick() { now += 1'000'000'000; }
};

// Absolute paths only. Parents must exist; add() makes them. Every change stamps the file with the clock's time.
class MemoryFileSystem final : public FileSystem {
public:
    explicit MemoryFileSystem(FakeClock &clock);

    // Creates or replaces a file, with its parent directories.
    void add(const std::string &path, std::string_view bytes);
    void add_directory(const std::string &path);
    [[nodiscard]] bool exists(const std::string &path) const { return m_nodes.contains(path); }

    int stats = 0;
    int reads = 0;
    int lists = 0;
    int writes = 0;

    Expected<std::optional<FileStat>> stat(const std::string &path) override;
    Expected<std::optional<FileStat>> lstat(const std::string &path) override;
    Expected<std::string> read(const std::string &path) override;
    Expected<std::optional<std::vector<DirectoryEntry>>> list(const std::string &path) override;
    Expected<std::optional<std::string>> read_link(const std::string &path) override;
    Expected<std::string> real_path(const std::string &path) override;
    Expected<void> write(const std::string &path, std::string_view bytes, bool durable) override;
    Expected<void> append(const std::string &path, std::string_view bytes) override;
    Expected<void> truncate(const std::string &path, std::uint64_t size) override;
    Expected<void> create_directories(const std::string &path) override;
    Expected<bool> create_directory(const std::string &path) override;
    Expected<void> write_link(const std::string &path, const std::string &target) override;
    Expected<bool> rename(const std::string &from, const std::string &to) override;
    Expected<bool> remove(const std::string &path) override;
    Expected<void> remove_all(const std::string &path) override;
    Expected<void> set_mtime(const std::string &path, std::int64_t mtime_ns) override;
    Expected<void> set_mode(const std::string &path, std::uint32_t mode) override;
    Expected<void> sync(const std::string &path) override;
    bool is_executable(const std::string &path) override;
    bool is_writable(const std::string &path) override;

private:
    struct Node {
        FileStat stat;
        std::string content;  // bytes, or a link's target
    };
    // Follows links (at most 40); the path where the node is, or would be.
    [[nodiscard]] std::string resolved(const std::string &path) const;
    Node &make(const std::string &path, FileType type, std::string_view content);
    void touch_parent(const std::string &path);

    FakeClock &m_clock;
    std::map<std::string, Node> m_nodes;
    std::uint64_t m_next_inode = 1;
};

}  // namespace scene_kernels
