// An append-only file of checksummed records, shared by processes. Knows nothing of what the records say.
//
//   file    = magic[8] generation[8] record*
//   record  = u32 size, u32 type, payload[size], check[8]     integers little-endian
//   check   = the first 8 bytes of SHA-256(type, payload)
//
// A record that is cut off or does not match its check ends the file; the next writer cuts it off. The generation is
// drawn anew whenever the file is written anew, so that a position in the old file cannot be taken for one in the new.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "os/filesystem.h"
#include "os/lock.h"

namespace scene_kernels {

struct LogRecord {
    std::uint32_t type = 0;
    std::string payload;
};

// Largest payload that is read or written, in bytes; and the largest file that is read at all.
inline constexpr std::uint32_t k_max_record_bytes = 64U << 20U;
inline constexpr std::uint64_t k_max_log_bytes = 512ULL << 20U;

// How far a reader has read. The default is "nothing yet".
struct LogPosition {
    std::uint64_t generation = 0;
    std::uint64_t offset = 0;
    bool operator==(const LogPosition &) const = default;
};

// What a reader makes of a log: a state that the records build up, in order.
class LogVisitor {
public:
    virtual ~LogVisitor() = default;
    // The state is void: what follows starts with the log's first record. Comes before the first record of every
    // reader, and again whenever the file was written anew or has vanished.
    virtual void restart() = 0;
    // `payload` lives until the call returns.
    virtual void record(std::uint32_t type, std::string_view payload) = 0;
};

// Positions and visitors belong together: each visitor sees every record exactly once. Any number of processes may use
// one file; an object is not thread-safe.
class RecordLog {
public:
    // `magic` has exactly 8 bytes and names format and version. Where `locking` allows to do without, two writers at
    // the same time can lose records.
    RecordLog(FileSystem &files, std::string path, std::string magic, Locking locking = Locking::required);

    // Shows `visitor` the good records after `position`, and moves that. A missing file, or one with another magic, or
    // one that is no regular file or too large, has no records. Takes no lock.
    [[nodiscard]] Expected<void> read(LogPosition &position, LogVisitor &visitor) const;

    // Under an exclusive lock (`<path>.lock`): shows `visitor` what came since, then appends what `make` returns, in
    // one write. The visitor sees those records too. If `make` returns nothing the file is left as it is; otherwise a
    // bad tail is cut off first, and a file with another magic is started anew.
    [[nodiscard]] Expected<void> append(LogPosition &position, LogVisitor &visitor,
                                        const std::function<std::vector<LogRecord>()> &make);

    // The same, but what `make` returns replaces the whole file in one step; the visitor restarts with those records.
    [[nodiscard]] Expected<void> rewrite(LogPosition &position, LogVisitor &visitor,
                                         const std::function<std::vector<LogRecord>()> &make);

private:
    [[nodiscard]] Expected<FileLock> locked() const;
    [[nodiscard]] Expected<std::string> content() const;
    [[nodiscard]] Expected<void> replace(LogPosition &position, LogVisitor &visitor,
                                         const std::vector<LogRecord> &records);

    FileSystem &m_files;
    std::string m_path;
    std::string m_magic;
    Locking m_locking;
};

}  // namespace scene_kernels
