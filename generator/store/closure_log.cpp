#include "store/closure_log.h"

#include <algorithm>
#include <utility>

namespace scene_kernels {

namespace {

constexpr const char *k_magic = "skclose1";

struct KnownRecipe {
    std::vector<Closure> closures;  // latest first
    std::uint64_t sequence = 0;     // grows with every addition to the log
};

struct SequencedArtifact {
    KnownArtifact artifact;
    std::uint64_t sequence = 0;
};

// The entries of a map, those added first first.
template <typename Map>
std::vector<const typename Map::value_type *> in_sequence(const Map &map) {
    std::vector<const typename Map::value_type *> entries;
    entries.reserve(map.size());
    for (const auto &entry : map) {
        entries.push_back(&entry);
    }
    std::sort(entries.begin(), entries.end(),
              [](const auto *a, const auto *b) { return a->second.sequence < b->second.sequence; });
    return entries;
}

}  // namespace

struct ClosureLog::State final : LogVisitor {
    State(FileSystem &files, std::string path_, NameTable &names, SearchTable &searches, Locking locking)
        : path(std::move(path_)), log(files, path, k_magic, locking), tables{names, searches, {}, {}} {}

    void restart() override {
        tables.name_numbers.clear();
        tables.search_numbers.clear();
        recipes.clear();
        artifacts.clear();
    }
    void record(std::uint32_t type, std::string_view payload) override {
        decode_record(
            type, payload, tables,
            [this](const Digest &recipe, Closure closure) { remember(recipe, std::move(closure)); },
            [this](const Digest &key, KnownArtifact artifact) {
                artifacts.insert_or_assign(key, SequencedArtifact{std::move(artifact), ++sequence});
            });
    }
    void remember(const Digest &recipe, Closure closure) {
        KnownRecipe &known = recipes[recipe];
        known.sequence = ++sequence;
        std::vector<Closure> &closures = known.closures;
        auto latest = std::find(closures.begin(), closures.end(), closure);
        if (latest == closures.end()) {
            if (closures.size() == k_closures_per_recipe) {
                closures.pop_back();
            }
            closures.push_back(std::move(closure));
            latest = closures.end() - 1;
        }
        std::rotate(closures.begin(), latest, latest + 1);
    }
    [[nodiscard]] bool is_latest(const Digest &recipe, const Closure &closure) const {
        const auto known = recipes.find(recipe);
        return known != recipes.end() && known->second.closures.front() == closure;
    }
    [[nodiscard]] bool knows(const Digest &key, const KnownArtifact &artifact) const {
        const auto known = artifacts.find(key);
        return known != artifacts.end() && known->second.artifact == artifact;
    }
    // Appends what `collect` puts into an encoder, unless `known` says, after catching up, that it is there already.
    [[nodiscard]] Expected<void> append(const std::function<bool()> &known,
                                        const std::function<void(ClosureEncoder &)> &collect);
    [[nodiscard]] std::vector<LogRecord> compacted(const std::function<bool(const Digest &)> &keep) const;

    std::string path;
    RecordLog log;
    LogPosition position;
    LogTables tables;
    std::unordered_map<Digest, KnownRecipe, DigestHash> recipes;
    std::unordered_map<Digest, SequencedArtifact, DigestHash> artifacts;
    std::uint64_t sequence = 0;
};

Expected<void> ClosureLog::State::append(const std::function<bool()> &known,
                                         const std::function<void(ClosureEncoder &)> &collect) {
    if (known()) {
        return {};
    }
    bool full = false;
    SK_CHECK(log.append(position, *this, [&]() -> std::vector<LogRecord> {
        if (known()) {
            return {};
        }
        ClosureEncoder encoder(tables.names, tables.searches, tables.name_numbers, tables.search_numbers);
        collect(encoder);
        full = !encoder.fits();
        return full ? std::vector<LogRecord>() : encoder.take();
    }));
    if (full) {
        return failure("cannot append to " + path + ": it holds as many names as it may; pruning the store helps");
    }
    return {};
}

std::vector<LogRecord> ClosureLog::State::compacted(const std::function<bool(const Digest &)> &keep) const {
    const LogNumbers none;
    ClosureEncoder encoder(tables.names, tables.searches, none, none);
    const auto kept = in_sequence(recipes);
    const std::size_t skipped = kept.size() - std::min(kept.size(), k_recipes_kept);
    for (std::size_t i = skipped; i < kept.size(); ++i) {
        const std::vector<Closure> &closures = kept[i]->second.closures;
        std::for_each(closures.rbegin(), closures.rend(),
                      [&](const Closure &closure) { encoder.closure(kept[i]->first, closure); });
    }
    for (const auto *entry : in_sequence(artifacts)) {
        if (keep(entry->first)) {
            encoder.artifact(entry->first, entry->second.artifact);
        }
    }
    return encoder.take();
}

ClosureLog::ClosureLog(FileSystem &files, std::string path, NameTable &names, SearchTable &searches, Locking locking)
    : m_state(std::make_unique<State>(files, std::move(path), names, searches, locking)) {}
ClosureLog::~ClosureLog() = default;

Expected<void> ClosureLog::load() {
    return m_state->log.read(m_state->position, *m_state);
}

std::span<const Closure> ClosureLog::closures_of(const Digest &recipe) const {
    const auto known = m_state->recipes.find(recipe);
    return known == m_state->recipes.end() ? std::span<const Closure>() : known->second.closures;
}

const KnownArtifact *ClosureLog::artifact(const Digest &key) const {
    const auto known = m_state->artifacts.find(key);
    return known == m_state->artifacts.end() ? nullptr : &known->second.artifact;
}

Expected<void> ClosureLog::add(const Digest &recipe, const Closure &closure) {
    return m_state->append([&] { return m_state->is_latest(recipe, closure); },
                           [&](ClosureEncoder &encoder) { encoder.closure(recipe, closure); });
}

Expected<void> ClosureLog::add_artifact(const Digest &key, const KnownArtifact &artifact) {
    return m_state->append([&] { return m_state->knows(key, artifact); },
                           [&](ClosureEncoder &encoder) { encoder.artifact(key, artifact); });
}

Expected<void> ClosureLog::compact(const std::function<bool(const Digest &)> &keep) {
    return m_state->log.rewrite(m_state->position, *m_state, [&] { return m_state->compacted(keep); });
}

}  // namespace scene_kernels
