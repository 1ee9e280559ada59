// Rounds two matrices to bfloat16 and multiplies them.
// Arguments: left (in, m by k), right (in, k by n), product (out, m by n).
#include "task_ring.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_to_bfloat16 = 0;
constexpr std::int32_t k_matmul_bfloat16 = 1;

void build(TaskRing &ring, const Arguments &arguments) {
    const SceneTensor left = arguments.tensor(0);
    const SceneTensor right = arguments.tensor(1);
    const SceneTensor rounded_left = ring.tensor(DataType::bfloat16, {left.shape[0], left.shape[1]});
    const SceneTensor rounded_right = ring.tensor(DataType::bfloat16, {right.shape[0], right.shape[1]});
    ring.submit(Task(k_to_bfloat16, CoreType::aiv).in(left).out(rounded_left));
    ring.submit(Task(k_to_bfloat16, CoreType::aiv).in(right).out(rounded_right));
    ring.submit(Task(k_matmul_bfloat16, CoreType::aic).in(rounded_left).in(rounded_right).out(arguments.tensor(2)));
}

}  // namespace

extern "C" int build_mixed_precision(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<TaskRing>(ops, runtime, args, build);
}
