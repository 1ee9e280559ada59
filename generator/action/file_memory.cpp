#include "action/file_memory.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "action/remembered_files.h"

namespace scene_kernels {

namespace {

// A file that changes while it is read is read again, this often in all.
constexpr int k_attempts = 3;
constexpr std::int64_t k_second_ns = 1'000'000'000;

// Whether a later change of a file, that was looked at after `taken_ns`, is bound to show in its times.
//
// The kernel stamps the ctime with every change, and no program can set it: so it decides. The mtime counts as well
// where it lies in the past (some file systems keep a creation time as ctime); one in the future was set by somebody
// and says nothing of when. A time in whole seconds comes from a file system that keeps no fractions (two seconds on
// FAT). A ctime in the future means that clocks disagree: such a file is read by every process.
bool is_settled(const FileStat &stat, std::int64_t taken_ns) {
    const std::int64_t newest = stat.mtime_ns <= taken_ns ? std::max(stat.ctime_ns, stat.mtime_ns) : stat.ctime_ns;
    const std::int64_t coarse = stat.ctime_ns % k_second_ns == 0 ? 2 * k_second_ns : 0;
    return newest <= taken_ns - k_clock_tick_ns - coarse;
}

bool is_file(const std::optional<FileStat> &stat) {
    return stat && stat->type == FileType::regular;
}

// What a stat said, and the time before it was taken.
struct Look {
    std::optional<FileStat> stat;
    std::int64_t taken_ns = 0;
};

// Content, and the look that it belongs to.
struct Reading {
    Look look;
    std::string bytes;
    bool settled = false;
};

struct Entry {
    std::optional<Look> look;
    FileFacts facts;
    bool content_known = false;  // facts.digest and facts.stat are filled in
    bool fresh = false;          // worth remembering, and read by this process
};

}  // namespace

struct FileMemory::State {
    State(FileSystem &files_, Clock &clock_, Counters &counters_) : files(files_), clock(clock_), counters(counters_) {}

    FileSystem &files;
    Clock &clock;
    Counters &counters;
    std::vector<std::unique_ptr<RememberedFiles>> memories;
    std::unordered_map<std::string, Entry> entries;

