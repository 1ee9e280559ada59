// The activation function GELU, in its form with tanh.
// Arguments: input (in), output (out).
#include "elementwise.h"
#include "vector_math.h"

using namespace scene_kernels::sdk;

namespace {

struct Gelu {
    SCENE_INLINE float operator()(float x) const {
        constexpr float k_root_of_two_over_pi = 0.797884561F;
        return 0.5F * x * (1.0F + hyperbolic_tangent(k_root_of_two_over_pi * (x + 0.044715F * x * x * x)));
    }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_unary(arguments.matrix<const float>(0), arguments.matrix<float>(1), Gelu{});
}
