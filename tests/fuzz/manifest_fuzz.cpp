// Any bytes as artifact.json; what is accepted is written and read back as the same.
#include "fuzz_check.h"
#include "store/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const auto manifest = parse_manifest(text_of(data, size));
    if (!manifest) {
        check_error(manifest.error(), ErrorKind::failure);
        return 0;
    }
    const std::string text = to_json(*manifest);
    const auto again = parse_manifest(text);
    check(again && *again == *manifest, "a manifest comes back", text);
    return 0;
}
