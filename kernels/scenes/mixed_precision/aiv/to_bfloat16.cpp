// Rounds to bfloat16.
// Arguments: input (in), output (out, bfloat16).
#include "bfloat16.h"
#include "elementwise.h"

using namespace scene_kernels::sdk;

namespace {

struct Round {
    SCENE_INLINE BFloat16 operator()(float value) const { return to_bfloat16(value); }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_unary(arguments.matrix<const float>(0), arguments.matrix<BFloat16>(1), Round{});
}
