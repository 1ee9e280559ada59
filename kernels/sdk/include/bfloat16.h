// The 16-bit format that is the upper half of a float. Owns its conversions; does no arithmetic.
#pragma once

#include "vector_math.h"

namespace scene_kernels::sdk {

struct BFloat16 {
    std::uint16_t bits;
};

SCENE_INLINE float as_float(BFloat16 value) {
    return float_from_bits(static_cast<std::uint32_t>(value.bits) << 16U);
}

// Rounds to nearest, ties to even. A NaN stays one.
SCENE_INLINE BFloat16 to_bfloat16(float value) {
    const std::uint32_t bits = bits_of_float(value);
    if (value != value) {
        return {static_cast<std::uint16_t>((bits >> 16U) | 0x40U)};
    }
    return {static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U)};
}

}  // namespace scene_kernels::sdk
