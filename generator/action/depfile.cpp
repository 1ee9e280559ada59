#include "action/depfile.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

namespace scene_kernels {

namespace {

// Names in the order of first appearance.
class NameList {
public:
    void add(std::string name) {
        if (m_seen.insert(name).second) {
            m_names.push_back(std::move(name));
        }
    }
    std::vector<std::string> take() { return std::move(m_names); }

private:
    std::vector<std::string> m_names;
    std::unordered_set<std::string> m_seen;
};

std::string at_line(std::string_view text, std::size_t position, const char *what) {
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n');
    return "dependency file, line " + std::to_string(lines + 1) + ": " + what;
}

// Rules with escapes, as Make would read them where the writer meant that.
class RuleReader {
public:
    RuleReader(std::string_view text, DepfileWriter writer)
        : m_text(text), m_assembler(writer == DepfileWriter::assembler) {}

    Expected<std::vector<std::string>> read() {
        while (m_position < m_text.size()) {
            if (const std::size_t length = newline_at(m_position); length > 0) {
                SK_CHECK(end_rule());
                m_position += length;
            } else if (const std::size_t skipped = separator_at(m_position); skipped > 0) {
                m_position += skipped;
            } else {
                SK_CHECK(read_word());
            }
        }
        SK_CHECK(end_rule());
        if (!m_any_rule) {
            return failure("the dependency file is empty: the tool that writes it did not name what it read");
        }
        return m_names.take();
    }

private:
    // Length of the line end at `position`, 0 where there is none.
    [[nodiscard]] std::size_t newline_at(std::size_t position) const {
        if (position >= m_text.size()) {
            return 0;
        }
        if (m_text[position] == '\n') {
            return 1;
        }
        return m_text.substr(position, 2) == "\r\n" ? 2 : 0;
    }

    // Length of the blank or continuation at `position`, between words.
    [[nodiscard]] std::size_t separator_at(std::size_t position) const {
        const char c = m_text[position];
        if (c == ' ' || c == '\t') {
            return 1;
        }
        const std::size_t newline = c == '\\' ? newline_at(position + 1) : 0;
        return newline > 0 ? 1 + newline : 0;
    }

    // Whether a word ends before `position`. Clang and lld leave tabs inside of names as they are, and no tool
    // separates names with one, so a tab ends a word only where another separator or the line's end follows.
    [[nodiscard]] bool word_ends(std::size_t position) const {
        if (position >= m_text.size() || m_text[position] == ' ' || newline_at(position) > 0) {
            return true;
        }
        const std::size_t next = position + 1;
        return m_text[position] == '\t' && (next >= m_text.size() || newline_at(next) > 0 || separator_at(next) > 0);
    }

    [[nodiscard]] bool separator_colon(std::size_t position) const {
        const std::size_t next = position + 1;
        return m_text[position] == ':' && !m_in_inputs &&
               (next >= m_text.size() || newline_at(next) > 0 || separator_at(next) > 0);
    }

    Expected<void> read_word() {
        std::string word;
        const std::size_t start = m_position;
        while (m_position < m_text.size() && !word_ends(m_position)) {
            const char c = m_text[m_position];
            if (c == '\\') {
                SK_TRY(const bool more, read_backslashes(word));
                if (!more) {
                    break;
                }
            } else if (separator_colon(m_position)) {
                ++m_position;
                m_in_inputs = true;
                return {};
            } else if (c == '\0') {
                return failure(at_line(m_text, m_position, "a NUL byte; no tool writes that"));
            } else {
                m_position += m_text.substr(m_position, 2) == "$$" ? 2U : 1U;
                word += c;
            }
        }
        if (m_in_inputs) {
            m_names.add(std::move(word));
        } else if (!m_target_start) {
            m_target_start = start;
        }
        return {};
    }

    // A run of backslashes and, where it is escaped, the byte behind it. False where the run ends the word.
    Expected<bool> read_backslashes(std::string &word) {
        std::size_t end = m_text.find_first_not_of('\\', m_position);
        if (end == std::string_view::npos) {
            end = m_text.size();
        }
        const std::size_t run = end - m_position;
        const bool odd = run % 2 == 1;
        m_position = end;
        if (end == m_text.size() && odd) {
            return failure(at_line(m_text, end, "ends with an unfinished escape: it was cut off"));
        }
        if (end < m_text.size() && m_text[end] == '#' && !m_assembler) {
            word.append(run - 1, '\\').push_back('#');  // GCC does not double the backslashes before "\#"
            ++m_position;
            return true;
        }
        if (end < m_text.size() && odd && (m_text[end] == ' ' || m_text[end] == '\t')) {
            word.append(run / 2, '\\').push_back(m_text[end]);
            ++m_position;
            return true;
        }
        if (end < m_text.size() && odd && newline_at(end) > 0) {
            word.append(run - 1, '\\');
            --m_position;  // the last one continues the line
            return false;
        }
        // GCC leaves backslashes at the end of a name alone; GNU as doubles them.
        word.append(m_assembler && word_ends(end) ? run / 2 : run, '\\');
        return true;
    }

    Expected<void> end_rule() {
        if (m_in_inputs) {
            m_any_rule = true;
        } else if (m_target_start) {
            return failure(
                at_line(m_text, *m_target_start, "a rule without a colon; \"TARGET: INPUT...\" is expected"));
        }
        m_in_inputs = false;
        m_target_start.reset();
        return {};
    }

    std::string_view m_text;
    bool m_assembler;
    std::size_t m_position = 0;
    bool m_in_inputs = false;
    bool m_any_rule = false;
    std::optional<std::size_t> m_target_start;
    NameList m_names;
};

constexpr std::string_view k_raw_separator = " \\\n  ";

// GNU ld and gold: `TARGET: \`, then the names, then a blank line and the phony rules.
bool is_raw_linker_file(std::string_view text) {
    const std::size_t line_end = text.find('\n');
    const std::string_view first = text.substr(0, line_end == std::string_view::npos ? text.size() : line_end + 1);
    return first.ends_with(": \\\n") && text.substr(first.size(), 2) == "  ";
}

Expected<std::vector<std::string>> parse_raw_linker_file(std::string_view text) {
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return failure(at_line(text, nul, "a NUL byte; no tool writes that"));
    }
    NameList names;
    std::size_t start = text.find('\n') + 3;
    for (;;) {
        const std::size_t line_end = text.find('\n', start);
        if (line_end == std::string_view::npos) {
            return failure(at_line(text, start, "the last name has no line end: it was cut off"));
        }
        const bool more = line_end >= start + 2 && text.substr(line_end - 2, k_raw_separator.size()) == k_raw_separator;
        const std::size_t name_end = more ? line_end - 2 : line_end;
        if (name_end == start) {
            return failure(at_line(text, start, "an empty name"));
        }
        names.add(std::string(text.substr(start, name_end - start)));
        if (!more) {
            if (line_end + 1 < text.size() && text[line_end + 1] != '\n') {
                return failure(at_line(text, line_end + 1, "a name with a line break in it, or an unknown format"));
            }
            return names.take();
        }
        start = line_end + 3;
    }
}

}  // namespace

Expected<std::vector<std::string>> parse_depfile(std::string_view text, DepfileWriter writer) {
    if (writer == DepfileWriter::linker && is_raw_linker_file(text)) {
        return parse_raw_linker_file(text);
    }
    return RuleReader(text, writer).read();
}

}  // namespace scene_kernels
