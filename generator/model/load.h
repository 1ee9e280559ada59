// Reads descriptors and SDK descriptions from JSON with comments, and checks all that can be checked without compiling.
// The only place, with selection, that sees JSON from users; hands on plain values.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "model/scene.h"
#include "model/sdk.h"
#include "os/filesystem.h"

namespace scene_kernels {

// Largest descriptor or SDK description that is read, in bytes.
inline constexpr std::uint64_t k_max_description_bytes = 16U << 20U;

// `path` is absolute and normal. Errors are of kind input, one line per problem, all problems of one file at once (the
// first twenty are shown): "FILE:LINE:COLUMN: at /json/pointer: cause; remedy".
[[nodiscard]] Expected<Sdk> load_sdk(FileSystem &files, const std::string &path);
[[nodiscard]] Expected<Sdk> parse_sdk(const std::string &path, std::string_view text);

// Sources must exist; limits, platform and runtime names are those of `sdk`.
[[nodiscard]] Expected<Scene> load_scene(FileSystem &files, const std::string &path, const Sdk &sdk);

struct SceneSet {
    std::vector<Scene> scenes;             // sorted by name
    std::vector<std::string> directories;  // every folder that was searched, for the plan's list of inputs
};

// Each argument is the absolute path of a descriptor, or of a folder that is searched for `*.scene.json`. Hidden files
// and folders are passed over, and so are folders named `build`, folders that hold a CACHEDIR.TAG, and symlinked
// folders, unless they are the argument itself. One message per broken descriptor, all at once. Two scenes of one name,
// a folder without descriptors, an argument that does not exist: errors.
[[nodiscard]] Expected<SceneSet> load_scenes(FileSystem &files, const std::vector<std::string> &arguments,
                                             const Sdk &sdk);

}  // namespace scene_kernels
