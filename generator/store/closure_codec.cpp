#include "store/closure_codec.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scene_kernels {

namespace {

constexpr std::size_t k_record_bytes = 256 * 1024;
constexpr std::size_t k_digest_bytes = 32;

// Neighbours in a list of names mostly have neighbouring numbers, up or down: so differences, with the sign lowest.
std::uint64_t zigzag(std::uint32_t from, std::uint32_t to) {
    const std::int64_t difference = static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from);
    return difference < 0 ? static_cast<std::uint64_t>(-difference) * 2 - 1
                          : static_cast<std::uint64_t>(difference) * 2;
}
std::uint64_t from_zigzag(std::uint64_t from, std::uint64_t value) {
    return (value & 1U) != 0 ? from - (value / 2 + 1) : from + value / 2;
}

// A list of names; `good` becomes false where a number is not known.
std::vector<NameId> read_names(ByteReader &reader, const LogNumbers &numbers, bool &good) {
    std::vector<NameId> ids;
    const std::size_t count = reader.count();
    ids.reserve(count);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
        number = from_zigzag(number, reader.varint());
        const std::optional<NameId> id = numbers.id_of(number);
        if (!id) {
            good = false;
            number = 0;
            continue;
        }
        ids.push_back(*id);
    }
    return ids;
}

void decode_names(ByteReader &reader, LogTables &tables) {
    while (reader.remaining() > 0) {
        const std::string_view text = reader.text();
        if (!reader.ok() || tables.name_numbers.size() >= k_max_log_names) {
            return;
        }
        tables.name_numbers.append(tables.names.intern(text));
    }
}

void decode_searches(ByteReader &reader, LogTables &tables) {
    while (reader.remaining() > 0) {
        SearchList list;
        bool good = true;
        list.quote = read_names(reader, tables.name_numbers, good);
        list.directories = read_names(reader, tables.name_numbers, good);
        list.elsewhere = read_names(reader, tables.name_numbers, good);
        // A list that is not understood would shift the numbers of those after it: it ends the record for everybody.
        if (!reader.ok() || !good || tables.search_numbers.size() >= k_max_log_searches) {
            return;
        }
        tables.search_numbers.append(tables.searches.intern(list));
    }
}

void decode_closures(ByteReader &reader, const LogTables &tables, const ClosureSink &on_closure) {
    while (reader.remaining() > 0) {
        const Digest recipe = reader.digest();
        Closure closure;
        bool good = true;
        const std::size_t groups = reader.count(4);
        if (groups > k_max_closure_groups) {
            return;
        }
        closure.groups.reserve(groups);
        for (std::size_t i = 0; i < groups; ++i) {
            ClosureGroup &group = closure.groups.emplace_back();
            const std::optional<SearchId> search = tables.search_numbers.id_of(reader.varint());
            good = good && search;
            group.search = search.value_or(0);
            group.sources = read_names(reader, tables.name_numbers, good);
            group.files = read_names(reader, tables.name_numbers, good);
            group.names = read_names(reader, tables.name_numbers, good);
        }
        if (!reader.ok()) {
            return;
        }
        if (good) {
            on_closure(recipe, std::move(closure));
        }
    }
}

bool is_plain(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == name.npos && name.find('\0') == name.npos;
}

void decode_artifacts(ByteReader &reader, const ArtifactSink &on_artifact) {
    while (reader.remaining() > 0) {
        const Digest key = reader.digest();
        KnownArtifact artifact;
        artifact.manifest_digest = reader.digest();
        bool good = true;
        const std::size_t count = reader.count(2 + k_digest_bytes);
        artifact.outputs.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            OutputFile &output = artifact.outputs.emplace_back();
            output.name = reader.text();
            output.size = reader.varint();
            output.digest = reader.digest();
            good = good && is_plain(output.name);
        }
        if (!reader.ok()) {
            return;
        }
        if (good) {
            on_artifact(key, std::move(artifact));
        }
    }
}

}  // namespace

void LogNumbers::clear() {
    m_ids.clear();
    m_numbers.clear();
}

void LogNumbers::append(std::uint32_t id) {
    if (id >= m_numbers.size()) {
        m_numbers.resize(std::size_t{id} + 1, k_none);
    }
    if (m_numbers[id] == k_none) {
        m_numbers[id] = size();
    }
    m_ids.push_back(id);
}

