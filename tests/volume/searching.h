// Where the names in include directives are found, by the rules of docs/cache-key.md, in a tree of texts. Shares no
// code with the program under test: it knows only the few forms that render.cpp writes.
#pragma once

#include <string>
#include <vector>

#include "render.h"

namespace scene_kernels::volume {

class Searching {
public:
    // The include directories of one unit, in order. `texts` outlives this.
    Searching(const Texts &texts, std::vector<std::string> folders) : m_texts(texts), m_folders(std::move(folders)) {}

    // What counts of the files that a unit read, apart from their contents: every directive in them, also in branches
    // that are not taken, and the first place where its name is found; of #include_next all places; and for an #include
    // of a macro every name by which one of these files can be reached.
    [[nodiscard]] std::string outcomes(const std::vector<std::string> &files) const;

private:
    [[nodiscard]] std::string first_place(const std::string &name, bool quoted, const std::string &file) const;
    [[nodiscard]] std::string all_places(const std::string &name) const;
    [[nodiscard]] std::vector<std::string> reachable_names(const std::vector<std::string> &files,
                                                           const std::vector<std::string> &computing) const;

    const Texts &m_texts;
    std::vector<std::string> m_folders;
};

// The last component of every name that a text may ask for in any way: more than it does, never less.
[[nodiscard]] std::vector<std::string> header_words(const std::string &text);

}  // namespace scene_kernels::volume
