// The product of two matrices, one chain of tasks per block of the result: the depth is cut into pieces that are added
// up. Arguments: left (in, m by k), right (in, k by n), product (out, m by n).
#include "task_ring.h"
#include "tiles.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_matmul = 0;
constexpr std::int32_t k_matmul_accumulate = 1;

constexpr std::int64_t k_block = 2 * k_cube_tile_rows;

void build(TaskRing &ring, const Arguments &arguments) {
    const SceneTensor left = arguments.tensor(0);
    const SceneTensor right = arguments.tensor(1);
    const SceneTensor product = arguments.tensor(2);
    for (const Tile rows : Tiles(product.shape[0], k_block)) {
        for (const Tile columns : Tiles(product.shape[1], k_block)) {
            const SceneTensor block =
                ring.slice(ring.slice(product, 0, rows.begin, rows.end), 1, columns.begin, columns.end);
            for (const Tile depth : Tiles(left.shape[1], k_block)) {
                const SceneTensor a = ring.slice(ring.slice(left, 0, rows.begin, rows.end), 1, depth.begin, depth.end);
                const SceneTensor b =
                    ring.slice(ring.slice(right, 0, depth.begin, depth.end), 1, columns.begin, columns.end);
                if (depth.begin == 0) {
                    ring.submit(Task(k_matmul, CoreType::aic).in(a).in(b).out(block));
                } else {
                    ring.submit(Task(k_matmul_accumulate, CoreType::aic).in(a).in(b).inout(block));
                }
            }
        }
    }
}

}  // namespace

extern "C" int build_matmul(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<TaskRing>(ops, runtime, args, build);
}
