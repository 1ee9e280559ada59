// Any bytes as a source; what was found survives its encoding, and any bytes as that encoding.
#include <cstdint>
#include <cstdlib>

#include "action/source_scan.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const scene_kernels::SourceFacts facts = scene_kernels::scan_source(text);
    const auto decoded = scene_kernels::decode_source_facts(scene_kernels::encode(facts));
    if (!decoded || !(*decoded == facts)) {
        std::abort();
    }
    static_cast<void>(scene_kernels::decode_source_facts(text));
    return 0;
}
