#include "base/strings.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace scene_kernels {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (;;) {
        const std::size_t end = text.find(separator, start);
        parts.emplace_back(text.substr(start, end == std::string_view::npos ? end : end - start));
        if (end == std::string_view::npos) {
            return parts;
        }
        start = end + 1;
    }
}

std::string join(const std::vector<std::string> &parts, std::string_view separator) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) {
            text += separator;
        }
        text += parts[i];
    }
    return text;
}

namespace {

// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, above);
        std::swap(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({row[j - 1] + 1, above[j] + 1, substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string> &candidates) {
    // Words from users are unbounded; names are not, and nothing that long is a misspelling.
    constexpr std::size_t k_longest = 100;
    if (word.size() > k_longest) {
        return std::nullopt;
    }
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string &candidate : candidates) {
        if (candidate.size() > k_longest) {
            continue;
        }
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string shell_quoted(std::string_view word) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("@%_+=:,./-").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) {
        return std::string(word);
    }
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string shell_command(const std::vector<std::string> &argv) {
    std::string text;
    for (const std::string &word : argv) {
        if (!text.empty()) {
            text += ' ';
        }
        text += shell_quoted(word);
    }
    return text;
}

bool is_absolute(std::string_view path) {
    return !path.empty() && path.front() == '/';
}

std::string path_join(std::string_view base, std::string_view path) {
    if (base.empty() || is_absolute(path)) {
        return std::string(path);
    }
    if (path.empty()) {
        return std::string(base);
    }
    std::string joined(base);
    if (joined.back() != '/') {
        joined += '/';
    }
    return joined += path;
}

namespace {

std::string path_cleaned(std::string_view path, bool fold_parents) {
    std::vector<std::string_view> kept;
    const bool absolute = is_absolute(path);
    std::size_t start = 0;
    while (start <= path.size()) {
        std::size_t end = path.find('/', start);
        if (end == std::string_view::npos) {
            end = path.size();
        }
        const std::string_view part = path.substr(start, end - start);
        start = end + 1;
        if (part.empty() || part == ".") {
            continue;
        }
        if (fold_parents && part == "..") {
            if (!kept.empty() && kept.back() != "..") {
                kept.pop_back();
                continue;
            }
            if (absolute) {
                continue;
            }
        }
        kept.push_back(part);
    }
    std::string text = absolute ? "/" : "";
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (i > 0) {
            text += '/';
        }
        text += kept[i];
    }
    return text.empty() ? "." : text;
}

}  // namespace

std::string path_normal(std::string_view path) {
    return path_cleaned(path, true);
}

std::string path_tidy(std::string_view path) {
    return path_cleaned(path, false);
}

std::string_view path_parent(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) {
        return ".";
    }
    return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view path_name(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool path_is_inside(std::string_view path, std::string_view root) {
    if (root == "/") {
        return is_absolute(path);
    }
    return path.substr(0, root.size()) == root && (path.size() == root.size() || path[root.size()] == '/');
}

std::string path_relative(std::string_view path, std::string_view from) {
    const auto parts_of = [](std::string_view text) {
        std::vector<std::string> parts = split(text, '/');
        std::erase(parts, "");
        return parts;
    };
    const std::vector<std::string> target = parts_of(path);
    const std::vector<std::string> base = parts_of(from);
    std::size_t common = 0;
    while (common < target.size() && common < base.size() && target[common] == base[common]) {
        ++common;
    }
    std::vector<std::string> parts(base.size() - common, "..");
    parts.insert(parts.end(), target.begin() + static_cast<std::ptrdiff_t>(common), target.end());
    return parts.empty() ? "." : join(parts, "/");
}

}  // namespace scene_kernels
