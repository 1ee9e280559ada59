// The product of a matrix with another one that is given by rows where columns are meant.
// Arguments: left (in), right transposed (in), product (out).
#include "cube.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    multiply(arguments.matrix<const float>(0), transposed(arguments.matrix<const float>(1)), arguments.matrix<float>(2),
             false);
}
