// Writes `build.ninja`: the shape of a graph, one edge per action, refs as outputs. Knows nothing of what is built
// already.
#pragma once

#include <string>
#include <vector>

#include "action/graph.h"

namespace scene_kernels {

struct BuildFileOptions {
    std::string program;                // scene-kernels, as seen from the graph directory
    std::vector<std::size_t> selected;  // indices into ActionGraph::callables: what `warm-kernels` builds
};

// The name of the ref of an action, relative to the graph directory.
[[nodiscard]] std::string ref_path_of(const Action &action);

// Deterministic: depends on its arguments alone. See docs/architecture.md for why the edges look as they do.
[[nodiscard]] std::string write_build_file(const ActionGraph &graph, const BuildFileOptions &options);

}  // namespace scene_kernels
