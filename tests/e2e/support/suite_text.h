// The texts of the tiny suite's files; see SuiteShape for what they make together.
#pragma once

#include <string>

#include "support/checkout.h"

namespace scene_kernels::e2e {

[[nodiscard]] std::string tiny_sdk(const SuiteShape &shape);
[[nodiscard]] std::string scene_text(const std::string &name, int kernels);
// A kernel whose bytes depend on `value`, all.h and sub/deep.h.
[[nodiscard]] std::string kernel_text(const std::string &value);
[[nodiscard]] std::string orchestration_text(int index);

}  // namespace scene_kernels::e2e
