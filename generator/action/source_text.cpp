#include "action/source_text.h"

#include <algorithm>
#include <cstring>

namespace scene_kernels {

LogicalText::LogicalText(std::string_view raw) : m_raw(raw) {
    const std::size_t first = raw.find('\\');
    if (first != std::string_view::npos) {
        join(first);
    }
}

void LogicalText::join(std::size_t first_backslash) {
    std::size_t copied = 0;
    std::size_t removed = 0;
    std::size_t backslash = first_backslash;
    m_joined.reserve(m_raw.size());
    while (backslash != std::string_view::npos) {
        std::size_t end = backslash + 1;
        while (end < m_raw.size() && is_blank_byte(m_raw[end]) && m_raw[end] != '\r') {
            ++end;
        }
        if (end < m_raw.size() && m_raw[end] == '\r') {
            ++end;
            if ((end >= m_raw.size() || m_raw[end] != '\n') && !m_disputed) {
                m_disputed = backslash - removed;
            }
        }
        if (end < m_raw.size() && m_raw[end] == '\n') {
            ++end;
            m_joined.append(m_raw, copied, backslash - copied);
            copied = end;
            removed += end - backslash;
            m_splices.push_back({m_joined.size(), removed});
        }
        backslash = m_raw.find('\\', end);
    }
    if (!m_splices.empty()) {
        m_joined.append(m_raw, copied);
    }
}

std::uint32_t LogicalText::line_of(std::size_t position) const {
    const auto after =
        std::upper_bound(m_splices.begin(), m_splices.end(), position,
                         [](std::size_t value, const Splice &splice) { return value < splice.position; });
    const std::size_t raw = position + (after == m_splices.begin() ? 0 : std::prev(after)->removed);
    const auto end = m_raw.begin() + static_cast<std::ptrdiff_t>(std::min(raw, m_raw.size()));
    return static_cast<std::uint32_t>(std::count(m_raw.begin(), end, '\n') + 1);
}

bool LogicalText::spliced_between(std::size_t begin, std::size_t end) const {
    const auto first =
        std::lower_bound(m_splices.begin(), m_splices.end(), begin,
                         [](const Splice &splice, std::size_t value) { return splice.position < value; });
    return first != m_splices.end() && first->position < end;
}

std::optional<std::string> without_trigraphs(std::string_view raw) {
    constexpr std::string_view k_third = "=/'()!<>-";
    constexpr std::string_view k_meaning = "#\\^[]|{}~";
    std::string replaced;
    std::size_t copied = 0;
    std::size_t position = raw.find("\?\?");
    while (position != std::string_view::npos && position + 2 < raw.size()) {
        const std::size_t which = k_third.find(raw[position + 2]);
        if (which == std::string_view::npos) {
            position = raw.find("\?\?", position + 1);
            continue;
        }
        replaced.append(raw, copied, position - copied).push_back(k_meaning[which]);
        copied = position + 3;
        position = raw.find("\?\?", copied);
    }
    if (copied == 0) {
        return std::nullopt;
    }
    replaced.append(raw, copied);
    return replaced;
}

namespace {

struct Dialect {
    bool raw_strings;
    bool digit_separators;
};

// Walks one text in one dialect and lowers the answers to what it finds.
class PlaceLexer {
public:
    PlaceLexer(const LogicalText &source, Dialect dialect, const std::vector<std::size_t> &positions,
               std::vector<PlaceKind> &answers)
        : m_source(source), m_text(source.text()), m_dialect(dialect), m_positions(positions), m_answers(answers) {}

    void run() {
        std::size_t position = 0;
        while (position < m_text.size() && m_next < m_positions.size()) {
            const char c = m_text[position];
            std::size_t end = 0;
            PlaceKind kind = PlaceKind::literal;
            if (c == '/' && starts_comment(position)) {
                end = comment_end(position);
                kind = PlaceKind::comment;
            } else if (c == '"') {
                end = string_end(position);
            } else if (c == '\'' && !(m_dialect.digit_separators && is_separator(position))) {
                end = literal_end(position);
            } else {
                ++position;
                continue;
            }
            if (end == k_doubt) {
                break;
            }
            answer_up_to(position + 1, PlaceKind::code);
            answer_up_to(end, kind);
            position = end;
        }
        answer_up_to(std::string_view::npos, PlaceKind::code);
    }

private:
    static constexpr std::size_t k_doubt = std::string_view::npos;

    void answer_up_to(std::size_t end, PlaceKind kind) {
        for (; m_next < m_positions.size() && m_positions[m_next] < end; ++m_next) {
            m_answers[m_next] = std::min(m_answers[m_next], kind);
        }
    }

