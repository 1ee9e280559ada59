// Root mean square normalization of each row, then a weight per column.
// Arguments: input (in), weights (in, a vector), output (out), epsilon (float).
#include "task_ring.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_square_mean = 0;
constexpr std::int32_t k_inverse_root = 1;
constexpr std::int32_t k_scale_rows_columns = 2;

void build(TaskRing &ring, const Arguments &arguments) {
    const SceneTensor input = arguments.tensor(0);
    const SceneTensor means = ring.tensor(DataType::float32, {input.shape[0], 1});
    const SceneTensor factors = ring.tensor(DataType::float32, {input.shape[0], 1});
    const float epsilon = arguments.scalar<float>(3);
    ring.submit(Task(k_square_mean, CoreType::aiv).in(input).out(means));
    ring.submit(Task(k_inverse_root, CoreType::aiv).in(means).out(factors).scalar(epsilon));
    ring.submit(Task(k_scale_rows_columns, CoreType::aiv)
                    .in(input)
                    .in(factors)
                    .in(arguments.tensor(1))
                    .out(arguments.tensor(2)));
}

}  // namespace

extern "C" int build_rms_norm(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<TaskRing>(ops, runtime, args, build);
}
