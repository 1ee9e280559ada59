// Any bytes as artifact.json; what is accepted is written and read back as the same.
#include <cstdint>
#include <cstdlib>

#include "store/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto manifest = scene_kernels::parse_manifest(text);
    if (manifest) {
        const auto again = scene_kernels::parse_manifest(scene_kernels::to_json(*manifest));
        if (!again || !(*again == *manifest)) {
            std::abort();
        }
    }
    return 0;
}
