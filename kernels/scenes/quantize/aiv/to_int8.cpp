// Each row divided by its step, as whole numbers from -127 to 127.
// Arguments: input (in), steps (in, one column), codes (out, int8).
#include "elementwise.h"
#include "vector_math.h"

using namespace scene_kernels::sdk;

namespace {

struct ToInt8 {
    SCENE_INLINE std::int8_t operator()(float value, float step) const {
        const std::int32_t code = nearest_integer(value / step);
        return static_cast<std::int8_t>(code > 127 ? 127 : code < -127 ? -127 : code);
    }
};

}  // namespace

SCENE_KERNEL_ENTRY(slots) {
    const KernelArguments arguments(slots);
    map_binary(arguments.matrix<const float>(0), arguments.matrix<const float>(1), arguments.matrix<std::int8_t>(2),
               ToInt8{});
}
