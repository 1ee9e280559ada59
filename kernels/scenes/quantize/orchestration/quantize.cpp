// A symmetric 8-bit code with one step per row, and what can be restored from it.
// Arguments: input (in), codes (out, int8), steps (out, one column), restored (out).
#include "task_ring.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_row_scale = 0;
constexpr std::int32_t k_to_int8 = 1;
constexpr std::int32_t k_from_int8 = 2;

void build(TaskRing &ring, const Arguments &arguments) {
    const SceneTensor input = arguments.tensor(0);
    const SceneTensor codes = arguments.tensor(1);
    const SceneTensor steps = arguments.tensor(2);
    ring.submit(Task(k_row_scale, CoreType::aiv).in(input).out(steps));
    ring.submit(Task(k_to_int8, CoreType::aiv).in(input).in(steps).out(codes));
    ring.submit(Task(k_from_int8, CoreType::aiv).in(codes).in(steps).out(arguments.tensor(3)));
}

}  // namespace

extern "C" int build_quantize(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<TaskRing>(ops, runtime, args, build);
}
