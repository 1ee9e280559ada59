#include "action/word_search.h"

#include <algorithm>

namespace scene_kernels {

namespace {

constexpr char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

WordSearch::WordSearch(const std::vector<Needle> &needles) : m_needles(needles) {
    constexpr std::size_t k_blocks = k_size - 1;
    m_shifts.fill(k_blocks);
    for (const Needle &needle : needles) {
        for (std::size_t i = 0; i < k_blocks; ++i) {
            const auto shift = static_cast<std::uint8_t>(k_blocks - 1 - i);
            const auto note = [this, shift, i](char a, char b) {
                std::uint8_t &entry = m_shifts[hash(a, b)];
                entry = std::min(entry, shift);
                m_starts[hash(a, b)] = m_starts[hash(a, b)] || i == 0;
            };
            const char a = needle.text[i];
            const char b = needle.text[i + 1];
            note(a, b);
            if (needle.any_case) {
                note(upper(a), b);
                note(a, upper(b));
                note(upper(a), upper(b));
            }
        }
    }
}

bool WordSearch::matches(const Needle &needle, std::string_view window) {
    if (!needle.any_case) {
        return window == needle.text;
    }
    return std::equal(window.begin(), window.end(), needle.text.begin(),
                      [](char in_text, char in_needle) { return lower(in_text) == in_needle; });
}

}  // namespace scene_kernels
