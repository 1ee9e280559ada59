#include "model/json_document.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t k_max_repeated_keys = 100;

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Walks over the tokens of a text in step with the parser's events. The parser does not tell where its tokens stand;
// but what it has accepted is valid, so that finding their ends again takes no knowledge of the grammar.
class TokenWalker {
public:
    explicit TokenWalker(std::string_view text) : m_text(text) {
        if (text.starts_with(k_byte_order_mark)) {
            m_at = k_byte_order_mark.size();
        }
    }

    // Where the next token other than a comma or colon starts; the text's end if there is none.
    [[nodiscard]] std::size_t peek() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (is_space(c) || c == ',' || c == ':') {
                ++m_at;
            } else if (m_text.substr(m_at).starts_with("//")) {
                m_at = end_of(m_text.find_first_of("\r\n", m_at));
            } else if (m_text.substr(m_at).starts_with("/*") && m_text.find("*/", m_at + 2) != std::string_view::npos) {
                m_at = m_text.find("*/", m_at + 2) + 2;
            } else {
                break;
            }
        }
        return m_at;
    }

    // The same, and goes behind that token.
    std::size_t next() {
        const std::size_t start = peek();
        if (start == m_text.size()) {
            return start;
        }
        const char first = m_text[start];
        if (first == '"') {
            m_at = string_end(start + 1);
        } else if (std::string_view("[]{}").find(first) != std::string_view::npos) {
            m_at = start + 1;
        } else {
            m_at = end_of(m_text.find_first_of(" \t\r\n,:[]{}/\"", start));
        }
        return start;
    }

