#include "cli/quantities.h"

#include <charconv>
#include <cmath>

#include "base/strings.h"

namespace scene_kernels {

namespace {

struct Unit {
    char letter;
    double factor;
};

constexpr Unit k_sizes[] = {{'K', 1024.0}, {'M', 1048576.0}, {'G', 1073741824.0}, {'T', 1099511627776.0}};
constexpr Unit k_ages[] = {{'s', 1e9}, {'m', 60e9}, {'h', 3600e9}, {'d', 86400e9}};
// Both results fit into 63 bits.
constexpr double k_most = 9e18;

// A number and one unit letter, which may be missing if `optional`; below zero for anything else.
template <std::size_t count>
double parse(std::string_view text, const Unit (&units)[count], bool optional) {
    double number = 0;
    const char *const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (error != std::errc{} || !(number >= 0)) {
        return -1;
    }
    if (stop == end) {
        return optional || number == 0 ? number : -1;
    }
    for (const Unit &unit : units) {
        if (stop + 1 == end && *stop == unit.letter) {
            return number * unit.factor;
        }
    }
    return -1;
}

}  // namespace

Expected<std::uint64_t> parse_size(std::string_view text) {
    const double bytes = parse(text, k_sizes, true);
    if (bytes < 0 || bytes > k_most) {
        return input_error(shell_quoted(std::string(text)) + " is no size; write 500M, 10G or a number of bytes");
    }
    return static_cast<std::uint64_t>(bytes);
}

Expected<std::int64_t> parse_age(std::string_view text) {
    const double nanoseconds = parse(text, k_ages, false);
    if (nanoseconds < 0 || nanoseconds > k_most) {
        return input_error(shell_quoted(std::string(text)) + " is no age; write 14d, 12h, 30m or 90s");
    }
    return static_cast<std::int64_t>(nanoseconds);
}

}  // namespace scene_kernels
