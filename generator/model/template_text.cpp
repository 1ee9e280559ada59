#include "model/template_text.h"

#include <fmt/format.h>

#include "model/names.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

class TemplateSplitter {
public:
    explicit TemplateSplitter(std::string_view text) : m_text(text) {}

    Expected<std::vector<TemplatePiece>> split() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            const char next = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
            const bool is_special = c == '{' || c == '}' || c == '$';
            if (!is_special || next == c) {
                m_literal += c;
                m_at += is_special ? 2U : 1U;
            } else if (c == '}') {
                return input_error("a \"}\" without \"{\"; write \"}}\" for the character itself");
            } else if (c == '$' && next != '{') {
                return input_error("\"$\" must start ${VARIABLE}; write \"$$\" for the character itself");
            } else {
                SK_CHECK(take_name(c == '$' ? TemplatePart::variable : TemplatePart::placeholder));
            }
        }
        end_literal();
        return std::move(m_pieces);
    }

private:
    Expected<void> take_name(TemplatePart part) {
        const bool is_variable = part == TemplatePart::variable;
        const std::size_t start = m_at + (is_variable ? 2U : 1U);
        const std::size_t end = m_text.find('}', start);
        if (end == std::string_view::npos) {
            return input_error(is_variable ? "\"${\" without \"}\"; write \"$$\" for the dollar sign itself"
                                           : "\"{\" without \"}\"; write \"{{\" for the character itself");
        }
        const std::string_view name = m_text.substr(start, end - start);
        if (!is_identifier(name)) {
            return input_error(
                fmt::format("{} is no valid name of a {}", quoted(name), is_variable ? "variable" : "placeholder"));
        }
        end_literal();
        m_pieces.push_back({part, std::string(name)});
        m_at = end + 1;
        return {};
    }

    void end_literal() {
        if (!m_literal.empty()) {
            m_pieces.push_back({TemplatePart::literal, m_literal});
            m_literal.clear();
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_literal;
    std::vector<TemplatePiece> m_pieces;
};

}  // namespace

Expected<std::vector<TemplatePiece>> split_template(std::string_view text) {
    return TemplateSplitter(text).split();
}

std::string escaped_for_template(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '{' || c == '}' || c == '$') {
            escaped += c;
        }
        escaped += c;
    }
    return escaped;
}

}  // namespace scene_kernels
