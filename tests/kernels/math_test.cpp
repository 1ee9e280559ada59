// The SDK's helpers for kernels by themselves: mathematics, tiles and 16-bit floats.
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "bfloat16.h"
#include "tiles.h"
#include "vector_math.h"

using namespace scene_kernels::sdk;

namespace {

// The error of `found` in units in the last place of a float near `expected`.
double error_in_units(float found, double expected) {
    const auto nearest = static_cast<float>(expected);
    const auto unit = static_cast<double>(std::nextafter(std::fabs(nearest), k_infinity) - std::fabs(nearest));
    return std::fabs(static_cast<double>(found) - expected) / unit;
}

TEST_CASE("exponential") {
    double worst = 0.0;
    for (float x = -87.3F; x < 88.7F; x += 0.0037F) {
        worst = std::fmax(worst, error_in_units(exponential(x), std::exp(static_cast<double>(x))));
    }
    CHECK(worst < 4.0);
    CHECK(exponential(0.0F) == 1.0F);
    CHECK(exponential(88.7228F) < k_infinity);
    CHECK(exponential(89.0F) == k_infinity);
    CHECK(exponential(k_infinity) == k_infinity);
    CHECK(exponential(-88.0F) == 0.0F);
    CHECK(exponential(-k_infinity) == 0.0F);
    CHECK(std::isnan(exponential(std::nanf(""))));
}

TEST_CASE("reciprocal root") {
    double worst = 0.0;
    for (float x = 1e-44F; x < 3e38F; x *= 1.37F) {
        worst = std::fmax(worst, error_in_units(reciprocal_root(x), 1.0 / std::sqrt(static_cast<double>(x))));
    }
    CHECK(worst < 4.0);
    CHECK(reciprocal_root(0.0F) == k_infinity);
    CHECK(reciprocal_root(k_infinity) == 0.0F);
    CHECK(std::isnan(reciprocal_root(-1.0F)));
    CHECK(std::isnan(reciprocal_root(std::nanf(""))));
}

TEST_CASE("sigmoid and hyperbolic tangent") {
    double worst = 0.0;
    for (float x = -100.0F; x < 100.0F; x += 0.0131F) {
        const auto exact = static_cast<double>(x);
        worst = std::fmax(worst, std::fabs(static_cast<double>(hyperbolic_tangent(x)) - std::tanh(exact)));
        worst = std::fmax(worst, std::fabs(static_cast<double>(sigmoid(x)) - 1.0 / (1.0 + std::exp(-exact))));
    }
    CHECK(worst < 3e-7);
    CHECK(error_in_units(hyperbolic_tangent(1e-6F), std::tanh(static_cast<double>(1e-6F))) < 2.0);
    CHECK(hyperbolic_tangent(k_infinity) == 1.0F);
    CHECK(hyperbolic_tangent(-k_infinity) == -1.0F);
}

TEST_CASE("maximum keeps a NaN, nearest_integer rounds halves away from zero") {
    CHECK(maximum(1.0F, 2.0F) == 2.0F);
    CHECK(maximum(2.0F, 1.0F) == 2.0F);
    CHECK(std::isnan(maximum(std::nanf(""), 1.0F)));
    CHECK(std::isnan(maximum(1.0F, std::nanf(""))));
    CHECK(nearest_integer(2.5F) == 3);
    CHECK(nearest_integer(-2.5F) == -3);
    CHECK(nearest_integer(0.4F) == 0);
}

TEST_CASE("bfloat16 rounds to nearest, ties to even") {
    CHECK(to_bfloat16(1.0F).bits == 0x3F80);
    CHECK(to_bfloat16(float_from_bits(0x3F808000U)).bits == 0x3F80);
    CHECK(to_bfloat16(float_from_bits(0x3F818000U)).bits == 0x3F82);
    CHECK(to_bfloat16(float_from_bits(0x3F808001U)).bits == 0x3F81);
    CHECK(to_bfloat16(std::numeric_limits<float>::max()).bits == 0x7F80);
    CHECK(to_bfloat16(-0.0F).bits == 0x8000);
    CHECK(std::isnan(as_float(to_bfloat16(float_from_bits(0x7F800001U)))));
    CHECK(as_float(BFloat16{0xC000}) == -2.0F);
}

TEST_CASE("tiles cover a length once") {
    const auto visited = [](std::int64_t length, std::int64_t size) {
        std::vector<std::int64_t> ends;
        std::int64_t position = 0;
        for (const Tile tile : Tiles(length, size)) {
            CHECK(tile.begin == position);
            position = tile.end;
            ends.push_back(tile.end);
        }
        return ends;
    };
    CHECK(visited(0, 4).empty());
    CHECK(visited(-1, 4).empty());
    CHECK(visited(1, 4) == std::vector<std::int64_t>{1});
    CHECK(visited(4, 4) == std::vector<std::int64_t>{4});
    CHECK(visited(9, 4) == std::vector<std::int64_t>{4, 8, 9});
}

}  // namespace
