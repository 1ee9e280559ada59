#include "shrink.h"

#include <algorithm>
#include <optional>

namespace scene_kernels::volume {

namespace {

std::ptrdiff_t offset(std::size_t index) {
    return static_cast<std::ptrdiff_t>(index);
}

// The shortest end of 1, 2, 4, ... members that fails.
Indices failing_end(const Indices &indices, const std::function<bool(const Indices &)> &fails) {
    for (std::size_t size = 1; size < indices.size(); size *= 2) {
        const Indices end(indices.end() - offset(size), indices.end());
        if (fails(end)) {
            return end;
        }
    }
    return indices;
}

// What fails of `indices` without one of `parts` equal parts.
std::optional<Indices> without_a_part(const Indices &indices, std::size_t parts,
                                      const std::function<bool(const Indices &)> &fails) {
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t from = indices.size() * part / parts;
        const std::size_t to = indices.size() * (part + 1) / parts;
        Indices rest(indices.begin(), indices.begin() + offset(from));
        rest.insert(rest.end(), indices.begin() + offset(to), indices.end());
        if (fails(rest)) {
            return rest;
        }
    }
    return std::nullopt;
}

}  // namespace

Indices shrink(const Indices &indices, const std::function<bool(const Indices &)> &fails) {
    Indices shortest = failing_end(indices, fails);
    std::size_t parts = 2;
    while (shortest.size() > 1) {
        parts = std::min(parts, shortest.size());
        if (const auto rest = without_a_part(shortest, parts, fails)) {
            shortest = *rest;
            parts = std::max<std::size_t>(parts - 1, 2);
        } else if (parts == shortest.size()) {
            break;
        } else {
            parts *= 2;
        }
    }
    return shortest;
}

}  // namespace scene_kernels::volume
