// Single-precision functions for kernels, which have no mathematics library on a device. Errors stay within a few units
// in the last place for normal results; results below the smallest normal number may become 0.
#pragma once

#include <cstdint>

#include "platform.h"

namespace scene_kernels::sdk {

inline constexpr float k_infinity = __builtin_inff();

SCENE_INLINE float float_from_bits(std::uint32_t bits) {
    float value = 0.0F;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
SCENE_INLINE std::uint32_t bits_of_float(float value) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The larger one. A NaN on either side is the result, so that a reduction cannot hide it.
SCENE_INLINE float maximum(float a, float b) {
    return a > b || a != a ? a : b;
}
SCENE_INLINE float absolute(float x) {
    return x < 0.0F ? -x : x;
}

// The nearest whole number, halves away from zero. |x| must be below 2^31.
SCENE_INLINE std::int32_t nearest_integer(float x) {
    return static_cast<std::int32_t>(x < 0.0F ? x - 0.5F : x + 0.5F);
}

// 2^n for n from -126 to 127.
SCENE_INLINE float power_of_two(std::int32_t n) {
    return float_from_bits(static_cast<std::uint32_t>(n + 127) << 23U);
}

// e^x. With x = n ln 2 + r and |r| <= ln 2 / 2, e^x is 2^n e^r, and seven terms of the series give e^r. ln 2 is taken
// off in two parts, of which n times the first is exact.
SCENE_INLINE float exponential(float x) {
    if (x != x) {
        return x;
    }
    if (x > 88.72283F) {
        return k_infinity;
    }
    if (x < -87.33654F) {
        return 0.0F;
    }
    const std::int32_t n = nearest_integer(x * 1.44269504F);
    const float whole = static_cast<float>(n);
    const float r = (x - whole * 0.693145751953125F) - whole * 1.42860682e-6F;
    float series = 1.0F + r / 7.0F;
    for (int term = 6; term >= 1; --term) {
        series = 1.0F + r / static_cast<float>(term) * series;
    }
    // 2^128 is no float, so the largest results are reached in two steps.
    return n > 127 ? series * power_of_two(127) * 2.0F : series * power_of_two(n);
}

// 1 / sqrt(x): a first guess from the exponent's half, then Newton's steps. Infinity for 0, NaN below 0.
SCENE_INLINE float reciprocal_root(float x) {
    if (x == 0.0F) {
        return k_infinity;
    }
    if (!(x > 0.0F)) {
        return __builtin_nanf("");
    }
    if (x == k_infinity) {
        return 0.0F;
    }
    // Numbers below the smallest normal one have no exponent to halve.
    const bool tiny = x < 1.17549435e-38F;
    const float scaled = tiny ? x * power_of_two(48) : x;
    float guess = float_from_bits(0x5F400000U - (bits_of_float(scaled) >> 1U));
    for (int step = 0; step < 4; ++step) {
        guess = guess * (1.5F - 0.5F * scaled * guess * guess);
    }
    return tiny ? guess * power_of_two(24) : guess;
}

// 1 / (1 + e^-x).
SCENE_INLINE float sigmoid(float x) {
    return 1.0F / (1.0F + exponential(-x));
}

// tanh x, as 2 sigmoid(2x) - 1, which loses digits near 0; there the start of the series is exact enough.
SCENE_INLINE float hyperbolic_tangent(float x) {
    if (absolute(x) < 0.02F) {
        return x * (1.0F - x * x / 3.0F);
    }
    return 2.0F * sigmoid(2.0F * x) - 1.0F;
}

}  // namespace scene_kernels::sdk
