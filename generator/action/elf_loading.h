// What the dynamic loader is told by an ELF file: its interpreter, the libraries that it names, and where it wants them
// searched. Reads the few fields for that itself; knows nothing of symbols or sections.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scene_kernels {

struct ElfLoading {
    std::string interpreter;             // PT_INTERP; empty where there is none (libraries, static programs)
    bool dynamic = false;                // has a dynamic section
    std::vector<std::string> needed;     // DT_NEEDED, as written
    std::vector<std::string> run_paths;  // the entries of DT_RPATH and DT_RUNPATH, as written ("$ORIGIN/../lib")
};

[[nodiscard]] bool is_elf(std::string_view bytes);

// Nothing for what is not a whole little-endian ELF program or library, of 32 or 64 bits. Every offset is checked.
[[nodiscard]] std::optional<ElfLoading> read_elf_loading(std::string_view bytes);

}  // namespace scene_kernels
