// The column of the largest element of each row; the first one of equals.
// Arguments: input (in), columns (out, one column, int32).
#include "kernel.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> input = arguments.matrix<const float>(0);
    const View<std::int32_t> columns = arguments.matrix<std::int32_t>(1);
    for (std::int64_t row = 0; row < input.rows; ++row) {
        std::int64_t best = 0;
        for (std::int64_t column = 1; column < input.columns; ++column) {
            if (input.at(row, column) > input.at(row, best)) {
                best = column;
            }
        }
        columns.at(row, 0) = static_cast<std::int32_t>(best);
    }
}
