// Any bytes as an SDK description: a value or an error of kind input, never anything else.
#include <cstdint>
#include <cstdlib>

#include "model/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto sdk = scene_kernels::parse_sdk("/sdk/x.sdk.json", text);
    if (!sdk && (sdk.error().kind != scene_kernels::ErrorKind::input || sdk.error().message.empty())) {
        std::abort();
    }
    return 0;
}
