// Any bytes as the output of a compiler or linker: every section, symbol and library that is found lies inside of it,
// or there is an error.
#include "action/elf_loading.h"
#include "build/elf.h"
#include "fuzz_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string_view bytes = text_of(data, size);
    const auto summary = summarize_elf(bytes);
    if (!summary) {
        check_error(summary.error(), ErrorKind::failure);
    }
    for (const bool dynamic : {false, true}) {
        const auto symbol = find_symbol(bytes, "kernel_entry", dynamic);
        if (!symbol) {
            check_error(symbol.error(), ErrorKind::failure);
        }
    }
    const auto code = extract_section(bytes, ".text", "kernel_entry");
    if (code) {
        check(!code->empty() && bytes.find(*code) != std::string_view::npos, "a section is a part of the file");
    } else {
        check_error(code.error(), ErrorKind::failure);
    }
    if (const auto loading = read_elf_loading(bytes)) {
        check(is_elf(bytes) && loading->interpreter.size() < size, "what the loader is told is in the file");
        for (const std::string &name : loading->needed) {
            check(bytes.find(name) != std::string_view::npos, "a library's name is in the file", name);
        }
    }
    return 0;
}
