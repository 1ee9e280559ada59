// Scales attention scores and hides what comes after each query. The last query sees all keys.
// Arguments: scores (in), output (out), scale (float), causal (int32).
#include "kernel.h"
#include "vector_math.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> scores = arguments.matrix<const float>(0);
    const View<float> output = arguments.matrix<float>(1);
    const float scale = arguments.scalar<float>(2);
    const bool causal = arguments.scalar<std::int32_t>(3) != 0;
    for (std::int64_t row = 0; row < output.rows; ++row) {
        const std::int64_t visible = causal ? output.columns - output.rows + row + 1 : output.columns;
        for (std::int64_t column = 0; column < output.columns; ++column) {
            output.at(row, column) = column < visible ? scores.at(row, column) * scale : -k_infinity;
        }
    }
}
