// The product of two matrices.
// Arguments: left (in), right (in), product (out).
#include "cube.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    multiply(arguments.matrix<const float>(0), arguments.matrix<const float>(1), arguments.matrix<float>(2), false);
}
