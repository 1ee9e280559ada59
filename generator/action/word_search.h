#include "action/remembered_files.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace scene_kernels {

namespace {

constexpr const char *k_magic = "skfiles1";

// docs/formats.md, "The memory of digests".
enum class RecordType : std::uint32_t { files = 1, alive = 2 };

// Many files share a record, because each record costs a digest to check; and no record is so large that losing it
// hurts.
constexpr std::size_t k_record_bytes = 256 * 1024;
// So that a small file is not written anew over and over.
constexpr std::uint64_t k_rewrite_slack = 256;

void write_entry(ByteWriter &writer, const RememberedFile &file) {
    writer.text(file.path);
    writer.varint(file.identity.device);
    writer.varint(file.identity.inode);
    writer.varint(file.identity.size);
    writer.u64(static_cast<std::uint64_t>(file.identity.mtime_ns));
    writer.u64(static_cast<std::uint64_t>(file.identity.ctime_ns));
    writer.digest(file.digest);
    writer.u8(file.scanned ? 1 : 0);
    writer.text(file.source);
}

RememberedFile read_entry(ByteReader &reader) {
    RememberedFile file;
    file.path = reader.text();
    file.identity.device = reader.varint();
    file.identity.inode = reader.varint();
    file.identity.size = reader.varint();
    file.identity.mtime_ns = static_cast<std::int64_t>(reader.u64());
    file.identity.ctime_ns = static_cast<std::int64_t>(reader.u64());
    file.digest = reader.digest();
    file.scanned = reader.u8() != 0;
    file.source = reader.text();
    return file;
}

// The records of a list of files; with `anew` as those that a file starts with.
std::vector<LogRecord> packed(const std::vector<const RememberedFile *> &list, bool anew) {
    std::vector<LogRecord> records;
    ByteWriter writer;
    if (anew) {
        writer.varint(list.size());
        records.push_back({static_cast<std::uint32_t>(RecordType::alive), writer.take()});
    }
    for (const RememberedFile *file : list) {
        write_entry(writer, *file);
        if (writer.bytes().size() >= k_record_bytes || file == list.back()) {
            records.push_back({static_cast<std::uint32_t>(RecordType::files), writer.take()});
        }
    }
    return records;
}

}  // namespace

FileIdentity identity_of(const FileStat &stat) {
    return {stat.device, stat.inode, stat.size, stat.mtime_ns, stat.ctime_ns};
}

RememberedFiles::RememberedFiles(FileSystem &files, std::string path)
    : m_files(files), m_path(std::move(path)), m_log(files, m_path, k_magic) {}

void RememberedFiles::load() {
    (void)m_log.read(m_position, *this);
}

const RememberedFile *RememberedFiles::find(std::string_view path) const {
    const auto found = m_known.find(path);
    return found == m_known.end() ? nullptr : &found->second;
}

bool RememberedFiles::knows(const RememberedFile &file) const {
    const RememberedFile *known = find(file.path);
    return known != nullptr && known->identity == file.identity && known->digest == file.digest &&
           (known->scanned || !file.scanned);
}

void RememberedFiles::save(const std::vector<RememberedFile> &fresh) {
    if (std::all_of(fresh.begin(), fresh.end(), [this](const RememberedFile &file) { return knows(file); })) {
        return;
    }
    const auto make = [this, &fresh]() -> std::vector<LogRecord> {
        std::vector<const RememberedFile *> list;
        for (const RememberedFile &file : fresh) {
            if (!knows(file)) {
                list.push_back(&file);
            }
        }
        return list.empty() ? std::vector<LogRecord>() : packed(list, m_stored == 0);
    };
    if (m_log.append(m_position, *this, make) && m_stored > 2 * m_alive_at_first + k_rewrite_slack) {
        rewrite();
    }
}

void RememberedFiles::rewrite() {
    (void)m_log.rewrite(m_position, *this, [this] {
        std::vector<const RememberedFile *> list;
        for (const auto &[path, file] : m_known) {
            const auto status = m_files.stat(std::string(path));
            if (status && *status && identity_of(**status) == file.identity) {
                list.push_back(&file);
            }
        }
        return packed(list, true);
    });
}

void RememberedFiles::restart() {
    m_known.clear();
    m_payloads.clear();
    m_stored = 0;
    m_alive_at_first = 0;
}

void RememberedFiles::record(std::uint32_t type, std::string_view payload) {
    if (type == static_cast<std::uint32_t>(RecordType::alive)) {
        m_alive_at_first = ByteReader(payload).varint();
        return;
    }
    if (type != static_cast<std::uint32_t>(RecordType::files)) {
        return;
    }
    ByteReader reader(m_payloads.emplace_back(payload));
    while (reader.remaining() > 0) {
        const RememberedFile file = read_entry(reader);
        if (!reader.ok()) {
            return;
        }
        ++m_stored;
        const auto [known, added] = m_known.try_emplace(file.path, file);
        if (!added) {
            known->second = file;  // the key stays a view of the older record, which lives as long as this one
        }
    }
}

}  // namespace scene_kernels
