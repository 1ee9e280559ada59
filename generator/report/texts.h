// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace scene_kernels {

// "512 B", "4.3 MiB"
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
// "3 d", "5 h", "12 min", "40 s"; what lies in the future is "0 s".
[[nodiscard]] std::string age_text(std::int64_t nanoseconds);

}  // namespace scene_kernels
