// A memory file: digests and scan results of files, as one process left them for the next. Knows how they are stored
// and when one still holds, not how files are looked at (action/file_memory.h).
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/sha256.h"
#include "os/filesystem.h"
#include "os/record_log.h"

namespace scene_kernels {

// What must not have changed for a remembered content to hold. Every write to a file sets its ctime, which, unlike the
// mtime, no program can set back.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    std::int64_t ctime_ns = 0;
    bool operator==(const FileIdentity &) const = default;
};
[[nodiscard]] FileIdentity identity_of(const FileStat &stat);

struct RememberedFile {
    std::string_view path;
    FileIdentity identity;
    Digest digest;
    bool scanned = false;
    std::string_view source;  // encoded SourceFacts, where scanned
};

// Not thread-safe; any number of processes may use one file. Nothing here is an error: what cannot be read or written
// is not remembered.
class RememberedFiles final : private LogVisitor {
public:
    RememberedFiles(FileSystem &files, std::string path);

    [[nodiscard]] const std::string &path() const { return m_path; }
    void load();
    // What is remembered of a path, whether it still holds or not. Valid until the next load() or save().
    [[nodiscard]] const RememberedFile *find(std::string_view path) const;
    // Appends those that are not remembered alike yet. When the file has grown to more than twice of what was alive
    // when it was last written anew, it is written anew without what no longer holds.
    void save(const std::vector<RememberedFile> &fresh);

private:
    void restart() override;
    void record(std::uint32_t type, std::string_view payload) override;
    [[nodiscard]] bool knows(const RememberedFile &file) const;
    void rewrite();

    FileSystem &m_files;
    std::string m_path;
    RecordLog m_log;
    LogPosition m_position;
    std::deque<std::string> m_payloads;  // what the views in m_known point into
    std::unordered_map<std::string_view, RememberedFile> m_known;
    std::uint64_t m_stored = 0;          // entries in the file, outdated ones counted
    std::uint64_t m_alive_at_first = 0;  // entries when it was last written anew
};

}  // namespace scene_kernels
