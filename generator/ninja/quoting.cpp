#include "ninja/quoting.h"

#include <algorithm>

namespace scene_kernels {

std::string ninja_path(std::string_view path) {
    std::string text;
    for (const char c : path) {
        if (c == '$' || c == ' ' || c == ':') {
            text += '$';
        }
        text += c;
    }
    return text;
}

std::string ninja_value(std::string_view value) {
    std::string text;
    for (const char c : value) {
        if (c == '$') {
            text += '$';
        }
        text += c;
    }
    return text;
}

bool depfile_can_hold(std::string_view path) {
    const auto plain = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || byte >= 0x80 ||
               std::string_view("+,/_.~()%=@!- #$").find(c) != std::string_view::npos;
    };
    // Ninja (1.11, CanonicalizePath) makes the empty path of "/", and takes that for a file that is never there.
    return !path.empty() && path != "/" && std::all_of(path.begin(), path.end(), plain);
}

std::string depfile_path(std::string_view path) {
    std::string text;
    for (const char c : path) {
        if (c == ' ' || c == '#') {
            text += '\\';
        } else if (c == '$') {
            text += '$';
        }
        text += c;
    }
    return text;
}

}  // namespace scene_kernels
