// The directories that paths are named from, and the two ways to write a path: *logical* (the same in every checkout;
// what keys and closures hold) and *command* (what a command that runs in the source root is given). Purely lexical.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace scene_kernels {

// A directory outside of the source root with a name: the SDK's, or a variable's value.
struct Root {
    std::string name;  // [A-Za-z0-9_-]+
    std::string path;  // absolute and normal
};

class Roots {
public:
    // Roots inside the source root need no name: they are dropped. `source_root` is absolute, normal and free of
    // symlinks.
    Roots(std::string source_root, std::vector<Root> others);

    [[nodiscard]] const std::string &source_root() const { return m_source_root; }

    // `path` is absolute, or relative to the source root (as a depfile has it). Relative logical paths start at the
    // source root, `<name>/...` at a named root, absolute ones are outside of all. ".." is kept: it may cross a
    // symlink.
    [[nodiscard]] std::string logical(std::string_view path) const;
    // The inverse: an absolute path.
    [[nodiscard]] std::string real(std::string_view logical) const;
    // The inverse as commands see it: relative to the source root, or absolute.
    [[nodiscard]] std::string command(std::string_view logical) const;

    // -ffile-prefix-map options that make __FILE__ and debug info logical; outermost root first, because GCC and Clang
    // let the last match win.
    [[nodiscard]] std::vector<std::string> prefix_map_options() const;
    // The same options as they enter a recipe, without any real path.
    [[nodiscard]] std::vector<std::string> logical_prefix_map_options() const;

private:
    std::string m_source_root;
    std::vector<Root> m_roots;  // longest path first
};

}  // namespace scene_kernels
