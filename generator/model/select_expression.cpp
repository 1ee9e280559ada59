#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "model/names.h"
#include "model/printable.h"
#include "model/selection.h"

namespace scene_kernels {

namespace {

constexpr std::size_t k_max_length = 4096;  // bytes
constexpr int k_max_depth = 100;

enum class NodeKind : std::uint8_t { all, any, negation, word, scene, callable, label };

// ASCII only: names hold nothing else, and the result must not depend on the locale.
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
    return result;
}

bool has_label(const Scene &scene, const std::string &label) {
    return std::find(scene.labels.begin(), scene.labels.end(), label) != scene.labels.end();
}

}  // namespace

struct SelectExpression::Node {
    NodeKind kind = NodeKind::word;
    std::string text;                                   // of a word, or of what stands behind a prefix
    std::vector<std::shared_ptr<const Node>> operands;  // never nested deeper than k_max_depth

    [[nodiscard]] bool matches(const Scene &scene, const Callable &callable) const {
        const auto holds = [&scene, &callable](const auto &operand) { return operand->matches(scene, callable); };
        switch (kind) {
            case NodeKind::all:
                return std::all_of(operands.begin(), operands.end(), holds);
            case NodeKind::any:
                return std::any_of(operands.begin(), operands.end(), holds);
            case NodeKind::negation:
                return !holds(operands.front());
            case NodeKind::scene:
                return scene.name == text;
            case NodeKind::callable:
                return callable.name == text;
            case NodeKind::label:
                return has_label(scene, text);
            case NodeKind::word:
                break;
        }
        const std::string part = lower(text);
        return lower(scene.name).find(part) != std::string::npos ||
               lower(callable.name).find(part) != std::string::npos || has_label(scene, text);
    }
};

namespace {

using Node = SelectExpression::Node;
using NodePointer = std::shared_ptr<const Node>;

constexpr std::array k_prefixes{std::pair<std::string_view, NodeKind>{"scene:", NodeKind::scene},
                                std::pair<std::string_view, NodeKind>{"callable:", NodeKind::callable},
                                std::pair<std::string_view, NodeKind>{"label:", NodeKind::label}};

struct Token {
    std::string_view text;   // empty at the end
    std::size_t offset = 0;  // of its first byte
};

// Recursive descent, `or` < `and` < `not`; every way into a deeper level passes parse_not, which counts.
class SelectParser {
public:
    explicit SelectParser(std::string_view text) : m_text(text) {}

    // Nothing for a text of white space.
    Expected<NodePointer> parse() {
        if (m_text.size() > k_max_length) {
            return input_error(
                fmt::format("selection: is {} bytes long; at most {} are taken", m_text.size(), k_max_length));
        }
        SK_CHECK(advance());
        if (m_token.text.empty()) {
            return NodePointer();
        }
        SK_TRY(NodePointer root, parse_list("or", 0));
        if (!m_token.text.empty()) {
            return unexpected("\"and\", \"or\" or the end");
        }
        return root;
    }

private:
    // One or more operands with `separator` ("or", whose operands are lists with "and") between them.
    Expected<NodePointer> parse_list(std::string_view separator, int depth) {
        const bool is_or = separator == "or";
        std::vector<NodePointer> operands;
        for (;;) {
            SK_TRY(NodePointer operand, is_or ? parse_list("and", depth) : parse_not(depth));
            operands.push_back(std::move(operand));
            if (m_token.text != separator) {
                break;
            }
            SK_CHECK(advance());
        }
        if (operands.size() == 1) {
            return std::move(operands.front());
        }
        return std::make_shared<Node>(Node{is_or ? NodeKind::any : NodeKind::all, "", std::move(operands)});
    }

    Expected<NodePointer> parse_not(int depth) {
        if (depth >= k_max_depth) {
            return error_at(m_token.offset, fmt::format("nested deeper than {} levels", k_max_depth));
        }
        if (m_token.text == "not") {
            SK_CHECK(advance());
            SK_TRY(NodePointer operand, parse_not(depth + 1));
            return std::make_shared<Node>(Node{NodeKind::negation, "", {std::move(operand)}});
        }
        if (m_token.text == "(") {
            SK_CHECK(advance());
            SK_TRY(NodePointer inner, parse_list("or", depth + 1));
            if (m_token.text != ")") {
                return unexpected("\"and\", \"or\" or \")\"");
            }
            SK_CHECK(advance());
            return inner;
        }
        return parse_word();
    }

    Expected<NodePointer> parse_word() {
        const std::string_view word = m_token.text;
        if (word.empty() || word == ")" || word == "and" || word == "or") {
            return unexpected("a word, \"not\" or \"(\"");
        }
        Node node{NodeKind::word, std::string(word), {}};
        for (const auto &[prefix, kind] : k_prefixes) {
            if (word.starts_with(prefix)) {
                node = {kind, std::string(word.substr(prefix.size())), {}};
            }
        }
        if (node.text.empty()) {
            return error_at(m_token.offset + word.size(), fmt::format("expected a name behind {}", quoted(word)));
        }
        SK_CHECK(advance());
        return std::make_shared<Node>(std::move(node));
    }

    Expected<void> advance() {
        while (m_at < m_text.size() && std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos) {
            ++m_at;
        }
        std::size_t end = m_at;
        while (end < m_text.size() && is_selection_character(m_text[end])) {
            ++end;
        }
        if (end == m_at && end < m_text.size()) {
            if (m_text[end] != '(' && m_text[end] != ')') {
                const std::size_t length = std::max<std::size_t>(1, utf8_length(m_text.substr(end)));
                return error_at(end, fmt::format("{} cannot be part of a word; letters, digits and any of "
                                                 "_ . + / : [ ] - can",
                                                 quoted(m_text.substr(end, length))));
            }
            ++end;
        }
        m_token = {m_text.substr(m_at, end - m_at), m_at};
        m_at = end;
        return {};
    }

    [[nodiscard]] tl::unexpected<Error> unexpected(std::string_view expected) const {
        const std::string found = m_token.text.empty() ? "the end" : quoted(m_token.text);
        return error_at(m_token.offset, fmt::format("expected {}, found {}", expected, found));
    }

    // Columns count characters, as editors and terminals do.
    [[nodiscard]] tl::unexpected<Error> error_at(std::size_t offset, const std::string &cause) const {
        const std::string_view before = m_text.substr(0, offset);
        const auto column = std::count_if(before.begin(), before.end(),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }) +
                            1;
        return input_error(fmt::format("selection {}: column {}: {}", quoted(m_text), column, cause));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    Token m_token;
};

}  // namespace

SelectExpression::SelectExpression() = default;
SelectExpression::~SelectExpression() = default;
SelectExpression::SelectExpression(SelectExpression &&) noexcept = default;
SelectExpression &SelectExpression::operator=(SelectExpression &&) noexcept = default;

Expected<SelectExpression> SelectExpression::parse(std::string_view text) {
    SelectExpression expression;
    SK_TRY(expression.m_root, SelectParser(text).parse());
    return expression;
}

bool SelectExpression::matches(const Scene &scene, const Callable &callable) const {
    return m_root == nullptr || m_root->matches(scene, callable);
}

}  // namespace scene_kernels
