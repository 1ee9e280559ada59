// Which names are allowed where: scenes and callables, C identifiers, environment variables, selection words.
#pragma once

#include <string_view>

namespace scene_kernels {

// [A-Za-z0-9_][A-Za-z0-9_.-]*: also a file name that needs no quoting and is no option.
[[nodiscard]] bool is_name(std::string_view text);
// [A-Za-z_][A-Za-z0-9_]*: C identifiers and environment variables.
[[nodiscard]] bool is_identifier(std::string_view text);
// What may be part of a word in a selection: [A-Za-z0-9_.+/:[\]-].
[[nodiscard]] bool is_selection_character(char c);
// One or more of those; the pattern is for messages.
inline constexpr std::string_view k_selection_word_pattern = "[A-Za-z0-9_.+/:[\\]-]+";
[[nodiscard]] bool is_selection_word(std::string_view text);

}  // namespace scene_kernels
