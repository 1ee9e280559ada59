// What a command read and where it looked: interned names, search lists, and the closure of one action.
//
// Names are *logical* paths: relative ones start at the source root, `<name>/...` at a named root outside of it (see
// action/roots.h), absolute ones are as they are. So a closure means the same in every checkout.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scene_kernels {

using NameId = std::uint32_t;
using SearchId = std::uint32_t;

// Each distinct text once. Ids are dense and start at 0; texts stay where they are. Not thread-safe.
class NameTable {
public:
    NameId intern(std::string_view text);
    [[nodiscard]] const std::string &text(NameId id) const { return m_texts[id]; }
    [[nodiscard]] std::size_t size() const { return m_texts.size(); }

private:
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, NameId> m_ids;
};

// Directories in the order in which a compiler or linker searches them. They need not exist.
struct SearchList {
    std::vector<NameId> quote;        // only for "name", after the including file's own directory
    std::vector<NameId> directories;  // for "name" and <name>
    std::vector<NameId> elsewhere;    // searched at a place that is not known (reported missing when asked)

    bool operator==(const SearchList &) const = default;
};

class SearchTable {
public:
    SearchId intern(const SearchList &list);
    [[nodiscard]] const SearchList &list(SearchId id) const { return m_lists[id]; }
    [[nodiscard]] std::size_t size() const { return m_lists.size(); }

private:
    std::deque<SearchList> m_lists;
};

// Files that were read under one search list.
struct ClosureGroup {
    SearchId search = 0;
    std::vector<NameId> sources;  // content, and the outcome of every directive in them; sorted by text
    std::vector<NameId> files;    // content alone; sorted by text
    std::vector<NameId> names;    // bare names searched along the list (computed includes, -include, libraries); sorted

    bool operator==(const ClosureGroup &) const = default;
};

struct Closure {
    std::vector<ClosureGroup> groups;
    bool operator==(const Closure &) const = default;
};

}  // namespace scene_kernels
