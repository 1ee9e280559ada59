#include "model/printable.h"

#include <cstdint>

#include <fmt/format.h>

namespace scene_kernels {

namespace {

struct Decoded {
    std::uint32_t code = 0;
    std::size_t length = 0;  // 0: not valid
};

// The number of bytes that a lead byte announces; 0 for bytes that cannot lead.
std::size_t announced_length(unsigned char lead) {
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead < 0xE0) {
        return 2;
    }
    if (lead >= 0xE0 && lead < 0xF0) {
        return 3;
    }
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

Decoded decode(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = announced_length(lead);
    if (length == 0 || length > text.size()) {
        return {};
    }
    std::uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80U) {
            return {};
        }
        code = (code << 6U) | (byte & 0x3FU);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (overlong || surrogate || code > 0x10FFFF) {
        return {};
    }
    return {code, length};
}

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    return decode(text).length;
}

std::size_t find_bad_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text.substr(at));
        if (length == 0) {
            return at;
        }
        at += length;
    }
    return std::string_view::npos;
}

std::size_t find_control(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Decoded character = decode(text.substr(at));
        if (character.length > 0 && is_control(character.code)) {
            return at;
        }
        at += character.length > 0 ? character.length : 1;
    }
    return std::string_view::npos;
}

std::string printable(std::string_view text, std::size_t limit) {
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        if (at >= limit) {
            return shown + "...";
        }
        const Decoded character = decode(text.substr(at));
        if (character.length == 0) {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
            ++at;
            continue;
        }
        if (character.code == '\n') {
            shown += "\\n";
        } else if (character.code == '\\') {
            shown += "\\\\";
        } else if (is_control(character.code)) {
            shown += fmt::format("\\u{:04x}", character.code);
        } else {
            shown += text.substr(at, character.length);
        }
        at += character.length;
    }
    return shown;
}

std::string quoted(std::string_view text) {
    std::string shown = "\"";
    for (const char c : printable(text)) {
        if (c == '"') {
            shown += '\\';
        }
        shown += c;
    }
    return shown + '"';
}

}  // namespace scene_kernels
