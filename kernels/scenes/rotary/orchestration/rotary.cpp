// Rotary position embedding of queries and keys: two tasks that do not wait for each other.
// Arguments: q (in), k (in), cosines (in), sines (in), rotated q (out), rotated k (out).
#include "graph.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_rotate_halves = 0;

void build(Graph &graph, const Arguments &arguments) {
    const SceneTensor cosines = arguments.tensor(2);
    const SceneTensor sines = arguments.tensor(3);
    graph.add(
        Task(k_rotate_halves, CoreType::aiv).in(arguments.tensor(0)).in(cosines).in(sines).out(arguments.tensor(4)));
    graph.add(
        Task(k_rotate_halves, CoreType::aiv).in(arguments.tensor(1)).in(cosines).in(sines).out(arguments.tensor(5)));
}

}  // namespace

extern "C" int build_rotary(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<Graph>(ops, runtime, args, build);
}
