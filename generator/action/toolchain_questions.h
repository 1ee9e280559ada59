// The questions that each family of compilers is asked about itself, and what its answers mean.
#pragma once

#include "action/toolchain_inventory.h"

namespace scene_kernels {

// Each adds what belongs to a compiler of that family; the compiler itself, its `programs` and `wraps` are there
// already.
[[nodiscard]] Expected<void> ask_gcc(ToolchainInventory &inventory);
[[nodiscard]] Expected<void> ask_clang(ToolchainInventory &inventory);
[[nodiscard]] Expected<void> ask_plain(ToolchainInventory &inventory);

// One command of `-###`: its words, unquoted. Nothing for a line that is none.
[[nodiscard]] std::optional<std::vector<std::string>> parse_shown_command(std::string_view line);

}  // namespace scene_kernels
