#include "action/expand.h"

#include <vector>

#include "base/strings.h"

namespace scene_kernels {

namespace {

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t name_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && is_name_character(text[length])) {
        ++length;
    }
    return length;
}

tl::unexpected<Error> bad_text(std::string_view text, const std::string &cause) {
    return input_error("in \"" + std::string(text) + "\": " + cause);
}

void append(Spelled &out, char c) {
    out.real += c;
    out.logical += c;
}

}  // namespace

Expected<Spelled> Expander::expand(std::string_view text) const {
    Spelled out;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        const bool special = c == '{' || c == '}' || c == '$';
        if (!special || (at + 1 < text.size() && text[at + 1] == c)) {
            append(out, c);
            at += special ? 2 : 1;
            continue;
        }
        if (c == '}') {
            return bad_text(text, "'}' without '{'; write }} for the character itself");
        }
        const bool braces = c == '{' || (at + 1 < text.size() && text[at + 1] == '{');
        const std::size_t start = at + (c == '$' && braces ? 2 : 1);
        const std::size_t length = name_length(text.substr(start));
        const bool closed = !braces || (start + length < text.size() && text[start + length] == '}');
        if (length == 0 || !closed) {
            return bad_text(
                text, std::string("'") + c + "' does not start a name; write " + c + c + " for the character itself");
        }
        const std::string name(text.substr(start, length));
        if (c == '{') {
            const auto found = placeholders.find(name);
            if (found == placeholders.end()) {
                return bad_text(text, "unknown placeholder {" + name + "}");
            }
            out += found->second;
        } else {
            SK_TRY(const Spelled value, variable(name));
            out += value;
        }
        at = start + length + (braces ? 1 : 0);
    }
    return out;
}

}  // namespace scene_kernels
