// Each element of a matrix, twice.
// Arguments: input (in), output (out).
#include "elementwise.h"

using namespace scene_kernels::sdk;

namespace {

struct Twice {
    SCENE_INLINE float operator()(float x) const { return x + x; }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_unary(arguments.matrix<const float>(0), arguments.matrix<float>(1), Twice{});
}
