// The kinds of action, as they appear in names, keys and files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace scene_kernels {

enum class ActionKind : std::uint8_t { image = 1, object = 2, library = 3, packer = 4, callable = 5 };

// "image", "object", "library", "packer", "callable".
[[nodiscard]] const char *to_text(ActionKind kind);
[[nodiscard]] std::optional<ActionKind> action_kind_from_text(std::string_view text);

}  // namespace scene_kernels
