// One number in every element.
// Arguments: output (out), value (float).
#include "kernel.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<float> output = arguments.matrix<float>(0);
    const float value = arguments.scalar<float>(1);
    for (std::int64_t row = 0; row < output.rows; ++row) {
        for (std::int64_t column = 0; column < output.columns; ++column) {
            output.at(row, column) = value;
        }
    }
}
