// Adds the product of two matrices to a third.
// Arguments: left (in), right (in), sum (inout).
#include "cube.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    multiply(arguments.matrix<const float>(0), arguments.matrix<const float>(1), arguments.matrix<float>(2), true);
}
