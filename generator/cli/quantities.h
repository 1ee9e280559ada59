// Sizes and times as people write them on a command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace scene_kernels {

// "500M", "10G", "1.5T", "4096": bytes, with K, M, G or T for powers of 1024. Kind input.
[[nodiscard]] Expected<std::uint64_t> parse_size(std::string_view text);
// "14d", "12h", "30m", "90s": nanoseconds. Kind input.
[[nodiscard]] Expected<std::int64_t> parse_age(std::string_view text);

}  // namespace scene_kernels
