// The activation function SiLU, x * sigmoid(x).
// Arguments: input (in), output (out).
#include "elementwise.h"
#include "vector_math.h"

using namespace scene_kernels::sdk;

namespace {

struct Silu {
    SCENE_INLINE float operator()(float x) const { return x * sigmoid(x); }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_unary(arguments.matrix<const float>(0), arguments.matrix<float>(1), Silu{});
}
