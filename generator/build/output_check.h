// Refuses outputs that no device could run: not an ELF file of the right machine, without its entry function,
// near-empty.
#pragma once

#include <string_view>

#include "action/action.h"
#include "base/error.h"

namespace scene_kernels {

// `bytes` is the action's main output. Objects and extracted sections are only checked for being there at all.
[[nodiscard]] Expected<void> check_output(const Action &action, std::string_view bytes);

}  // namespace scene_kernels
