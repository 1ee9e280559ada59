// The sum of each row.
// Arguments: input (in), sums (out, one column).
#include "reduction.h"

using namespace scene_kernels::sdk;

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    reduce_rows<Sum>(arguments.matrix<const float>(0), arguments.matrix<float>(1), Identity{});
}
