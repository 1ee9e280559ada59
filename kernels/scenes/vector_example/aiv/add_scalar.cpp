// A matrix plus one number.
// Arguments: input (in), output (out), addend (float).
#include "elementwise.h"

using namespace scene_kernels::sdk;

namespace {

struct AddScalar {
    float addend;
    SCENE_INLINE float operator()(float x) const { return x + addend; }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_unary(arguments.matrix<const float>(0), arguments.matrix<float>(1), AddScalar{arguments.scalar<float>(2)});
}
