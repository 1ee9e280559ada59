// Each element times its row's number times its column's weight.
// Arguments: input (in), factors (in, one column), weights (in, a vector), output (out).
#include "kernel.h"
#include "tiles.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> input = arguments.matrix<const float>(0);
    const View<const float> factors = arguments.matrix<const float>(1);
    const View<const float> weights = arguments.matrix<const float>(2);
    const View<float> output = arguments.matrix<float>(3);
    for (std::int64_t row = 0; row < output.rows; ++row) {
        const float factor = factors.at(row, 0);
        for (const Tile tile : Tiles(output.columns, k_vector_tile)) {
            for (std::int64_t column = tile.begin; column < tile.end; ++column) {
                output.at(row, column) = input.at(row, column) * factor * weights.at(0, column);
            }
        }
    }
}
