// The key of an artifact: recipe + digests of the parts + the closure as the files are now. One traversal feeds the
// hash and the explanation alike. docs/cache-key.md lists what is in a key and what is not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "action/action.h"
#include "action/closure.h"
#include "action/file_memory.h"
#include "action/include_search.h"
#include "action/roots.h"
#include "base/error.h"
#include "base/sha256.h"

namespace scene_kernels {

// Not thread-safe. Everything it is given outlives it.
class KeyMaker {
public:
    KeyMaker(FileSystem &files, FileMemory &memory, const Roots &roots, NameTable &names, const SearchTable &searches);

    // Nothing if a file of the closure is gone, or one that counts by content cannot be read: then no artifact fits.
    // `parts` are the digests of what the action's dependencies put out, in their order.
    [[nodiscard]] Expected<std::optional<Digest>> key(const Action &action, const std::vector<Digest> &parts,
                                                      const Closure &closure);

    // The same traversal, in full, for people: false where key() gives nothing (the fields up to there are sent).
    [[nodiscard]] Expected<bool> describe(const Action &action, const std::vector<Digest> &parts,
                                          const Closure &closure, FieldSink &sink);

    // Which files of the action and its closure are gone, or are not what an earlier run remembered, as messages:
    // "include/a.h has changed". Only a hint for people.
    [[nodiscard]] Expected<std::vector<std::string>> changes(const Action &action, const Closure &closure);

    // Why an artifact of this closure must not be reused ("kernels/a.cpp:12: .incbin reads ..."); empty if it may.
    // `assembler_told`: the assembler listed what it read.
    [[nodiscard]] Expected<std::string> uncacheable(const Action &action, const Closure &closure, bool assembler_told);

    // A precompiled header (x.h.gch, x.h.pch) that the compiler would take silently in place of a header that this
    // closure looks for, as a message that names it; empty if there is none. Neither depfiles nor contents show it.
    [[nodiscard]] Expected<std::string> precompiled_header(const Closure &closure);

    // Real paths whose change may change a key made so far: files, and directories that were searched.
    [[nodiscard]] IncludeSearch &search() { return m_search; }

    // Looks at everything anew from now on.
    void forget();

private:
    // The digest of one file with the outcome of its directives; nothing where the file is gone.
    [[nodiscard]] Expected<std::optional<Digest>> source_digest(NameId file, SearchId search,
                                                                const std::vector<NameId> &computed);
    [[nodiscard]] Expected<bool> describe_source(NameId file, SearchId search, const std::vector<NameId> &computed,
                                                 FieldSink &sink);
    [[nodiscard]] Expected<bool> describe_file(NameId file, FieldSink &sink);
    void describe_directive(const Directive &directive, NameId directory, SearchId search, FieldSink &sink);
    void describe_name(NameId name, SearchId search, FieldSink &sink);
    [[nodiscard]] const Digest &list_digest(SearchId search);
    [[nodiscard]] NameId directory_of(NameId file);
    [[nodiscard]] const std::string &real_of(NameId file);
    [[nodiscard]] Expected<std::string> hidden_in(const ClosureGroup &group, const Action &action, bool assembler_told);
    // Where a directive of a file in `directory` leads to, as a logical path; empty where to nothing.
    [[nodiscard]] std::string target_of(const Directive &directive, NameId directory, SearchId search);
    [[nodiscard]] Expected<std::string> skipped_twin(const ClosureGroup &group);

    FileMemory &m_memory;
    const Roots &m_roots;
    NameTable &m_names;
    const SearchTable &m_searches;
    IncludeSearch m_search;
    std::unordered_map<std::uint64_t, Digest> m_source_digests;  // (search, file); files without computed includes
    std::unordered_map<std::uint32_t, Digest> m_list_digests;
    std::unordered_map<NameId, NameId> m_directories;
    std::unordered_map<NameId, std::string> m_real;
};

}  // namespace scene_kernels
