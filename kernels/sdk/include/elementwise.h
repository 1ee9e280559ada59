// Loops that put a function of one or two matrices into a third, element by element. Knows views, not what is computed.
#pragma once

#include "kernel.h"
#include "tiles.h"

namespace scene_kernels::sdk {

// output(i, j) = operation(input(i, j)) for all of `output`'s elements.
template <typename In, typename Out, typename Operation>
SCENE_INLINE void map_unary(View<const In> input, View<Out> output, Operation operation) {
    for (std::int64_t row = 0; row < output.rows; ++row) {
        for (const Tile tile : Tiles(output.columns, k_vector_tile)) {
            for (std::int64_t column = tile.begin; column < tile.end; ++column) {
                output.at(row, column) = operation(input.at(row, column));
            }
        }
    }
}

// output(i, j) = operation(left(i, j), right(i, j)). A right side of one row or one column stands for as many as
// needed.
template <typename Left, typename Right, typename Out, typename Operation>
SCENE_INLINE void map_binary(View<const Left> left, View<const Right> right, View<Out> output, Operation operation) {
    const std::int64_t right_row = right.rows == 1 ? 0 : 1;
    const std::int64_t right_column = right.columns == 1 ? 0 : 1;
    for (std::int64_t row = 0; row < output.rows; ++row) {
        for (const Tile tile : Tiles(output.columns, k_vector_tile)) {
            for (std::int64_t column = tile.begin; column < tile.end; ++column) {
                output.at(row, column) =
                    operation(left.at(row, column), right.at(row * right_row, column * right_column));
            }
        }
    }
}

}  // namespace scene_kernels::sdk
