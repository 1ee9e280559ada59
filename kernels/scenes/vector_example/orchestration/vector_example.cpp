// (a + b + 1) * (a + b + 2) + (a + b), with dependencies that follow from the tensors.
// Arguments: a (in), b (in), result (out): matrices of one shape.
#include "graph.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_add = 0;
constexpr std::int32_t k_add_scalar = 1;
constexpr std::int32_t k_mul = 2;

void build(Graph &graph, const Arguments &arguments) {
    const SceneTensor a = arguments.tensor(0);
    const SceneTensor b = arguments.tensor(1);
    const SceneTensor result = arguments.tensor(2);
    const SceneTensor sum = graph.tensor(DataType::float32, {result.shape[0], result.shape[1]});
    const SceneTensor plus_one = graph.tensor(DataType::float32, {result.shape[0], result.shape[1]});
    const SceneTensor plus_two = graph.tensor(DataType::float32, {result.shape[0], result.shape[1]});
    const SceneTensor product = graph.tensor(DataType::float32, {result.shape[0], result.shape[1]});
    graph.add(Task(k_add, CoreType::aiv).in(a).in(b).out(sum));
    graph.add(Task(k_add_scalar, CoreType::aiv).in(sum).out(plus_one).scalar(1.0F));
    graph.add(Task(k_add_scalar, CoreType::aiv).in(sum).out(plus_two).scalar(2.0F));
    graph.add(Task(k_mul, CoreType::aiv).in(plus_one).in(plus_two).out(product));
    graph.add(Task(k_add, CoreType::aiv).in(product).in(sum).out(result));
    graph.derive_dependencies();
}

}  // namespace

extern "C" int build_vector_example(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<Graph>(ops, runtime, args, build);
}
