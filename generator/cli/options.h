// The options that all commands on a set of scenes share, and how they become a Request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "plan/request.h"

namespace scene_kernels {

struct SceneOptions {
    std::string sdk;
    std::string platform;
    std::string source_root;
    std::string build_dir;
    std::string store;
    std::string graph_name = "default";
    std::vector<std::string> set;
    std::string select;
    std::string manual = "exclude";
    std::string launcher;
    bool allow_foreign_store = false;
    std::vector<std::string> scenes;
};

// Adds the options to a command; with `scenes`, the positional SCENE arguments too.
void add_scene_options(CLI::App &command, SceneOptions &options, bool scenes);

// Defaults filled in, paths made absolute. Errors of kind input.
[[nodiscard]] Expected<Request> make_request(FileSystem &files, const SceneOptions &options,
                                             const std::string &data_directory);

// The source root that is meant: `given`, or the git top level, or the current directory. Kind input.
[[nodiscard]] Expected<std::string> choose_source_root(FileSystem &files, const std::string &given);
// The store that is meant: `given`, or $SCENE_KERNELS_STORE, or the source root's build/cache/kernels.
[[nodiscard]] Expected<std::string> choose_store(FileSystem &files, const std::string &source_root,
                                                 const std::string &given);

// "-j": at least 1; kind input otherwise.
[[nodiscard]] Expected<int> parse_jobs(const std::string &text);

}  // namespace scene_kernels
