// The step of a symmetric 8-bit code for each row: its largest magnitude / 127, and 1 for a row of zeros.
// Arguments: input (in), steps (out, one column).
#include "reduction.h"

using namespace scene_kernels::sdk;

namespace {

struct Absolute {
    SCENE_INLINE float operator()(float x) const { return absolute(x); }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> input = arguments.matrix<const float>(0);
    const View<float> steps = arguments.matrix<float>(1);
    for (std::int64_t row = 0; row < input.rows; ++row) {
        const float largest = reduce_row<Maximum>(input, row, Absolute{});
        steps.at(row, 0) = largest > 0.0F ? largest / 127.0F : 1.0F;
    }
}
