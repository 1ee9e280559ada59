#include "os/record_log.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/sha256.h"
#include "os/clock.h"
#include "os/environment.h"
#include "os/lock.h"

namespace scene_kernels {

namespace {

constexpr std::size_t k_magic_bytes = 8;
constexpr std::size_t k_header_bytes = k_magic_bytes + 8;
// The lock is held for milliseconds; a holder that is stopped (SIGSTOP, a hanging disk) must not stop everybody else.
constexpr std::chrono::seconds k_lock_limit(10);

using Check = std::array<char, 8>;

Check check_of(std::uint32_t type, std::string_view payload) {
    ByteWriter type_bytes;
    type_bytes.u32(type);
    Sha256 hash;
    hash.update(type_bytes.bytes());
    hash.update(payload);
    const Digest digest = hash.finish();
    Check check;
    std::memcpy(check.data(), digest.bytes.data(), check.size());
    return check;
}

std::string_view view(const Check &check) {
    return {check.data(), check.size()};
}

Expected<std::string> encoded(const std::vector<LogRecord> &records) {
    ByteWriter writer;
    for (const LogRecord &record : records) {
        if (record.payload.size() > k_max_record_bytes) {
            return failure("a record of " + std::to_string(record.payload.size()) + " bytes is too large for a log");
        }
        writer.u32(static_cast<std::uint32_t>(record.payload.size()));
        writer.u32(record.type);
        writer.raw(record.payload);
        writer.raw(view(check_of(record.type, record.payload)));
    }
    return writer.take();
}

// The generation of a file of this magic; 0 for anything else.
std::uint64_t generation_of(std::string_view bytes, std::string_view magic) {
    if (!bytes.starts_with(magic)) {
        return 0;
    }
    return ByteReader(bytes.substr(magic.size())).u64();
}

std::uint64_t new_generation(std::string_view path) {
    static std::atomic<std::uint64_t> s_counter{0};
    ByteWriter writer;
    writer.text(path);
    writer.u64(static_cast<std::uint64_t>(process_id()));
    writer.u64(static_cast<std::uint64_t>(real_clock().now_ns()));
    writer.u64(static_cast<std::uint64_t>(real_clock().steady_ns()));
    writer.u64(s_counter.fetch_add(1));
    ByteWriter digest;
    digest.digest(Sha256::of(writer.bytes()));
    return std::max<std::uint64_t>(ByteReader(digest.bytes()).u64(), 1);
}

// Returns the byte after the last good record that starts at `start` or later.
std::uint64_t visit_records(std::string_view bytes, std::uint64_t start, LogVisitor &visitor) {
    std::uint64_t end = start;
    for (;;) {
        ByteReader reader(bytes.substr(static_cast<std::size_t>(end)));
        const std::uint32_t size = reader.u32();
        const std::uint32_t type = reader.u32();
        if (!reader.ok() || size > k_max_record_bytes) {
            return end;
        }
        const std::string_view payload = reader.raw(size);
        const std::string_view check = reader.raw(std::tuple_size_v<Check>);
        if (!reader.ok() || check != view(check_of(type, payload))) {
            return end;
        }
        visitor.record(type, payload);
        end = bytes.size() - reader.remaining();
    }
}

// Brings `position` and `visitor` up to date with a file of these bytes.
void catch_up(std::string_view bytes, std::string_view magic, LogPosition &position, LogVisitor &visitor) {
    const std::uint64_t generation = generation_of(bytes, magic);
    const bool same = generation != 0 && generation == position.generation && position.offset >= k_header_bytes &&
                      position.offset <= bytes.size();
    if (!same) {
        visitor.restart();
        position = {generation, generation != 0 ? k_header_bytes : 0};
    }
    if (generation != 0) {
        position.offset = visit_records(bytes, position.offset, visitor);
    }
}

}  // namespace

RecordLog::RecordLog(FileSystem &files, std::string path, std::string magic, Locking locking)
    : m_files(files), m_path(std::move(path)), m_magic(std::move(magic)), m_locking(locking) {
    m_magic.resize(k_magic_bytes, ' ');
}

Expected<FileLock> RecordLog::locked() const {
    const std::string lock_path = m_path + ".lock";
    auto lock = FileLock::acquire(lock_path, LockMode::exclusive, k_lock_limit, k_lock_limit, [] {});
    if (!lock) {
        return m_locking == Locking::if_possible ? Expected<FileLock>(FileLock())
                                                 : tl::unexpected<Error>(std::move(lock).error());
    }
    if (!*lock) {
        return failure("cannot write " + m_path + ": another process has held " + lock_path + " for " +
                       std::to_string(k_lock_limit.count()) + " s");
    }
    return std::move(**lock);
}

Expected<std::string> RecordLog::content() const {
    SK_TRY(const auto status, m_files.stat(m_path));
    if (!status || status->type != FileType::regular || status->size > k_max_log_bytes) {
        return std::string();
    }
    Expected<std::string> bytes = m_files.read(m_path);
    if (!bytes) {
        // It may have vanished since: that is an absent file, not an error.
        SK_TRY(const auto now, m_files.stat(m_path));
        if (!now) {
            return std::string();
        }
    }
    return bytes;
}

Expected<void> RecordLog::read(LogPosition &position, LogVisitor &visitor) const {
    SK_TRY(const std::string bytes, content());
    catch_up(bytes, m_magic, position, visitor);
    return {};
}

Expected<void> RecordLog::append(LogPosition &position, LogVisitor &visitor,
                                 const std::function<std::vector<LogRecord>()> &make) {
    SK_TRY(const FileLock lock, locked());
    SK_TRY(const std::string bytes, content());
    catch_up(bytes, m_magic, position, visitor);
    const std::vector<LogRecord> records = make();
    if (records.empty()) {
        return {};
    }
    if (position.generation == 0) {
        return replace(position, visitor, records);
    }
    SK_TRY(const std::string addition, encoded(records));
    if (position.offset + addition.size() > k_max_log_bytes) {
        return failure("cannot append to " + m_path + ": it would be larger than a log may be");
    }
    if (position.offset < bytes.size()) {
        SK_CHECK(m_files.truncate(m_path, position.offset));
    }
    // After a failure (a full disk) the records that did get written stay, for others may have read them already; this
    // reader meets them when it catches up.
    SK_CHECK(m_files.append(m_path, addition));
    for (const LogRecord &record : records) {
        visitor.record(record.type, record.payload);
    }
    position.offset += addition.size();
    return {};
}

Expected<void> RecordLog::rewrite(LogPosition &position, LogVisitor &visitor,
                                  const std::function<std::vector<LogRecord>()> &make) {
    SK_TRY(const FileLock lock, locked());
    SK_TRY(const std::string bytes, content());
    catch_up(bytes, m_magic, position, visitor);
    return replace(position, visitor, make());
}

Expected<void> RecordLog::replace(LogPosition &position, LogVisitor &visitor, const std::vector<LogRecord> &records) {
    SK_TRY(const std::string body, encoded(records));
    const std::uint64_t generation = new_generation(m_path);
    ByteWriter writer;
    writer.raw(m_magic);
    writer.u64(generation);
    writer.raw(body);
    SK_CHECK(m_files.write(m_path, writer.bytes()));
    visitor.restart();
    for (const LogRecord &record : records) {
        visitor.record(record.type, record.payload);
    }
    position = {generation, writer.bytes().size()};
    return {};
}

}  // namespace scene_kernels