private:
    [[nodiscard]] std::size_t end_of(std::size_t found) const {
        return found == std::string_view::npos ? m_text.size() : found;
    }
    [[nodiscard]] std::size_t string_end(std::size_t at) const {
        while (at < m_text.size() && m_text[at] != '"') {
            at += m_text[at] == '\\' ? 2U : 1U;
        }
        return std::min(at + 1, m_text.size());
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

// What a syntax error of the parser means to a person. The first row whose text is part of the parser's message wins.
struct SyntaxCause {
    std::string_view part;
    std::string_view cause;
    bool at_token;  // the message is about the whole token, not about the last byte that was read
};
constexpr std::array k_syntax_causes{
    SyntaxCause{"missing closing quote", "the string that starts here has no closing quote", true},
    SyntaxCause{"invalid string: control character", "a string may not hold a line break or another control character",
                false},
    SyntaxCause{"forbidden character after backslash",
                R"(unknown escape in a string; valid are \" \\ \/ \b \f \n \r \t and \uXXXX)", false},
    SyntaxCause{"4 hex digits", R"(\u needs four hexadecimal digits)", false},
    SyntaxCause{"surrogate", R"(half of a surrogate pair; a character beyond U+FFFF needs two \u escapes)", false},
    SyntaxCause{"missing closing '*/'", "the comment that starts here has no closing */", true},
    SyntaxCause{"invalid comment", "a comment starts with // or /*", false},
    SyntaxCause{"number overflow", "the number is out of range", true},
    SyntaxCause{"invalid number", "malformed number", true},
    SyntaxCause{"parsing object key - invalid literal", "a key in double quotes is expected here", true},
    SyntaxCause{"invalid literal",
                "not a JSON value; values are true, false, null, numbers, [...], {...} and text in double quotes",
                true},
    SyntaxCause{"; expected end of input", "more text behind the end of the top-level value", true},
    SyntaxCause{"unexpected end of input", "the text ends too early; a value or a closing bracket is missing", false},
    SyntaxCause{"parsing object key - unexpected ','", "a key and its value are missing before this comma", false},
    SyntaxCause{"while parsing object key", "a key in double quotes is expected here", true},
    SyntaxCause{"while parsing object separator", "a colon is expected between a key and its value", true},
    SyntaxCause{"while parsing object", "a comma or } is missing before this", true},
    SyntaxCause{"while parsing array", "a comma or ] is missing before this", true},
    SyntaxCause{"unexpected ','", "a value is missing before this comma", false},
    SyntaxCause{"unexpected ']'", "a value is missing before this bracket", false},
    SyntaxCause{"unexpected '}'", "a value is missing before this brace", false},
};

// Builds the tree from the parser's events. The parser is iterative, and the depth is bounded before the tree is, so
// neither building nor destroying it can exhaust the stack.
class TreeBuilder {
public:
    TreeBuilder(JsonDocument &document) : m_document(document), m_walker(document.text) {}

    // Set when the text is refused.
    std::string cause;
    std::size_t cause_offset = 0;

    bool null() { return leaf(JsonKind::null) != nullptr; }
    bool boolean(bool value) {
        JsonValue *const added = leaf(JsonKind::boolean);
        return added != nullptr && ((added->boolean = value), true);
    }
    bool number_integer(std::int64_t value) {
        JsonValue *const added = leaf(JsonKind::integer);
        return added != nullptr && ((added->integer = value), true);
    }
    bool number_unsigned(std::uint64_t value) {
        return std::in_range<std::int64_t>(value) ? number_integer(static_cast<std::int64_t>(value))
                                                  : leaf(JsonKind::number) != nullptr;
    }
    bool number_float(double /*value*/, const std::string & /*text*/) { return leaf(JsonKind::number) != nullptr; }
    bool string(std::string &value) {
        JsonValue *const added = leaf(JsonKind::string);
        return added != nullptr && ((added->string = std::move(value)), true);
    }
    bool binary(nlohmann::json::binary_t & /*value*/) { return false; }  // JSON texts have none
    bool start_object(std::size_t /*size*/) { return open(JsonKind::object); }
    bool start_array(std::size_t /*size*/) { return open(JsonKind::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string &name) {
        const std::size_t offset = m_walker.next();
        const auto [first, is_new] = m_open.back().keys.emplace(name, offset);
        if (!is_new && m_document.repeated_keys.size() < k_max_repeated_keys) {
            m_document.repeated_keys.push_back({offset, first->second});
        }
        m_open.back().value->members.push_back({std::move(name), offset, {}});
        return true;
    }

    bool parse_error(std::size_t position, const std::string & /*token*/, const nlohmann::json::exception &error) {
        std::string_view what = error.what();
        what = what.substr(0, what.find("; last read: "));
        cause_offset = position > 0 ? position - 1 : 0;
        const auto *row = std::find_if(k_syntax_causes.begin(), k_syntax_causes.end(), [what](const SyntaxCause &it) {
            return what.find(it.part) != std::string_view::npos;
        });
        if (row == k_syntax_causes.end()) {
            cause = printable(what);
            return false;
        }
        cause = row->cause;
        const std::size_t token = m_walker.peek();
        // The walker goes over commas and colons: a message about one of those is about the last byte that was read.
        const bool is_separator = what.find("unexpected ','") != std::string_view::npos ||
                                  what.find("unexpected ':'") != std::string_view::npos;
        if (row->at_token && !is_separator) {
            cause_offset = std::min(token, cause_offset);
        }
        explain_comma();
        if (m_open.empty() && m_document.root.kind == JsonKind::null && token == m_document.text.size()) {
            cause = "the file holds no JSON value: it is empty, or white space and comments only";
        }
        return false;
    }

private:
    struct Open {
        JsonValue *value;  // stays valid: only the innermost open container grows
        std::map<std::string, std::size_t> keys;
    };

    bool refuse(std::size_t offset, std::string why) {
        cause = std::move(why);
        cause_offset = offset;
        return false;
    }

    // A comma right before a closing bracket is the most common slip of all.
    void explain_comma() {
        const std::string_view text = m_document.text;
        if (cause_offset >= text.size() || (text[cause_offset] != ']' && text[cause_offset] != '}')) {
            return;
        }
        std::size_t before = cause_offset;
        while (before > 0 && is_space(text[before - 1])) {
            --before;
        }
        if (before > 0 && text[before - 1] == ',') {
            cause = fmt::format("no comma may stand before {}", text[cause_offset]);
        }
    }

    JsonValue *leaf(JsonKind kind) {
        const std::size_t offset = m_walker.next();
        if (++m_values > k_max_json_values) {
            refuse(offset, fmt::format("more than {} values", k_max_json_values));
            return nullptr;
        }
        JsonValue *added = &m_document.root;
        if (!m_open.empty()) {
            JsonValue &parent = *m_open.back().value;
            added = parent.kind == JsonKind::object ? &parent.members.back().value : &parent.elements.emplace_back();
        }
        added->kind = kind;
        added->offset = offset;
        return added;
    }

    bool open(JsonKind kind) {
        JsonValue *const added = leaf(kind);
        if (added == nullptr) {
            return false;
        }
        if (m_open.size() >= k_max_json_depth) {
            return refuse(added->offset, fmt::format("nested deeper than {} levels", k_max_json_depth));
        }
        m_open.push_back({added, {}});
        return true;
    }

    bool close() {
        m_walker.next();
        m_open.pop_back();
        return true;
    }

    JsonDocument &m_document;
    TokenWalker m_walker;
    std::vector<Open> m_open;
    std::size_t m_values = 0;
};

tl::unexpected<Error> syntax_error(const JsonDocument &document, std::size_t offset, std::string_view cause) {
    return input_error(fmt::format("{}:{}: {}", document.path, line_and_column(document.text, offset), cause));
}

std::string escaped_key(std::string_view key) {
    std::string text;
    for (const char c : printable(key, 60)) {
        if (c == '~') {
            text += "~0";
        } else if (c == '/') {
            text += "~1";
        } else {
            text += c;
        }
    }
    return text;
}

}  // namespace

Expected<JsonDocument> parse_json(const std::string &path, std::string_view text) {
    JsonDocument document{printable(path, 4096), std::string(text), {}, {}};
    if (const std::size_t bad = find_bad_utf8(text); bad != std::string_view::npos) {
        return syntax_error(document, bad,
                            fmt::format("byte 0x{:02x} is not valid UTF-8 here; save the file as UTF-8",
                                        static_cast<unsigned char>(text[bad])));
    }
    // The parser takes a NUL for the end of the text and would ignore what stands behind it.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return syntax_error(document, nul, "a NUL byte; the file is no text");
    }
    TreeBuilder builder(document);
    try {
        if (nlohmann::json::sax_parse(document.text, &builder, nlohmann::json::input_format_t::json, true, true)) {
            return document;
        }
    } catch (const std::exception &error) {
        return input_error(document.path + ": cannot be parsed: " + printable(error.what()));
    }
    return syntax_error(document, builder.cause_offset, builder.cause);
}

