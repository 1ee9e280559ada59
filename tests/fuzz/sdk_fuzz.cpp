// Any bytes as an SDK description: a value whose parts refer to each other, or an error that says where.
#include "fuzz_check.h"
#include "model/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    constexpr const char *k_path = "/sdk/x.sdk.json";
    const auto sdk = parse_sdk(k_path, text_of(data, size));
    if (!sdk) {
        check_error(sdk.error(), ErrorKind::input);
        check_places(sdk.error(), k_path);
        return 0;
    }
    check(sdk->platforms.contains(sdk->default_platform), "the default platform is one of them");
    for (const auto &[name, platform] : sdk->platforms) {
        check(name == platform.name, "a platform's name");
        check(sdk->toolchains.contains(platform.image.toolchain), "the toolchain of images");
        check(sdk->toolchains.contains(platform.orchestration.toolchain), "the toolchain of orchestrations");
    }
    return 0;
}
