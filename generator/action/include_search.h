// Where a name would be found along a search list, as the files are now: what a compiler's probes would answer.
//
// Directories are listed once per process and names looked up in the listings, so a kernel with 9,000 probed paths
// costs a few dozen directory reads in all. Knows nothing of keys.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "action/closure.h"
#include "action/roots.h"
#include "base/error.h"
#include "os/filesystem.h"

namespace scene_kernels {

// Not thread-safe. `roots`, `names` and `searches` outlive it.
class IncludeSearch {
public:
    IncludeSearch(FileSystem &files, const Roots &roots, NameTable &names, const SearchTable &searches);

    // Position of the first directory in which a name was found; k_nowhere if in none.
    static constexpr std::uint32_t k_nowhere = 0xffffffff;

    struct Outcome {
        std::uint32_t found = k_nowhere;       // index into the list's directories
        std::vector<std::uint32_t> elsewhere;  // indices into `elsewhere` where it exists, too
        bool precompiled = false;              // NAME.gch or NAME.pch lies where it would be taken
    };

    // <name> along the list.
    [[nodiscard]] const Outcome &bracketed(NameId name, SearchId search);

    struct QuotedOutcome {
        bool beside = false;                   // in the including file's own directory
        std::uint32_t quote = k_nowhere;       // index into the list's quote directories
        std::vector<std::uint32_t> elsewhere;  // of a name in a quote directory: as in Outcome
        const Outcome *bracketed = nullptr;    // set if neither
        bool precompiled = false;
    };
    // "name" from a file in `directory` (a logical path).
    [[nodiscard]] QuotedOutcome quoted(NameId name, NameId directory, SearchId search);

    // Every directory of the list in which the name exists: what #include_next may depend on.
    struct Everywhere {
        std::vector<std::uint32_t> quote;
        std::vector<std::uint32_t> directories;
        std::vector<std::uint32_t> elsewhere;
    };
    [[nodiscard]] const Everywhere &everywhere(NameId name, SearchId search);

    // Whether a file (or a link to one) is there. `directory` is logical; `name` may hold slashes.
    [[nodiscard]] bool exists(NameId directory, const std::string &name);

    // Real paths of the existing directories whose entries decided an answer so far: if one gets or loses an entry,
    // answers may change. For a directory that does not exist, the deepest existing one above it.
    [[nodiscard]] std::vector<std::string> watched();

    // Forgets all listings and answers.
    void clear();

    [[nodiscard]] std::uint64_t listings() const { return m_listings; }

private:
    struct Directory {
        bool present = false;
        std::unordered_map<std::string, FileType> entries;
    };

    const Directory &directory_at(const std::string &real);
    bool exists_at(const std::string &real_directory, const std::string &name);
    bool precompiled_at(const std::string &real_directory, const std::string &name);
    const std::string &real_of(NameId directory);
    // The positions of those directories in which the name exists.
    std::vector<std::uint32_t> places(const std::vector<NameId> &directories, const std::string &name);

    FileSystem &m_files;
    const Roots &m_roots;
    NameTable &m_names;
    const SearchTable &m_searches;
    std::unordered_map<std::string, Directory> m_directories;
    std::unordered_map<NameId, std::string> m_real;
    std::unordered_map<std::uint64_t, Outcome> m_bracketed;
    std::unordered_map<std::uint64_t, Everywhere> m_everywhere;
    std::unordered_map<std::uint64_t, std::uint8_t> m_exists;
    std::uint64_t m_listings = 0;
};

}  // namespace scene_kernels
