// Makes a failing sequence short: delta debugging (Zeller, Hildebrandt: "Simplifying and isolating failure-inducing
// input", 2002) over indices. Knows nothing of what they stand for.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace scene_kernels::volume {

using Indices = std::vector<std::size_t>;

// A subsequence of `indices`, which fails, that fails too, while it does not without any one of its members. The end is
// tried alone first: what goes wrong is mostly owed to what happened lately.
[[nodiscard]] Indices shrink(const Indices &indices, const std::function<bool(const Indices &)> &fails);

}  // namespace scene_kernels::volume