void decode_record(std::uint32_t type, std::string_view payload, LogTables &tables, const ClosureSink &on_closure,
                   const ArtifactSink &on_artifact) {
    ByteReader reader(payload);
    switch (static_cast<ClosureRecord>(type)) {
        case ClosureRecord::names:
            decode_names(reader, tables);
            break;
        case ClosureRecord::searches:
            decode_searches(reader, tables);
            break;
        case ClosureRecord::closures:
            decode_closures(reader, tables, on_closure);
            break;
        case ClosureRecord::artifacts:
            decode_artifacts(reader, on_artifact);
            break;
    }
}

ClosureEncoder::ClosureEncoder(const NameTable &names, const SearchTable &searches, const LogNumbers &name_numbers,
                               const LogNumbers &search_numbers)
    : m_names(names), m_searches(searches), m_name_numbers(name_numbers), m_search_numbers(search_numbers) {}

void ClosureEncoder::Batch::end_item(bool flush) {
    if (writer.bytes().size() >= k_record_bytes || (flush && !writer.bytes().empty())) {
        records.push_back({static_cast<std::uint32_t>(type), writer.take()});
    }
}

std::uint32_t ClosureEncoder::name(NameId id) {
    const std::uint32_t known = m_name_numbers.number_of(id);
    if (known != LogNumbers::k_none) {
        return known;
    }
    const auto number = static_cast<std::uint32_t>(m_name_numbers.size() + m_new_names.size());
    const auto [entry, added] = m_new_names.try_emplace(id, number);
    if (added) {
        m_name_batch.writer.text(m_names.text(id));
        m_name_batch.end_item(false);
    }
    return entry->second;
}

std::uint32_t ClosureEncoder::search(SearchId id) {
    const std::uint32_t known = m_search_numbers.number_of(id);
    if (known != LogNumbers::k_none) {
        return known;
    }
    const auto number = static_cast<std::uint32_t>(m_search_numbers.size() + m_new_searches.size());
    const auto [entry, added] = m_new_searches.try_emplace(id, number);
    if (added) {
        const SearchList &list = m_searches.list(id);
        write_names(m_search_batch.writer, list.quote);
        write_names(m_search_batch.writer, list.directories);
        write_names(m_search_batch.writer, list.elsewhere);
        m_search_batch.end_item(false);
    }
    return entry->second;
}

void ClosureEncoder::write_names(ByteWriter &writer, const std::vector<NameId> &ids) {
    writer.varint(ids.size());
    std::uint32_t previous = 0;
    for (const NameId id : ids) {
        const std::uint32_t number = name(id);
        writer.varint(zigzag(previous, number));
        previous = number;
    }
}

void ClosureEncoder::closure(const Digest &recipe, const Closure &closure) {
    m_fits = m_fits && closure.groups.size() <= k_max_closure_groups;
    ByteWriter &writer = m_closure_batch.writer;
    writer.digest(recipe);
    writer.varint(closure.groups.size());
    for (const ClosureGroup &group : closure.groups) {
        writer.varint(search(group.search));
        write_names(writer, group.sources);
        write_names(writer, group.files);
        write_names(writer, group.names);
    }
    m_closure_batch.end_item(false);
}

void ClosureEncoder::artifact(const Digest &key, const KnownArtifact &artifact) {
    ByteWriter &writer = m_artifact_batch.writer;
    writer.digest(key);
    writer.digest(artifact.manifest_digest);
    writer.varint(artifact.outputs.size());
    for (const OutputFile &output : artifact.outputs) {
        writer.text(output.name);
        writer.varint(output.size);
        writer.digest(output.digest);
    }
    m_artifact_batch.end_item(false);
}

bool ClosureEncoder::fits() const {
    return m_fits && m_name_numbers.size() + m_new_names.size() <= k_max_log_names &&
           m_search_numbers.size() + m_new_searches.size() <= k_max_log_searches;
}

std::vector<LogRecord> ClosureEncoder::take() {
    std::vector<LogRecord> records;
    for (Batch *batch : {&m_name_batch, &m_search_batch, &m_closure_batch, &m_artifact_batch}) {
        batch->end_item(true);
        std::move(batch->records.begin(), batch->records.end(), std::back_inserter(records));
        batch->records.clear();
    }
    return records;
}

}  // namespace scene_kernels
