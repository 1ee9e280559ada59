// Digests and scan results of files, each looked at once per process and remembered between processes.
//
// A remembered digest is trusted only while device, inode, size, mtime and ctime are all the same, and is not
// remembered at all if the file changed within a clock tick (k_clock_tick_ns) of being read, because a second change in
// that tick would not show. "Changed" means ctime, which the kernel stamps and no program can set, and mtime where it
// lies in the past: an mtime in the future does not make every run read the file again. Times in whole seconds are
// taken for those of a file system without fractions. Knows nothing of closures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "action/source_scan.h"
#include "base/error.h"
#include "base/sha256.h"
#include "os/clock.h"
#include "os/filesystem.h"

namespace scene_kernels {

struct FileFacts {
    Digest digest;
    FileStat stat;       // as it was before the content was read
    SourceFacts source;  // empty unless asked for with source_of()
    bool scanned = false;
};

// Not thread-safe. Pointers that it gives stay valid until forget() of that path, forget_all(), or the end of the
// object.
class FileMemory {
public:
    FileMemory(FileSystem &files, Clock &clock);
    ~FileMemory();

    // Reads a memory file; a missing, foreign or damaged one is an empty memory (a torn tail is ignored). May be called
    // for several files; later ones win.
    void load(const std::string &path);
    // Appends what is new since load() under a lock beside the file; rewrites it when it holds more than twice what was
    // alive at the last rewrite.
    // Failure is not an error for anybody: the memory is a convenience.
    // With `wanted`, only paths for which it says true.
    void save(const std::string &path, const std::function<bool(const std::string &)> &wanted = {});
    // The file's facts as of its first look in this process; nullptr where there is no regular file. Follows symlinks.
    [[nodiscard]] Expected<const FileFacts *> look(const std::string &path);
    // The same with `source` filled in. An error if the file is not any more what look() said it was.
    [[nodiscard]] Expected<const FileFacts *> source_of(const std::string &path);
    // What the stat of the first look said, without reading the content; nothing where nothing is there.
    [[nodiscard]] Expected<std::optional<FileStat>> stat_of(const std::string &path);

    // What an earlier process found in the file, whether it still holds or not; nothing where none told.
    [[nodiscard]] std::optional<Digest> remembered_digest(const std::string &path) const;

    // The next look goes to the file system again.
    void forget(const std::string &path);
    void forget_all();

    struct Counters {
        std::uint64_t stats = 0;
        std::uint64_t hashed_files = 0;
        std::uint64_t hashed_bytes = 0;
    };
    [[nodiscard]] const Counters &counters() const { return m_counters; }

private:
    struct State;
    std::unique_ptr<State> m_state;
    Counters m_counters;
};

}  // namespace scene_kernels
