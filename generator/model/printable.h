// Shows bytes from users in messages safely: control characters escaped, length bounded; also tells valid UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scene_kernels {

// `text` with control characters, broken UTF-8 and backslashes as escapes, cut behind `limit` bytes with "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 100);
// The same in double quotes.
[[nodiscard]] std::string quoted(std::string_view text);

// Length of the valid UTF-8 sequence at the start of `text`; 0 if there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);
// The first byte that is not part of valid UTF-8; npos if there is none.
[[nodiscard]] std::size_t find_bad_utf8(std::string_view text);
// The first control character: C0, DEL, C1, and the line and paragraph separators; npos if there is none.
[[nodiscard]] std::size_t find_control(std::string_view text);

}  // namespace scene_kernels
