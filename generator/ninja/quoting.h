// How texts are written into Ninja files and depfiles. Shell quoting is base/strings.h's; the two never mix.
#pragma once

#include <string>
#include <string_view>

namespace scene_kernels {

// A path in a build statement: '$', ' ' and ':' escaped. '|' has no escape and must not occur (see action/graph.cpp).
[[nodiscard]] std::string ninja_path(std::string_view path);
// The value of a variable or command: only '$' needs an escape. No newlines.
[[nodiscard]] std::string ninja_value(std::string_view value);

// Whether Ninja's depfile parser (1.11: a re2c scanner in depfile_parser.in.cc) can read `path` back, once escaped.
[[nodiscard]] bool depfile_can_hold(std::string_view path);
// The path as it stands in a depfile; only where depfile_can_hold() says so.
[[nodiscard]] std::string depfile_path(std::string_view path);

}  // namespace scene_kernels
