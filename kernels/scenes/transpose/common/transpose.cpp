// Rows and columns exchanged, in square blocks. The same source serves both core types.
// Arguments: input (in, r by c), output (out, c by r).
#include "kernel.h"
#include "tiles.h"

using namespace scene_kernels::sdk;

namespace {

// The cube unit moves its tiles as they are, the vector unit short rows.
#if defined(SCENE_CORE_AIC)
constexpr std::int64_t k_block = k_cube_tile_rows;
#else
constexpr std::int64_t k_block = 8;
#endif

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> input = arguments.matrix<const float>(0);
    const View<float> output = arguments.matrix<float>(1);
    for (const Tile rows : Tiles(input.rows, k_block)) {
        for (const Tile columns : Tiles(input.columns, k_block)) {
            for (std::int64_t row = rows.begin; row < rows.end; ++row) {
                for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                    output.at(column, row) = input.at(row, column);
                }
            }
        }
    }
}
