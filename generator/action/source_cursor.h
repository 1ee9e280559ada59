// Reads tokens of one source text at given positions, and limits the work that a hostile text can cause. Knows what
// directives look like, not what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "action/source_text.h"

namespace scene_kernels {

class SourceCursor {
public:
    // `text` is without splices, and must outlive the object.
    explicit SourceCursor(std::string_view text) : m_text(text), m_limit(16 * text.size() + 4096) {}

    struct Name {
        bool quoted = false;  // "name", else <name>
        std::string_view text;
        std::size_t end = 0;  // behind the closing quote or bracket
    };

    // The byte there; a newline at the end of the text.
    [[nodiscard]] char at(std::size_t position) const { return position < m_text.size() ? m_text[position] : '\n'; }
    [[nodiscard]] std::string_view text() const { return m_text; }
    // Whether a word that begins at `position` is not the rest of a longer one.
    [[nodiscard]] bool starts_word(std::size_t position) const {
        return position == 0 || !is_word_byte(m_text[position - 1]);
    }
    // Behind blanks and comments. A line end outside of a comment is not skipped.
    std::size_t skip(std::size_t position);
    // The word at `position`, empty where none is.
    std::string_view word_at(std::size_t position);
    // "name" or <name> at `position`, closed on the same line.
    std::optional<Name> name_at(std::size_t position);
    // The name of the directive on the line of `position`, and in `behind` what follows it; empty where it is none.
    std::string_view directive_of(std::size_t position, std::size_t &behind);
    // Whether the word at `position` is only asked about: defined(X), defined X, #ifdef X, #undef X, #define X.
    bool is_only_tested(std::size_t position);

    // Work done so far, in bytes looked at one by one. Once there is too much for the size of the text, everything
    // above answers as at the end of the text.
    [[nodiscard]] std::uint64_t steps() const { return m_steps; }
    [[nodiscard]] bool gave_up() const { return m_steps > m_limit; }
    [[nodiscard]] std::size_t gave_up_at() const { return m_last; }
    bool spend(std::size_t amount, std::size_t where);

private:
    std::size_t line_start(std::size_t position);
    [[nodiscard]] std::size_t before_blanks(std::size_t position) const;
    // The word that ends at `end`, or the last bytes of a long one.
    [[nodiscard]] std::string_view word_before(std::size_t end) const;

    std::string_view m_text;
    std::uint64_t m_limit;
    std::uint64_t m_steps = 0;
    std::size_t m_last = 0;
};

}  // namespace scene_kernels