    [[nodiscard]] bool starts_comment(std::size_t position) const {
        return position + 1 < m_text.size() && (m_text[position + 1] == '/' || m_text[position + 1] == '*');
    }

    [[nodiscard]] std::size_t comment_end(std::size_t position) const {
        if (maybe_in_header_name(position)) {
            return k_doubt;
        }
        const bool block = m_text[position + 1] == '*';
        const std::size_t found = block ? m_text.find("*/", position + 2) : m_text.find('\n', position);
        return found == std::string_view::npos ? m_text.size() : found + (block ? 2 : 1);
    }

    // `#include <a//b>` has no comment in it.
    [[nodiscard]] bool maybe_in_header_name(std::size_t position) const {
        constexpr std::size_t k_longest = 512;
        const std::size_t line = position == 0 ? std::string_view::npos : m_text.rfind('\n', position - 1);
        const std::size_t start = line == std::string_view::npos ? 0 : line + 1;
        if (position - start > k_longest) {
            return true;
        }
        const std::string_view before = m_text.substr(start, position - start);
        const auto mentions = [before](std::string_view word) { return before.find(word) != std::string_view::npos; };
        const std::size_t open = before.rfind('<');
        const bool closed = open == std::string_view::npos || before.find('>', open) != std::string_view::npos;
        return !closed && (mentions("include") || mentions("embed") || mentions("import"));
    }

    // Behind a literal that starts with the quote at `position`; in doubt where its line ends first.
    [[nodiscard]] std::size_t literal_end(std::size_t position) const {
        const char quote = m_text[position];
        for (std::size_t i = position + 1; i < m_text.size() && m_text[i] != '\n'; ++i) {
            if (m_text[i] == quote) {
                return i + 1;
            }
            i += m_text[i] == '\\' ? 1U : 0U;
        }
        return k_doubt;
    }

    [[nodiscard]] std::size_t string_end(std::size_t position) const {
        if (!m_dialect.raw_strings || position == 0 || m_text[position - 1] != 'R') {
            return literal_end(position);
        }
        std::size_t word = position;
        while (word > 0 && position - word < 4 && is_word_byte(m_text[word - 1])) {
            --word;
        }
        const std::string_view prefix = m_text.substr(word, position - word);
        if (prefix != "R" && prefix != "LR" && prefix != "uR" && prefix != "UR" && prefix != "u8R") {
            return literal_end(position);
        }
        const std::size_t open = m_text.substr(0, position + 18).find('(', position);
        if (open == std::string_view::npos) {
            return k_doubt;
        }
        std::string closing(1, ')');
        closing.append(m_text.substr(position + 1, open - position - 1)).push_back('"');
        const std::size_t found = m_text.find(closing, open);
        const std::size_t end = found == std::string_view::npos ? m_text.size() : found + closing.size();
        // Splices do not count in raw strings, so this may not be its end.
        return m_source.spliced_between(position, end) ? k_doubt : end;
    }

    // Whether the quote at `position` is inside a number, such as 1'000.
    [[nodiscard]] bool is_separator(std::size_t position) const {
        constexpr std::size_t k_longest = 128;
        std::size_t start = position;
        while (start > 0 && position - start < k_longest &&
               (is_word_byte(m_text[start - 1]) || m_text[start - 1] == '.' || m_text[start - 1] == '\'')) {
            --start;
        }
        const auto digit = [this](std::size_t i) { return m_text[i] >= '0' && m_text[i] <= '9'; };
        return start < position && position + 1 < m_text.size() && is_word_byte(m_text[position + 1]) &&
               (digit(start) || (m_text[start] == '.' && digit(start + 1)));
    }

    const LogicalText &m_source;
    std::string_view m_text;
    Dialect m_dialect;
    const std::vector<std::size_t> &m_positions;
    std::vector<PlaceKind> &m_answers;
    std::size_t m_next = 0;
};

// A carriage return alone ends a line for Clang but not for GCC.
bool has_lone_return(std::string_view text) {
    for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
        if (at + 1 >= text.size() || text[at + 1] != '\n') {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<PlaceKind> classify_places(const LogicalText &source, const std::vector<std::size_t> &positions) {
    if (positions.empty() || has_lone_return(source.text())) {
        return std::vector<PlaceKind>(positions.size(), PlaceKind::code);
    }
    std::vector<PlaceKind> answers(positions.size(), PlaceKind::comment);
    for (const Dialect dialect :
         {Dialect{true, true}, Dialect{true, false}, Dialect{false, true}, Dialect{false, false}}) {
        PlaceLexer(source, dialect, positions, answers).run();
    }
    return answers;
}

}  // namespace scene_kernels
