// The product of two bfloat16 matrices, summed in single precision.
// Arguments: left (in, bfloat16), right (in, bfloat16), product (out, float).
#include "bfloat16.h"
#include "cube.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    multiply(arguments.matrix<const BFloat16>(0), arguments.matrix<const BFloat16>(1), arguments.matrix<float>(2),
             false);
}