const JsonMember *find_member(const JsonValue &value, std::string_view key) {
    const auto found = std::find_if(value.members.begin(), value.members.end(),
                                    [key](const JsonMember &member) { return member.key == key; });
    return found == value.members.end() ? nullptr : &*found;
}

std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t line_break = before.rfind('\n');
    std::string_view in_line = line_break == std::string_view::npos ? before : before.substr(line_break + 1);
    if (line == 1 && in_line.starts_with(k_byte_order_mark)) {
        in_line.remove_prefix(k_byte_order_mark.size());
    }
    const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return fmt::format("{}:{}", line, std::count_if(in_line.begin(), in_line.end(), is_first_byte) + 1);
}

std::string json_pointer(const JsonValue &root, std::size_t offset) {
    std::string pointer;
    const JsonValue *value = &root;
    while (offset > value->offset) {
        // The last child that starts at or before the offset; children stand in the text's order.
        if (value->kind == JsonKind::object && !value->members.empty()) {
            auto next = std::upper_bound(value->members.begin(), value->members.end(), offset,
                                         [](std::size_t at, const JsonMember &it) { return at < it.key_offset; });
            if (next == value->members.begin()) {
                break;
            }
            --next;
            pointer += '/' + escaped_key(next->key);
            value = &next->value;
        } else if (value->kind == JsonKind::array && !value->elements.empty()) {
            auto next = std::upper_bound(value->elements.begin(), value->elements.end(), offset,
                                         [](std::size_t at, const JsonValue &it) { return at < it.offset; });
            if (next == value->elements.begin()) {
                break;
            }
            --next;
            pointer += '/' + std::to_string(next - value->elements.begin());
            value = &*next;
        } else {
            break;
        }
    }
    return pointer;
}

const char *json_kind_text(JsonKind kind) {
    switch (kind) {
        case JsonKind::null:
            return "null";
        case JsonKind::boolean:
            return "a boolean";
        case JsonKind::integer:
            return "an integer";
        case JsonKind::number:
            return "a number";
        case JsonKind::string:
            return "a string";
        case JsonKind::array:
            return "a list";
        case JsonKind::object:
            return "an object";
    }
    return "nothing";
}

}  // namespace scene_kernels
