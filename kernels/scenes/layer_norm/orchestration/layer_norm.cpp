// Normalization of each row to mean 0 and variance 1, then a weight and a bias per column.
// Arguments: input (in), weights (in, a vector), bias (in, a vector), output (out), epsilon (float).
#include "task_ring.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_row_mean = 0;
constexpr std::int32_t k_center = 1;
constexpr std::int32_t k_square_mean = 2;
constexpr std::int32_t k_inverse_root = 3;
constexpr std::int32_t k_scale_rows_columns = 4;
constexpr std::int32_t k_bias_add = 5;

void build(TaskRing &ring, const Arguments &arguments) {
    const SceneTensor input = arguments.tensor(0);
    const SceneTensor means = ring.tensor(DataType::float32, {input.shape[0], 1});
    const SceneTensor centered = ring.tensor(DataType::float32, {input.shape[0], input.shape[1]});
    const SceneTensor variances = ring.tensor(DataType::float32, {input.shape[0], 1});
    const SceneTensor factors = ring.tensor(DataType::float32, {input.shape[0], 1});
    const SceneTensor scaled = ring.tensor(DataType::float32, {input.shape[0], input.shape[1]});
    const float epsilon = arguments.scalar<float>(4);
    ring.submit(Task(k_row_mean, CoreType::aiv).in(input).out(means));
    ring.submit(Task(k_center, CoreType::aiv).in(input).in(means).out(centered));
    ring.submit(Task(k_square_mean, CoreType::aiv).in(centered).out(variances));
    ring.submit(Task(k_inverse_root, CoreType::aiv).in(variances).out(factors).scalar(epsilon));
    ring.submit(Task(k_scale_rows_columns, CoreType::aiv).in(centered).in(factors).in(arguments.tensor(1)).out(scaled));
    ring.submit(Task(k_bias_add, CoreType::aiv).in(scaled).in(arguments.tensor(2)).out(arguments.tensor(3)));
}

}  // namespace

extern "C" int build_layer_norm(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<TaskRing>(ops, runtime, args, build);
}
