// Reads the dependency files that GCC, Clang, GNU as, GNU ld, gold, lld and mold write. Knows nothing of what they
// mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace scene_kernels {

// Who wrote a depfile. The tools escape differently, so the same bytes can stand for different names.
enum class DepfileWriter : std::uint8_t {
    // GCC and Clang (-MD), lld, mold: "\ " "\<tab>" "\#" "$$"; backslashes double only before a blank that is escaped.
    // Clang turns every backslash of a name into a slash, so such a name cannot be had from its depfile.
    compiler,
    // GNU as (-Wa,--MD): the same, but '#' is never escaped, and backslashes at the end of a name are doubled too.
    assembler,
    // A linker: GNU ld 2.40 and gold write raw names, one a line behind two spaces, which is recognized; anything else
    // is read as `compiler`.
    linker,
};

// Every input of every rule in `text`, each once, in the order of first appearance. Targets are left out, and so are
// `-MP` phony targets (rules without inputs). Understands backslash-newline (also CRLF), several targets, several
// rules, and colons anywhere in inputs and inside targets: a rule's first colon before a blank or line end is its
// separator ("C:" is not special: paths are POSIX). Errors (kind failure): a NUL byte, a rule without a colon, no rule
// at all, an unfinished escape at the end. A newline inside a name, which no tool escapes, ends as one of these or as a
// name that does not exist. Linear; never reads out of bounds whatever the bytes are.
[[nodiscard]] Expected<std::vector<std::string>> parse_depfile(std::string_view text,
                                                               DepfileWriter writer = DepfileWriter::compiler);

}  // namespace scene_kernels
