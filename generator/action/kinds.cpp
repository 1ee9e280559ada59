#include "action/kinds.h"

namespace scene_kernels {

namespace {
constexpr const char *k_texts[] = {"image", "object", "library", "packer", "callable"};
}

const char *to_text(ActionKind kind) {
    return k_texts[static_cast<int>(kind) - 1];
}

std::optional<ActionKind> action_kind_from_text(std::string_view text) {
    for (int i = 0; i < 5; ++i) {
        if (text == k_texts[i]) {
            return static_cast<ActionKind>(i + 1);
        }
    }
    return std::nullopt;
}

}  // namespace scene_kernels
