// Multiplies the accumulator by a factor and adds the input: the order of calls shows in the result.
// Arguments: input (in), accumulator (inout), factor (float).
#include "kernel.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> input = arguments.matrix<const float>(0);
    const View<float> accumulator = arguments.matrix<float>(1);
    const float factor = arguments.scalar<float>(2);
    for (std::int64_t row = 0; row < accumulator.rows; ++row) {
        for (std::int64_t column = 0; column < accumulator.columns; ++column) {
            accumulator.at(row, column) = accumulator.at(row, column) * factor + input.at(row, column);
        }
    }
}
