// The texts of a tree: every file by path from the root, as it is to lie on the disk.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tree.h"

namespace scene_kernels::volume {

using Texts = std::map<std::string, std::string>;

inline constexpr const char *k_sdk_file = "sdk/volume.sdk.json";
inline constexpr const char *k_packer_folder = "sdk/pack";
inline constexpr const char *k_runtime_variant = "host_build_graph";

// Files that are the same in all trees: the headers of the packer, and the compiler without its last byte.
struct Fixtures {
    Texts packer_headers;  // by name in k_packer_folder
    std::string compiler;
};
[[nodiscard]] Fixtures read_fixtures();

[[nodiscard]] Texts render(const Tree &tree, const Fixtures &fixtures);

// Where the compiler at a place lies.
[[nodiscard]] std::string compiler_path(int place);
// "build_a0" for scene 0; "configure0", or empty where the scene has none.
[[nodiscard]] std::string function_name(const Tree &tree, int scene);
[[nodiscard]] std::string config_name(const Tree &tree, int scene);
// Directions of a kernel's or an orchestration's arguments.
[[nodiscard]] std::vector<std::string> signature(const Tree &tree, int scene);

}  // namespace scene_kernels::volume
