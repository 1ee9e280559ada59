// What all fuzz targets share: the input as text, its parts, and checks that end the run with what does not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace scene_kernels {

inline std::string_view text_of(const std::uint8_t *data, std::size_t size) {
    return {reinterpret_cast<const char *>(data), size};
}

inline void check(bool holds, const char *what, std::string_view detail = {}) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n%.*s\n", what, static_cast<int>(detail.size()), detail.data());
        std::abort();
    }
}

// Targets that need several texts have them in one input, a line `%%` between them. Missing ones are
// empty; the last one is all of the rest.
inline std::vector<std::string> parts_of(std::string_view text, std::size_t count) {
    constexpr std::string_view k_separator = "%%\n";
    std::vector<std::string> parts(count);
    std::size_t part = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
        text.remove_prefix(line.size());
        if (line == k_separator && part + 1 < count) {
            ++part;
        } else {
            parts[part] += line;
        }
    }
    return parts;
}

// No message of ours is longer, whatever the input was.
inline constexpr std::size_t k_longest_message = 64U << 10U;

// An error is of `kind`, says something, and says it on lines that a terminal can show.
inline void check_error(const Error &error, ErrorKind kind) {
    check(error.kind == kind, "the kind of the error", error.message);
    check(!error.message.empty() && error.message.size() <= k_longest_message, "the length of a message",
          error.message);
    for (const char c : error.message) {
        const auto byte = static_cast<unsigned char>(c);
        check((byte >= 0x20 && byte != 0x7F) || c == '\n' || c == '\t', "a message without control characters",
              error.message);
    }
}

// Every line of the error starts with `path` and a place in it, or with `path` alone.
inline void check_places(const Error &error, std::string_view path) {
    std::string_view rest = error.message;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        check(line.starts_with(path) && line.substr(path.size()).starts_with(":"), "a line that says where", line);
        rest.remove_prefix(line.size());
        rest.remove_prefix(rest.empty() ? 0 : 1);
    }
}

}  // namespace scene_kernels
