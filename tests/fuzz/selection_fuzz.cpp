// Any bytes as a selection: an expression that can be evaluated, or an error of kind input.
#include <cstdint>
#include <cstdlib>

#include "model/selection.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto expression = scene_kernels::SelectExpression::parse(text);
    if (!expression) {
        if (expression.error().kind != scene_kernels::ErrorKind::input) {
            std::abort();
        }
        return 0;
    }
    scene_kernels::Scene scene;
    scene.name = "matmul";
    scene.labels = {"slow", "cube"};
    scene_kernels::Callable callable;
    callable.name = "first";
    const bool once = expression->matches(scene, callable);
    return once == expression->matches(scene, callable) ? 0 : (std::abort(), 1);
}
