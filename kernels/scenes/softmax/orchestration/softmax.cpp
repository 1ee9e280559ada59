// Softmax of each row, with its edges written down.
// Arguments: input (in), output (out): matrices of one shape.
#include "graph.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_row_max = 0;
constexpr std::int32_t k_exp_sub = 1;
constexpr std::int32_t k_row_sum = 2;
constexpr std::int32_t k_divide_rows = 3;

void build(Graph &graph, const Arguments &arguments) {
    const SceneTensor input = arguments.tensor(0);
    const SceneTensor output = arguments.tensor(1);
    const SceneTensor maxima = graph.tensor(DataType::float32, {input.shape[0], 1});
    const SceneTensor powers = graph.tensor(DataType::float32, {input.shape[0], input.shape[1]});
    const SceneTensor sums = graph.tensor(DataType::float32, {input.shape[0], 1});
    const Graph::Node largest = graph.add(Task(k_row_max, CoreType::aiv).in(input).out(maxima));
    const Graph::Node raised = graph.add(Task(k_exp_sub, CoreType::aiv).in(input).in(maxima).out(powers), {largest});
    const Graph::Node summed = graph.add(Task(k_row_sum, CoreType::aiv).in(powers).out(sums), {raised});
    graph.add(Task(k_divide_rows, CoreType::aiv).in(powers).in(sums).out(output), {raised, summed});
}

}  // namespace

extern "C" int build_softmax(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<Graph>(ops, runtime, args, build);
}
