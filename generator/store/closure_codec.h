// The records of the closure log: how names, search lists, closures and artifacts become bytes and come back. Knows
// nothing of files, nor of which closures are worth keeping. docs/formats.md describes the records.
//
// Names and search lists are numbered by the order in which a log first has them; closures refer to those numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "action/closure.h"
#include "base/bytes.h"
#include "base/sha256.h"
#include "os/record_log.h"
#include "store/manifest.h"

namespace scene_kernels {

// What a store entry holds, as remembered by the log, so that a plan need not parse one manifest per action. Only a
// hint: the files themselves are checked against it.
struct KnownArtifact {
    Digest manifest_digest;  // of the bytes of artifact.json
    std::vector<OutputFile> outputs;
    bool operator==(const KnownArtifact &) const = default;
};

enum class ClosureRecord : std::uint32_t { names = 1, searches = 2, closures = 3, artifacts = 4 };

// The numbers of one log, for names or for search lists.
class LogNumbers {
public:
    static constexpr std::uint32_t k_none = 0xFFFFFFFF;

    void clear();
    // The next number means `id`. An id that had a number keeps its first one for writing.
    void append(std::uint32_t id);
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_ids.size()); }
    // Nothing for a number that the log has not given.
    [[nodiscard]] std::optional<std::uint32_t> id_of(std::uint64_t number) const {
        return number < m_ids.size() ? std::optional<std::uint32_t>(m_ids[static_cast<std::size_t>(number)])
                                     : std::nullopt;
    }
    [[nodiscard]] std::uint32_t number_of(std::uint32_t id) const {
        return id < m_numbers.size() ? m_numbers[id] : k_none;
    }

private:
    std::vector<std::uint32_t> m_ids;      // by number
    std::vector<std::uint32_t> m_numbers;  // by id
};

struct LogTables {
    NameTable &names;
    SearchTable &searches;
    LogNumbers name_numbers;
    LogNumbers search_numbers;
};

// What is read from a log is bounded: more names, lists or groups than any real log has are ignored.
inline constexpr std::uint32_t k_max_log_names = 4U << 20U;
inline constexpr std::uint32_t k_max_log_searches = 8192;
inline constexpr std::size_t k_max_closure_groups = 4096;

using ClosureSink = std::function<void(const Digest &recipe, Closure closure)>;
using ArtifactSink = std::function<void(const Digest &key, KnownArtifact artifact)>;

// Takes one record in: names and lists go into `tables`, the rest to the sinks. What does not parse ends the record;
// closures that refer to unknown numbers are left out.
void decode_record(std::uint32_t type, std::string_view payload, LogTables &tables, const ClosureSink &on_closure,
                   const ArtifactSink &on_artifact);

// Collects closures and artifacts, and makes records of them for a log whose numbers are `known` so far.
class ClosureEncoder {
public:
    ClosureEncoder(const NameTable &names, const SearchTable &searches, const LogNumbers &name_numbers,
                   const LogNumbers &search_numbers);

    void closure(const Digest &recipe, const Closure &closure);
    void artifact(const Digest &key, const KnownArtifact &artifact);
    // Whether what was collected fits under the bounds for reading.
    [[nodiscard]] bool fits() const;
    // New names first, then new lists, then what refers to them.
    [[nodiscard]] std::vector<LogRecord> take();

private:
    // Items of one type, packed into records of a moderate size.
    struct Batch {
        ClosureRecord type;
        ByteWriter writer;
        std::vector<LogRecord> records;
        void end_item(bool flush);
    };
    std::uint32_t name(NameId id);
    std::uint32_t search(SearchId id);
    void write_names(ByteWriter &writer, const std::vector<NameId> &ids);

    const NameTable &m_names;
    const SearchTable &m_searches;
    const LogNumbers &m_name_numbers;
    const LogNumbers &m_search_numbers;
    std::unordered_map<NameId, std::uint32_t> m_new_names;
    std::unordered_map<SearchId, std::uint32_t> m_new_searches;
    bool m_fits = true;
    Batch m_name_batch{ClosureRecord::names, {}, {}};
    Batch m_search_batch{ClosureRecord::searches, {}, {}};
    Batch m_closure_batch{ClosureRecord::closures, {}, {}};
    Batch m_artifact_batch{ClosureRecord::artifacts, {}, {}};
};

}  // namespace scene_kernels
