#include "action/source_cursor.h"

#include <algorithm>
#include <array>

namespace scene_kernels {

bool SourceCursor::spend(std::size_t amount, std::size_t where) {
    if (gave_up()) {
        return false;
    }
    m_steps += amount + 1;
    m_last = where;
    return !gave_up();
}

std::size_t SourceCursor::skip(std::size_t position) {
    const std::size_t start = std::min(position, m_text.size());
    position = start;
    while (position < m_text.size()) {
        if (is_blank_byte(m_text[position])) {
            ++position;
        } else if (m_text.substr(position, 2) == "/*") {
            const std::size_t end = m_text.find("*/", position + 2);
            position = end == std::string_view::npos ? m_text.size() : end + 2;
        } else if (m_text.substr(position, 2) == "//") {
            position = std::min(m_text.find('\n', position), m_text.size());
            break;
        } else {
            break;
        }
    }
    return spend(position - start, start) ? position : m_text.size();
}

std::string_view SourceCursor::word_at(std::size_t position) {
    std::size_t end = position;
    while (end < m_text.size() && is_word_byte(m_text[end])) {
        ++end;
    }
    return spend(end - position, position) ? m_text.substr(std::min(position, m_text.size()), end - position)
                                           : std::string_view();
}

std::optional<SourceCursor::Name> SourceCursor::name_at(std::size_t position) {
    const char open = at(position);
    if (open != '"' && open != '<') {
        return std::nullopt;
    }
    const char close = open == '"' ? '"' : '>';
    std::size_t end = position + 1;
    while (end < m_text.size() && m_text[end] != close && m_text[end] != '\n') {
        ++end;
    }
    if (!spend(end - position, position) || at(end) != close) {
        return std::nullopt;
    }
    return Name{open == '"', m_text.substr(position + 1, end - position - 1), end + 1};
}

std::size_t SourceCursor::line_start(std::size_t position) {
    const std::size_t newline = position == 0 ? std::string_view::npos : m_text.rfind('\n', position - 1);
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return spend(position - start, position) ? start : position;
}

std::string_view SourceCursor::directive_of(std::size_t position, std::size_t &behind) {
    const std::size_t start = skip(line_start(position));
    std::size_t word_start = start + 1;
    if (at(start) != '#') {
        if (m_text.substr(start, 2) != "%:") {
            return {};
        }
        ++word_start;
    }
    word_start = skip(word_start);
    const std::string_view word = word_at(word_start);
    behind = word_start + word.size();
    return word;
}

std::size_t SourceCursor::before_blanks(std::size_t position) const {
    while (position > 0 && is_blank_byte(m_text[position - 1])) {
        --position;
    }
    return position;
}

std::string_view SourceCursor::word_before(std::size_t end) const {
    constexpr std::size_t k_longest = 10;  // longer than any word that is asked for
    std::size_t start = end;
    while (start > 0 && end - start < k_longest && is_word_byte(m_text[start - 1])) {
        --start;
    }
    return m_text.substr(start, end - start);
}

bool SourceCursor::is_only_tested(std::size_t position) {
    std::size_t end = before_blanks(position);
    if (end > 0 && m_text[end - 1] == '(') {
        end = before_blanks(end - 1);
        return spend(position - end, position) && word_before(end) == "defined";
    }
    const std::string_view word = word_before(end);
    if (!spend(position - end, position) || word == "defined") {
        return word == "defined";
    }
    static constexpr std::array<std::string_view, 6> k_tests = {"ifdef",    "ifndef", "elifdef",
                                                                "elifndef", "undef",  "define"};
    if (std::find(k_tests.begin(), k_tests.end(), word) == k_tests.end()) {
        return false;
    }
    end = before_blanks(end - word.size());
    return end > 0 && (m_text[end - 1] == '#' || (end > 1 && m_text.substr(end - 2, 2) == "%:"));
}

}  // namespace scene_kernels
