#include "model/names.h"

#include <algorithm>

namespace scene_kernels {

namespace {

// Not <cctype>: names must not depend on the locale.
bool is_letter_or_underscore(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_word_character(char c) {
    return is_letter_or_underscore(c) || (c >= '0' && c <= '9');
}

}  // namespace

bool is_name(std::string_view text) {
    return !text.empty() && is_word_character(text.front()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_word_character(c) || c == '.' || c == '-'; });
}

bool is_identifier(std::string_view text) {
    return !text.empty() && is_letter_or_underscore(text.front()) &&
           std::all_of(text.begin(), text.end(), is_word_character);
}

bool is_selection_character(char c) {
    return is_word_character(c) || std::string_view(".-[]:+/").find(c) != std::string_view::npos;
}

bool is_selection_word(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_selection_character);
}

}  // namespace scene_kernels
