// What the tests of sample scenes share: the platforms, and comparison with a reference in double precision.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "native_host.h"

inline const char *const k_platforms[] = {"a2a3sim", "a5sim"};

struct Shape {
    std::int64_t rows;
    std::int64_t columns;
};
// One element, one row, one column, and sizes around the tiles of both architectures.
inline const Shape k_shapes[] = {{1, 1}, {1, 7}, {5, 1}, {3, 129}, {17, 33}, {2, 515}};

// Every element within `tolerance`, relative to the reference where that is above 1.
inline void check_close(const std::vector<float> &found, const std::vector<double> &expected, double tolerance) {
    REQUIRE(found.size() == expected.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double allowed = tolerance * std::fmax(1.0, std::fabs(expected[i]));
        if (!(std::fabs(static_cast<double>(found[i]) - expected[i]) <= allowed)) {
            CHECK_MESSAGE(wrong > 0, "element " << i << " is " << found[i] << ", expected " << expected[i]);
            ++wrong;
        }
    }
    CHECK(wrong == 0);
}

// left * right, each element in one sum.
inline std::vector<double> product_of(const Matrix &left, const Matrix &right) {
    std::vector<double> product;
    for (std::int64_t row = 0; row < left.rows; ++row) {
        for (std::int64_t column = 0; column < right.columns; ++column) {
            double sum = 0.0;
            for (std::int64_t inner = 0; inner < left.columns; ++inner) {
                sum += static_cast<double>(left.at(row, inner)) * static_cast<double>(right.at(inner, column));
            }
            product.push_back(sum);
        }
    }
    return product;
}
