// Rows of a table by their numbers.
// Arguments: table (in), numbers (in, one column, int32), output (out).
#include "kernel.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> table = arguments.matrix<const float>(0);
    const View<const std::int32_t> numbers = arguments.matrix<const std::int32_t>(1);
    const View<float> output = arguments.matrix<float>(2);
    for (std::int64_t row = 0; row < output.rows; ++row) {
        const std::int64_t from = numbers.at(row, 0);
        for (std::int64_t column = 0; column < output.columns; ++column) {
            output.at(row, column) = table.at(from, column);
        }
    }
}
