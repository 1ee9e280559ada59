// A transposed matrix, made by the cube, and transposed back, by the vector unit.
// Arguments: input (in, r by c), turned (out, c by r), back (out, r by c).
#include "graph.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_transpose_aic = 0;
constexpr std::int32_t k_transpose_aiv = 1;

void build(Graph &graph, const Arguments &arguments) {
    const SceneTensor turned = arguments.tensor(1);
    const Graph::Node first = graph.add(Task(k_transpose_aic, CoreType::aic).in(arguments.tensor(0)).out(turned));
    const Graph::Node second = graph.add(Task(k_transpose_aiv, CoreType::aiv).in(turned).out(arguments.tensor(2)));
    graph.order(first, second);
}

}  // namespace

extern "C" int build_transpose(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<Graph>(ops, runtime, args, build);
}
