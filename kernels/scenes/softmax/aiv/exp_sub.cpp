// e to the power of each element minus its row's number.
// Arguments: input (in), subtrahends (in, one column), output (out).
#include "elementwise.h"
#include "vector_math.h"

using namespace scene_kernels::sdk;

namespace {

struct ExponentialOfDifference {
    SCENE_INLINE float operator()(float a, float b) const { return exponential(a - b); }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_binary(arguments.matrix<const float>(0), arguments.matrix<const float>(1), arguments.matrix<float>(2),
               ExponentialOfDifference{});
}
