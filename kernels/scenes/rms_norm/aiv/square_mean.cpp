// The mean of the squares of each row.
// Arguments: input (in), means (out, one column).
#include "reduction.h"

using namespace scene_kernels::sdk;

namespace {

struct Square {
    SCENE_INLINE float operator()(float x) const { return x * x; }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    const View<const float> input = arguments.matrix<const float>(0);
    const View<float> means = arguments.matrix<float>(1);
    const float count = static_cast<float>(input.columns);
    for (std::int64_t row = 0; row < input.rows; ++row) {
        means.at(row, 0) = reduce_row<Sum>(input, row, Square{}) / count;
    }
}
