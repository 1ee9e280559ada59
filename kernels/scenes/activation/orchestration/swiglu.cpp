// silu(gate) * value.
// Arguments: gate (in), value (in), output (out): matrices of one shape.
#include "graph.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_silu = 0;
constexpr std::int32_t k_mul = 1;

void build(Graph &graph, const Arguments &arguments) {
    const SceneTensor gate = arguments.tensor(0);
    const SceneTensor opened = graph.tensor(DataType::float32, {gate.shape[0], gate.shape[1]});
    graph.add(Task(k_silu, CoreType::aiv).in(gate).out(opened));
    graph.add(Task(k_mul, CoreType::aiv).in(opened).in(arguments.tensor(1)).out(arguments.tensor(2)));
    graph.derive_dependencies();
}

}  // namespace

extern "C" int build_swiglu(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<Graph>(ops, runtime, args, build);
}
