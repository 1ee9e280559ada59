// Finds in a C, C++ or assembler text what a compiler may look for because of it: the names in include directives and
// `__has_include`, and constructs whose inputs no depfile shows. Knows nothing of search paths.
//
// The scan may find too much (inactive `#if` branches, comments), never too little: a name too many costs a probe, a
// name too few would be a wrong hit. So directives are looked for at every '#' and '%:' whatever is around them, after
// line splicing, and a text with trigraphs is read with and without them. Only "is this in a comment" for hidden inputs
// is decided by lexing, and only where every dialect agrees. What it cannot see is what macros put together with `##`
// (`__has_##x`, `__TIME##STAMP__`), and assembler directives that are put together from pieces (see mentions_asm).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scene_kernels {

enum class DirectiveKind : std::uint8_t { include = 1, include_next = 2, has_include = 3, has_include_next = 4 };

// `name` as written between the quotes or brackets. `#import` counts as include, `#pragma GCC dependency` as
// has_include.
struct Directive {
    DirectiveKind kind = DirectiveKind::include;
    bool quoted = false;  // "name", else <name>
    std::string name;

    auto operator<=>(const Directive &) const = default;
};

// Why a file makes every unit that reads it uncacheable, unless something else covers it.
enum class HiddenInput : std::uint8_t {
    computed_has_include = 1,  // __has_include(MACRO): what was asked for is not known
    embed = 2,                 // #embed or __has_embed
    incbin = 3,                // the text .incbin in any form, or the assembler's .include "name"
    timestamp = 4,             // __TIMESTAMP__
    contorted = 5,             // the text would take too long to scan, or compilers disagree on how to read it
};

struct HiddenInputPlace {
    HiddenInput kind = HiddenInput::incbin;
    std::uint32_t line = 0;  // 1-based
    auto operator<=>(const HiddenInputPlace &) const = default;
};

struct SourceFacts {
    std::vector<Directive> directives;     // sorted, each once
    std::vector<HiddenInputPlace> hidden;  // the first place of each kind, sorted by kind
    // Macros of this file that pass their one argument to `__has_include`, or are another name for it; sorted. Their
    // uses in this file are among `directives` and `hidden`; those in other files are not: see `operators` below.
    std::vector<std::string> aliases;
    bool computed_include = false;  // #include MACRO occurs
    bool pragma_once = false;       // #pragma once (also _Pragma("once"), or a _Pragma that may be it), or #import
    bool mentions_asm = false;      // asm, __asm or __asm__ occurs as a word

    bool operator==(const SourceFacts &) const = default;
};

// Facts about one text. `operators` are further spellings of `__has_include`: the aliases of other files that are read
// by the same unit. Where any file of a unit has aliases, every file of it is to be scanned again with all of them,
// until no new ones turn up. Takes time linear in the text; `steps`, where given, gets a count of the work done.
[[nodiscard]] SourceFacts scan_source(std::string_view text, const std::vector<std::string> &operators = {},
                                      std::uint64_t *steps = nullptr);

// A compact, versionless encoding for the memory of digests; decode gives nothing for bytes that encode did not make.
[[nodiscard]] std::string encode(const SourceFacts &facts);
[[nodiscard]] std::optional<SourceFacts> decode_source_facts(std::string_view bytes);

}  // namespace scene_kernels
