// gelu(input + bias).
// Arguments: input (in), bias (in, a vector), output (out).
#include "graph.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_bias_add = 0;
constexpr std::int32_t k_gelu = 1;

void build(Graph &graph, const Arguments &arguments) {
    const SceneTensor input = arguments.tensor(0);
    const SceneTensor biased = graph.tensor(DataType::float32, {input.shape[0], input.shape[1]});
    const Graph::Node added = graph.add(Task(k_bias_add, CoreType::aiv).in(input).in(arguments.tensor(1)).out(biased));
    graph.add(Task(k_gelu, CoreType::aiv).in(biased).out(arguments.tensor(2)), {added});
}

}  // namespace

extern "C" int build_gelu(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<Graph>(ops, runtime, args, build);
}
