#include "build/output_check.h"

#include "build/elf.h"
#include "os/environment.h"

namespace scene_kernels {

namespace {

// A function of one return instruction: what is left when a kernel's body was compiled away.
constexpr std::uint64_t k_smallest_entry_bytes = 2;

bool is_extracted(const Action &action) {
    return !action.steps.empty() && !action.steps.back().extract.empty();
}

}  // namespace

Expected<void> check_output(const Action &action, std::string_view bytes) {
    if (bytes.empty()) {
        return failure("the output is empty");
    }
    if (is_extracted(action)) {
        return {};  // extract_section() checked what it came from
    }
    SK_TRY(const ElfSummary summary, summarize_elf(bytes));
    const std::string wanted = action.machine.empty() ? host_machine() : action.machine;
    const std::string machine = machine_name(summary.machine);
    if (machine != wanted) {
        return failure("the output is for " + machine + ", but this toolchain is said to make code for " + wanted +
                       "; check the SDK's \"machine\" and the compiler");
    }
    if (action.entry_symbol.empty()) {
        return {};
    }
    SK_TRY(const std::optional<ElfSymbol> symbol, find_symbol(bytes, action.entry_symbol, summary.shared_library));
    if (!symbol) {
        return failure("the output does not define " + action.entry_symbol +
                       "; declare it extern \"C\" and with default visibility");
    }
    if (symbol->size < k_smallest_entry_bytes) {
        return failure("the function " + action.entry_symbol + " is empty (" + std::to_string(symbol->size) +
                       " bytes); check the source's #if conditions");
    }
    return {};
}

}  // namespace scene_kernels
