// Reductions of each row of a matrix to one value. Partial results per tile keep the rounding error of long rows small.
#pragma once

#include "kernel.h"
#include "tiles.h"
#include "vector_math.h"

namespace scene_kernels::sdk {

struct Sum {
    static constexpr float k_start = 0.0F;
    SCENE_INLINE float operator()(float a, float b) const { return a + b; }
};
struct Maximum {
    static constexpr float k_start = -__builtin_inff();
    SCENE_INLINE float operator()(float a, float b) const { return maximum(a, b); }
};
struct Identity {
    SCENE_INLINE float operator()(float x) const { return x; }
};

// transform(x) of all elements of a row, combined by `Combine`; `Combine::k_start` for a row without elements.
template <typename Combine, typename Transform>
SCENE_INLINE float reduce_row(View<const float> input, std::int64_t row, Transform transform) {
    const Combine combine{};
    float total = Combine::k_start;
    for (const Tile tile : Tiles(input.columns, k_vector_tile)) {
        float partial = Combine::k_start;
        for (std::int64_t column = tile.begin; column < tile.end; ++column) {
            partial = combine(partial, transform(input.at(row, column)));
        }
        total = combine(total, partial);
    }
    return total;
}

// reduce_row() of every row into the first column of `output`.
template <typename Combine, typename Transform>
SCENE_INLINE void reduce_rows(View<const float> input, View<float> output, Transform transform) {
    for (std::int64_t row = 0; row < input.rows; ++row) {
        output.at(row, 0) = reduce_row<Combine>(input, row, transform);
    }
}

}  // namespace scene_kernels::sdk
