// Any bytes as a dependency file, whoever wrote it: distinct names without a NUL byte, or an error.
#include <cstdint>
#include <cstdlib>
#include <set>

#include "action/depfile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using scene_kernels::DepfileWriter;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    for (const auto writer : {DepfileWriter::compiler, DepfileWriter::assembler, DepfileWriter::linker}) {
        const auto names = scene_kernels::parse_depfile(text, writer);
        if (!names) {
            continue;
        }
        const std::set<std::string> distinct(names->begin(), names->end());
        if (distinct.size() != names->size() || distinct.contains("")) {
            std::abort();
        }
    }
    return 0;
}
