// 1 / sqrt(x + epsilon) of each element.
// Arguments: input (in), output (out), epsilon (float).
#include "elementwise.h"
#include "vector_math.h"

using namespace scene_kernels::sdk;

namespace {

struct InverseRoot {
    float epsilon;
    SCENE_INLINE float operator()(float x) const { return reciprocal_root(x + epsilon); }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_unary(arguments.matrix<const float>(0), arguments.matrix<float>(1), InverseRoot{arguments.scalar<float>(2)});
}
