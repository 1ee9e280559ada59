// A source text as a compiler's first phases leave it: trigraphs and line splices gone, line numbers kept; and where
// its comments and literals are. Knows nothing of directives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scene_kernels {

// A text without its line splices: backslash, blanks, newline (LF or CR LF), as GCC and Clang take them. Refers to
// `raw` where nothing had to be removed.
class LogicalText {
public:
    explicit LogicalText(std::string_view raw);

    [[nodiscard]] std::string_view text() const { return m_splices.empty() ? m_raw : std::string_view(m_joined); }
    // The 1-based line in the raw text of a position in text().
    [[nodiscard]] std::uint32_t line_of(std::size_t position) const;
    // Whether a splice was removed inside of [begin, end) of text().
    [[nodiscard]] bool spliced_between(std::size_t begin, std::size_t end) const;
    // The position of a backslash before a carriage return without a line feed, on which GCC and Clang disagree.
    [[nodiscard]] std::optional<std::size_t> disputed_splice() const { return m_disputed; }

private:
    struct Splice {
        std::size_t position;  // in the joined text: what was removed stood before this byte
        std::size_t removed;   // bytes removed up to and including this one
    };
    void join(std::size_t first_backslash);

    std::string_view m_raw;
    std::string m_joined;
    std::vector<Splice> m_splices;
    std::optional<std::size_t> m_disputed;
};

// `raw` with its trigraphs replaced; nothing where it has none.
[[nodiscard]] std::optional<std::string> without_trigraphs(std::string_view raw);

// Ordered: a place is what the least of all dialects says.
enum class PlaceKind : std::uint8_t { code = 0, literal = 1, comment = 2 };

// What each of `positions` (ascending, in text()) is inside of. Where C and C++ dialects differ (raw strings, digit
// separators), or the lexing is doubtful, the answer is the one that hides less: code before literal before comment.
[[nodiscard]] std::vector<PlaceKind> classify_places(const LogicalText &source,
                                                     const std::vector<std::size_t> &positions);

// ASCII letters, digits and '_'. Others ('$', bytes above 127) end a word here, so that too many words are seen, not
// too few.
[[nodiscard]] constexpr bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
// What compilers take as white space within a line.
[[nodiscard]] constexpr bool is_blank_byte(char c) {
    return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\0' || c == '\r';
}

}  // namespace scene_kernels
