// `actions.jsonl` in a graph directory: how the plan tells each `build` process what to do. Written and read by the
// same version of the program only; docs/formats.md describes it.
//
// One JSON text per line. The first line is the header; every other starts with `{"name":"<action>"`, so that a reader
// finds its action without parsing the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "action/action.h"
#include "action/roots.h"
#include "base/error.h"

namespace scene_kernels {

// What all actions of a graph share. Paths are absolute here; in the file, those inside the source root are relative to
// the graph directory, so that a copied checkout builds itself and not the original.
struct ActionFileHeader {
    std::string source_root;
    std::vector<Root> roots;
    std::string store;
    bool allow_foreign_store = false;
    std::string search_path;
};

[[nodiscard]] std::string write_action_file(const ActionFileHeader &header, const std::vector<Action> &actions,
                                            const std::string &graph_directory);
[[nodiscard]] Expected<ActionFileHeader> read_action_header(std::string_view text, const std::string &graph_directory);
// Nothing where no action has that name.
[[nodiscard]] Expected<std::optional<Action>> read_action(std::string_view text, const std::string &name);
// The names of all actions.
[[nodiscard]] std::vector<std::string> action_names(std::string_view text);

// A path as files in a graph directory hold it: relative to `graph_directory` where both are inside `source_root`.
[[nodiscard]] std::string portable_path(const std::string &path, const std::string &source_root,
                                        const std::string &graph_directory);

}  // namespace scene_kernels
