// The product of two matrices in tiles, as the cube unit works: an accumulator of one tile, filled along the depth.
#pragma once

#include "kernel.h"
#include "tiles.h"

namespace scene_kernels::sdk {

// Element types that a product reads as they are. Others bring an as_float() of their own.
SCENE_INLINE float as_float(float value) {
    return value;
}

// One output tile, summed in a local accumulator. The depth is at least 1. The accumulator starts with the first
// product, not with zeros: compilers turn a loop that writes zeros into a call of memset, which a device does not have.
template <typename In>
SCENE_INLINE void multiply_tile(View<const In> left, View<const In> right, View<float> output, Tile rows, Tile columns,
                                bool accumulate) {
    float sums[k_cube_tile_rows][k_cube_tile_columns];
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        for (std::int64_t column = columns.begin; column < columns.end; ++column) {
            const float first = as_float(left.at(row, 0)) * as_float(right.at(0, column));
            sums[row - rows.begin][column - columns.begin] = accumulate ? output.at(row, column) + first : first;
        }
    }
    for (const Tile depth : Tiles(left.columns - 1, k_cube_tile_depth)) {
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            for (std::int64_t inner = depth.begin + 1; inner <= depth.end; ++inner) {
                const float factor = as_float(left.at(row, inner));
                for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                    sums[row - rows.begin][column - columns.begin] += factor * as_float(right.at(inner, column));
                }
            }
        }
    }
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        for (std::int64_t column = columns.begin; column < columns.end; ++column) {
            output.at(row, column) = sums[row - rows.begin][column - columns.begin];
        }
    }
}

// output = left * right, or output += left * right. `left` is rows by depth, `right` is depth by columns.
template <typename In>
SCENE_INLINE void multiply(View<const In> left, View<const In> right, View<float> output, bool accumulate) {
    for (const Tile rows : Tiles(output.rows, k_cube_tile_rows)) {
        for (const Tile columns : Tiles(output.columns, k_cube_tile_columns)) {
            multiply_tile(left, right, output, rows, columns, accumulate);
        }
    }
}

// The same elements with rows and columns exchanged.
template <typename T>
SCENE_INLINE View<T> transposed(View<T> view) {
    return {view.data, view.columns, view.rows, view.column_stride, view.row_stride};
}

}  // namespace scene_kernels::sdk
