// An append-only file of checksummed records, shared by processes. Knows nothing of what the records say.
//
//   file    = magic[8] record*
//   record  = u32 size, u32 type, payload[size], check[8]     integers little-endian
//   check   = the first 8 bytes of SHA-256(type, payload)
//
// A record that is cut off or does not match its check ends the file; the next writer cuts it off.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "os/filesystem.h"

namespace scene_kernels {

struct LogRecord {
    std::uint32_t type = 0;
    std::string payload;
};

// Largest payload that is read or written, in bytes.
inline constexpr std::uint32_t k_max_record_bytes = 64U << 20U;

class RecordLog {
public:
    // `magic` has exactly 8 bytes and names format and version.
    RecordLog(FileSystem &files, std::string path, std::string magic);

    // Calls `visit` for every good record from the byte `start` on (0: from the first record); returns the byte after
    // the last good one. A missing file, or one with another magic, has no records (and returns 0). Takes no lock.
    [[nodiscard]] Expected<std::uint64_t> read(std::uint64_t start,
                                               const std::function<void(std::uint32_t, std::string_view)> &visit) const;

    // Under an exclusive lock (`<path>.lock`): cuts off a bad tail (or starts the file anew if its magic is another),
    // calls `catch_up` with the records that came since `start`, then appends what `make` returns. Returns the new end.
    [[nodiscard]] Expected<std::uint64_t> append(std::uint64_t start,
                                                 const std::function<void(std::uint32_t, std::string_view)> &catch_up,
                                                 const std::function<std::vector<LogRecord>()> &make);

    // Replaces the whole file by `records` in one step, under the same lock.
    [[nodiscard]] Expected<void> rewrite(const std::vector<LogRecord> &records);

private:
    FileSystem &m_files;
    std::string m_path;
    std::string m_magic;
};

}  // namespace scene_kernels
