// 8-bit codes times the step of their row.
// Arguments: codes (in, int8), steps (in, one column), output (out).
#include "elementwise.h"

using namespace scene_kernels::sdk;

namespace {

struct FromInt8 {
    SCENE_INLINE float operator()(std::int8_t code, float step) const { return static_cast<float>(code) * step; }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_binary(arguments.matrix<const std::int8_t>(0), arguments.matrix<const float>(1), arguments.matrix<float>(2),
               FromInt8{});
}
