// Any bytes as a remembered answer of a toolchain; what is accepted is written and read back as the same.
#include "action/toolchain_answer.h"
#include "fuzz_check.h"

namespace scene_kernels {

namespace {

bool same(const ToolchainAnswer &a, const ToolchainAnswer &b) {
    return a.version == b.version && a.machine == b.machine && a.library_directories == b.library_directories &&
           a.files == b.files && a.witnesses == b.witnesses && a.listings == b.listings && a.absent == b.absent &&
           a.links == b.links;
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    auto answer = toolchain_answer_from_text(std::string(text_of(data, size)));
    if (!answer) {
        return 0;
    }
    const std::string text = to_text(*answer);
    const auto again = toolchain_answer_from_text(text);
    check(again && same(*again, *answer), "an answer comes back", text);
    const Toolchain toolchain = answer->toolchain(CompilerFamily::gcc);
    answer->settle();
    check(toolchain.fingerprint == answer->toolchain(CompilerFamily::gcc).fingerprint, "order does not count");
    return 0;
}
