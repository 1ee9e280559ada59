// Reads ELF files from memory (libelf): what machine, which functions, the bytes of a section. Never trusts a field of
// the file before it was checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace scene_kernels {

// "x86_64", "aarch64", ... for an ELF machine number; "machine 1234" for one without a name here.
[[nodiscard]] std::string machine_name(unsigned number);

struct ElfSymbol {
    std::string section;       // name of the section that holds it
    std::uint64_t offset = 0;  // bytes from the start of that section
    std::uint64_t size = 0;    // bytes; 0 where the symbol does not say
};

struct ElfSummary {
    unsigned machine = 0;  // e_machine
    bool shared_library = false;
    bool relocatable = false;
};

// An error for anything that is not a whole ELF file.
[[nodiscard]] Expected<ElfSummary> summarize_elf(std::string_view bytes);

// The symbol if it is defined (in the dynamic symbol table if `dynamic`, else in the full one); nothing if not.
[[nodiscard]] Expected<std::optional<ElfSymbol>> find_symbol(std::string_view bytes, const std::string &name,
                                                             bool dynamic);

// The bytes of `section`, which a device executes from offset 0 on. Refused, with symbol, section and remedy named:
// another machine than `machine` (as machine_name() says; empty: any), left-over `<section>.*` or `.rel[a]<section>*`
// sections, no such section, two of them, an empty one, and an `entry` that is not defined, not at its very start, or
// nothing but a return.
[[nodiscard]] Expected<std::string> extract_section(std::string_view bytes, const std::string &section,
                                                    const std::string &entry, const std::string &machine = {});

}  // namespace scene_kernels
