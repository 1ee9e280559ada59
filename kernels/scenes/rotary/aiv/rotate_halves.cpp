// Rotates each pair (i, i + half) of a row by the angle whose cosine and sine are given. An odd last element stays.
// Arguments: input (in), cosines (in, rows by half), sines (in), output (out).
#include "kernel.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> input = arguments.matrix<const float>(0);
    const View<const float> cosines = arguments.matrix<const float>(1);
    const View<const float> sines = arguments.matrix<const float>(2);
    const View<float> output = arguments.matrix<float>(3);
    const std::int64_t half = output.columns / 2;
    for (std::int64_t row = 0; row < output.rows; ++row) {
        for (std::int64_t i = 0; i < half; ++i) {
            const float x = input.at(row, i);
            const float y = input.at(row, i + half);
            output.at(row, i) = x * cosines.at(row, i) - y * sines.at(row, i);
            output.at(row, i + half) = x * sines.at(row, i) + y * cosines.at(row, i);
        }
        if (output.columns % 2 != 0) {
            output.at(row, output.columns - 1) = input.at(row, output.columns - 1);
        }
    }
}
