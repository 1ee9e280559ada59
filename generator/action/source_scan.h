// Finds in a C, C++ or assembler text what a compiler may look for because of it: the names in include directives and
// `__has_include`, and constructs whose inputs no depfile shows. Knows nothing of search paths.
//
// The scan may find too much (inactive `#if` branches, comments), never too little: a name too many costs a probe, a
// name too few would be a wrong hit. So directives are looked for at every '#', '%:' and '??=' whatever is around them,
// after line splicing. Only "is this in a comment" for computed `__has_include` is decided by real lexing.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scene_kernels {

enum class DirectiveKind : std::uint8_t { include = 1, include_next = 2, has_include = 3, has_include_next = 4 };

// `name` as written between the quotes or brackets.
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
    incbin = 3,                // the text .incbin in any form
    timestamp = 4,             // __TIMESTAMP__
};

struct HiddenInputPlace {
    HiddenInput kind = HiddenInput::incbin;
    std::uint32_t line = 0;  // 1-based
    auto operator<=>(const HiddenInputPlace &) const = default;
};

struct SourceFacts {
    std::vector<Directive> directives;     // sorted, each once
    std::vector<HiddenInputPlace> hidden;  // the first place of each kind, sorted by kind
    bool computed_include = false;         // #include MACRO occurs
    bool pragma_once = false;              // #pragma once (also _Pragma("once")), or #import
    bool mentions_asm = false;             // asm, __asm or __asm__ occurs as a word

    bool operator==(const SourceFacts &) const = default;
};

[[nodiscard]] SourceFacts scan_source(std::string_view text);

// A compact, versionless encoding for the memory of digests; decode gives nothing for bytes that encode did not make.
[[nodiscard]] std::string encode(const SourceFacts &facts);
[[nodiscard]] std::optional<SourceFacts> decode_source_facts(std::string_view bytes);

}  // namespace scene_kernels
