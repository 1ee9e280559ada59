// Reads the dependency files that GCC, Clang, GNU as, GNU ld, gold, lld and mold write. Knows nothing of what they
// mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace scene_kernels {

// Every input of every rule in `text`, each once, in the order of first appearance. Targets are left out, and so are
// `-MP` phony targets (rules without inputs). Understands what those tools write: backslash-newline (also CRLF),
// escaped spaces and '#', "$$", several targets, several rules, targets with colons ("C:" is not special: paths are
// POSIX), and GCC's rule that a backslash run before a space is doubled. Errors (kind failure): a NUL byte, no colon at
// all, an unfinished escape at the end. Never reads out of bounds whatever the bytes are.
[[nodiscard]] Expected<std::vector<std::string>> parse_depfile(std::string_view text);

}  // namespace scene_kernels
