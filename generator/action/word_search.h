// Finds several fixed texts in one fast pass over a large one (Wu-Manber on blocks of two bytes). Knows no language.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace scene_kernels {

class WordSearch {
public:
    static constexpr std::size_t k_size = 6;

    struct Needle {
        std::string_view text;  // exactly k_size bytes, in lower case where case does not matter
        bool any_case = false;  // ASCII
    };
    // `needles` must outlive the object.
    explicit WordSearch(const std::vector<Needle> &needles);

    // Calls `found(needle index, position)` for each occurrence, in ascending order of position.
    template <typename Found>
    void each(std::string_view text, Found &&found) const {
        std::size_t last = k_size - 1;
        while (last < text.size()) {
            const std::uint8_t shift = m_shifts[hash(text[last - 1], text[last])];
            if (shift > 0) {
                last += shift;
                continue;
            }
            const std::size_t first = last - (k_size - 1);
            if (m_starts[hash(text[first], text[first + 1])]) {
                const std::string_view window = text.substr(first, k_size);
                for (std::size_t i = 0; i < m_needles.size(); ++i) {
                    if (matches(m_needles[i], window)) {
                        found(i, first);
                    }
                }
            }
            ++last;
        }
    }

private:
    static constexpr std::size_t hash(char a, char b) {
        return (static_cast<unsigned char>(a) ^ (static_cast<std::size_t>(static_cast<unsigned char>(b)) << 4U)) &
               4095U;
    }
    [[nodiscard]] static bool matches(const Needle &needle, std::string_view window);

    const std::vector<Needle> &m_needles;
    std::array<std::uint8_t, 4096> m_shifts{};  // by the last block of a window: how far the next match is away
    std::array<bool, 4096> m_starts{};          // whether a needle starts with this block
};

}  // namespace scene_kernels