    RememberedFiles &memory(const std::string &path);
    // What is remembered of the file as `stat` shows it now; nullptr if nothing, or not its scan where that is wanted.
    [[nodiscard]] const RememberedFile *remembered(const std::string &path, const FileStat &stat, bool scanned) const;
    [[nodiscard]] Expected<Look> take_look(const std::string &path);
    // The entry, with its first look taken.
    [[nodiscard]] Expected<Entry *> looked_at(const std::string &path);
    [[nodiscard]] Expected<Reading> read(const std::string &path, Look look);
    [[nodiscard]] Expected<void> learn_content(const std::string &path, Entry &entry, bool scan);
    [[nodiscard]] Expected<void> learn_source(const std::string &path, Entry &entry);
    void scan(Entry &entry, const Reading &reading);
};

RememberedFiles &FileMemory::State::memory(const std::string &path) {
    for (const auto &known : memories) {
        if (known->path() == path) {
            return *known;
        }
    }
    return *memories.emplace_back(std::make_unique<RememberedFiles>(files, path));
}

const RememberedFile *FileMemory::State::remembered(const std::string &path, const FileStat &stat, bool scanned) const {
    for (auto candidate = memories.rbegin(); candidate != memories.rend(); ++candidate) {
        const RememberedFile *file = (*candidate)->find(path);
        if (file != nullptr && file->identity == identity_of(stat) && (file->scanned || !scanned)) {
            return file;
        }
    }
    return nullptr;
}

Expected<Look> FileMemory::State::take_look(const std::string &path) {
    Look look;
    look.taken_ns = clock.now_ns();
    ++counters.stats;
    SK_TRY(look.stat, files.stat(path));
    return look;
}

Expected<Entry *> FileMemory::State::looked_at(const std::string &path) {
    Entry &entry = entries[path];
    if (!entry.look) {
        SK_TRY(entry.look, take_look(path));
    }
    return &entry;
}

// Reads until the file was the same before and after, a bounded number of times; the last reading stands, unsettled.
// The look of the result says that no file is there if the file has vanished.
Expected<Reading> FileMemory::State::read(const std::string &path, Look look) {
    for (int attempt = 1;; ++attempt) {
        if (!is_file(look.stat)) {
            return Reading{look, {}, false};
        }
        Expected<std::string> bytes = files.read(path);
        SK_TRY(Look after, take_look(path));
        const bool same = is_file(after.stat) && identity_of(*after.stat) == identity_of(*look.stat);
        const bool last = attempt == k_attempts;
        if (!bytes && (same || last)) {
            return tl::unexpected<Error>(bytes.error());
        }
        if (bytes && (same || last)) {
            ++counters.hashed_files;
            counters.hashed_bytes += bytes->size();
            const bool settled = same && bytes->size() == look.stat->size && is_settled(*look.stat, look.taken_ns);
            return Reading{look, std::move(*bytes), settled};
        }
        look = after;
    }
}

void FileMemory::State::scan(Entry &entry, const Reading &reading) {
    entry.facts.source = scan_source(reading.bytes);
    entry.facts.scanned = true;
}

Expected<void> FileMemory::State::learn_content(const std::string &path, Entry &entry, bool with_scan) {
    if (const RememberedFile *file = remembered(path, *entry.look->stat, false)) {
        entry.facts.digest = file->digest;
        entry.facts.stat = *entry.look->stat;
        entry.content_known = true;
        return {};
    }
    SK_TRY(const Reading reading, read(path, *entry.look));
    entry.look = reading.look;
    if (!is_file(reading.look.stat)) {
        return {};
    }
    entry.facts.digest = Sha256::of(reading.bytes);
    entry.facts.stat = *reading.look.stat;
    entry.content_known = true;
    entry.fresh = reading.settled;
    if (with_scan) {
        scan(entry, reading);
    }
    return {};
}

// The content is known already; its scan may be remembered, else the file is read for it.
Expected<void> FileMemory::State::learn_source(const std::string &path, Entry &entry) {
    const RememberedFile *file = remembered(path, entry.facts.stat, true);
    if (file != nullptr && file->digest == entry.facts.digest) {
        if (std::optional<SourceFacts> source = decode_source_facts(file->source)) {
            entry.facts.source = std::move(*source);
            entry.facts.scanned = true;
            return {};
        }
    }
    SK_TRY(const Reading reading, read(path, *entry.look));
    if (!is_file(reading.look.stat) || Sha256::of(reading.bytes) != entry.facts.digest) {
        return failure(path + " changed while it was being looked at; run the command again");
    }
    entry.fresh = reading.settled && identity_of(*reading.look.stat) == identity_of(entry.facts.stat);
    scan(entry, reading);
    return {};
}

FileMemory::FileMemory(FileSystem &files, Clock &clock) : m_state(std::make_unique<State>(files, clock, m_counters)) {}
FileMemory::~FileMemory() = default;

void FileMemory::load(const std::string &path) {
    std::vector<std::unique_ptr<RememberedFiles>> &memories = m_state->memories;
    m_state->memory(path).load();
    // The one that was loaded last is asked first.
    const auto loaded =
        std::find_if(memories.begin(), memories.end(), [&path](const auto &memory) { return memory->path() == path; });
    std::rotate(loaded, loaded + 1, memories.end());
}

void FileMemory::save(const std::string &path, const std::function<bool(const std::string &)> &wanted) {
    std::vector<RememberedFile> fresh;
    std::deque<std::string> sources;
    for (const auto &[name, entry] : m_state->entries) {
        if (!entry.fresh || (wanted && !wanted(name))) {
            continue;
        }
        RememberedFile file{name, identity_of(entry.facts.stat), entry.facts.digest, entry.facts.scanned, {}};
        if (entry.facts.scanned) {
            file.source = sources.emplace_back(encode(entry.facts.source));
        }
        fresh.push_back(file);
    }
    m_state->memory(path).save(fresh);
}

Expected<const FileFacts *> FileMemory::look(const std::string &path) {
    SK_TRY(Entry *const entry, m_state->looked_at(path));
    if (!entry->content_known && is_file(entry->look->stat)) {
        SK_CHECK(m_state->learn_content(path, *entry, false));
    }
    return entry->content_known ? &entry->facts : nullptr;
}

Expected<const FileFacts *> FileMemory::source_of(const std::string &path) {
    SK_TRY(Entry *const entry, m_state->looked_at(path));
    if (!entry->content_known && is_file(entry->look->stat)) {
        SK_CHECK(m_state->learn_content(path, *entry, true));
    }
    if (!entry->content_known) {
        return nullptr;
    }
    if (!entry->facts.scanned) {
        SK_CHECK(m_state->learn_source(path, *entry));
    }
    return &entry->facts;
}

Expected<std::optional<FileStat>> FileMemory::stat_of(const std::string &path) {
    SK_TRY(const Entry *const entry, m_state->looked_at(path));
    return entry->look->stat;
}

std::optional<Digest> FileMemory::remembered_digest(const std::string &path) const {
    for (auto memory = m_state->memories.rbegin(); memory != m_state->memories.rend(); ++memory) {
        if (const RememberedFile *file = (*memory)->find(path)) {
            return file->digest;
        }
    }
    return std::nullopt;
}

void FileMemory::forget(const std::string &path) {
    m_state->entries.erase(path);
}

void FileMemory::forget_all() {
    m_state->entries.clear();
}

}  // namespace scene_kernels
