// Adds a vector to every row.
// Arguments: input (in), bias (in, a vector), output (out).
#include "elementwise.h"

using namespace scene_kernels::sdk;

namespace {

struct Add {
    SCENE_INLINE float operator()(float a, float b) const { return a + b; }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_binary(arguments.matrix<const float>(0), arguments.matrix<const float>(1), arguments.matrix<float>(2), Add{});
}
