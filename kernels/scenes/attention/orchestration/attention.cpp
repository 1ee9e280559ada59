// Attention with several heads: softmax(q k^T scale) v for each. A head is a block of columns.
// Arguments: q (in, queries by width), k (in, keys by width), v (in, like k), output (out, like q), heads (int32),
// causal (int32).
#include "task_ring.h"
#include "tiles.h"
#include "vector_math.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_matmul_transposed = 0;
constexpr std::int32_t k_scale_mask = 1;
constexpr std::int32_t k_row_max = 2;
constexpr std::int32_t k_exp_sub = 3;
constexpr std::int32_t k_row_sum = 4;
constexpr std::int32_t k_divide_rows = 5;
constexpr std::int32_t k_matmul = 6;

void build_head(TaskRing &ring, const SceneTensor &q, const SceneTensor &k, const SceneTensor &v,
                const SceneTensor &output, std::int32_t causal) {
    const std::int64_t queries = q.shape[0];
    const std::int64_t keys = k.shape[0];
    const float scale = reciprocal_root(static_cast<float>(q.shape[1]));
    const SceneTensor scores = ring.tensor(DataType::float32, {queries, keys});
    const SceneTensor scaled = ring.tensor(DataType::float32, {queries, keys});
    const SceneTensor maxima = ring.tensor(DataType::float32, {queries, 1});
    const SceneTensor powers = ring.tensor(DataType::float32, {queries, keys});
    const SceneTensor sums = ring.tensor(DataType::float32, {queries, 1});
    const SceneTensor shares = ring.tensor(DataType::float32, {queries, keys});
    ring.submit(Task(k_matmul_transposed, CoreType::aic).in(q).in(k).out(scores));
    ring.submit(Task(k_scale_mask, CoreType::aiv).in(scores).out(scaled).scalar(scale).scalar(causal));
    ring.submit(Task(k_row_max, CoreType::aiv).in(scaled).out(maxima));
    ring.submit(Task(k_exp_sub, CoreType::aiv).in(scaled).in(maxima).out(powers));
    ring.submit(Task(k_row_sum, CoreType::aiv).in(powers).out(sums));
    ring.submit(Task(k_divide_rows, CoreType::aiv).in(powers).in(sums).out(shares));
    ring.submit(Task(k_matmul, CoreType::aic).in(shares).in(v).out(output));
}

void build(TaskRing &ring, const Arguments &arguments) {
    const SceneTensor q = arguments.tensor(0);
    const std::int32_t heads = arguments.scalar<std::int32_t>(4);
    const std::int32_t causal = arguments.scalar<std::int32_t>(5);
    if (heads < 1 || q.shape[1] % heads != 0) {
        ring.fail(SceneStatus::arguments, "the width is not a multiple of the number of heads");
        return;
    }
    const std::int64_t width = q.shape[1] / heads;
    for (const Tile columns : Tiles(q.shape[1], width)) {
        build_head(ring, ring.slice(q, 1, columns.begin, columns.end),
                   ring.slice(arguments.tensor(1), 1, columns.begin, columns.end),
                   ring.slice(arguments.tensor(2), 1, columns.begin, columns.end),
                   ring.slice(arguments.tensor(3), 1, columns.begin, columns.end), causal);
    }
}

}  // namespace

extern "C" int build_attention(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<TaskRing>(ops, runtime, args, build);
}
