// The description of one tensor, as the host, orchestrations and kernels share it: element type, shape, strides and
// address. Owns no memory; part of the binary interface, so its layout is fixed.
#pragma once

#include <cstdint>

enum class SceneDataType : std::uint32_t {
    none = 0,
    float32 = 1,
    float16 = 2,
    bfloat16 = 3,
    int8 = 4,
    uint8 = 5,
    int32 = 6,
    int64 = 7,
};

inline constexpr std::uint32_t k_scene_max_rank = 5;

// `shape` and `strides` count elements, and no stride is negative; entries from `rank` on are 1 and 0. Rank 0 is a
// single element. The default, without a type and an address, is "no tensor".
struct SceneTensor {
    std::uint64_t address = 0;  // of the element at index 0, 0, ...
    SceneDataType type = SceneDataType::none;
    std::uint32_t rank = 0;
    std::int64_t shape[k_scene_max_rank] = {1, 1, 1, 1, 1};
    std::int64_t strides[k_scene_max_rank] = {0, 0, 0, 0, 0};
};
static_assert(sizeof(SceneTensor) == 96, "the layout of SceneTensor is part of the binary interface");

namespace scene_kernels::sdk {

// Bytes of one element; 0 for a type that does not exist.
constexpr std::uint64_t element_bytes(SceneDataType type) {
    switch (type) {
        case SceneDataType::int8:
        case SceneDataType::uint8:
            return 1;
        case SceneDataType::float16:
        case SceneDataType::bfloat16:
            return 2;
        case SceneDataType::float32:
        case SceneDataType::int32:
            return 4;
        case SceneDataType::int64:
            return 8;
        case SceneDataType::none:
            break;
    }
    return 0;
}

}  // namespace scene_kernels::sdk
