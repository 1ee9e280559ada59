// The sample scenes that work on elements and rows, against references in double precision.
#include "golden.h"

namespace {

// Calls `test(host, shape)` for a fresh host on each platform with each shape.
template <typename Test>
void for_each(const std::string &scene, const std::string &callable, Test test) {
    for (const char *platform : k_platforms) {
        for (const Shape &shape : k_shapes) {
            CAPTURE(platform);
            CAPTURE(shape.rows);
            CAPTURE(shape.columns);
            NativeHost host(platform, scene, callable);
            test(host, shape);
        }
    }
}

template <typename Function>
std::vector<double> mapped(const Matrix &matrix, Function function) {
    std::vector<double> results;
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        for (std::int64_t column = 0; column < matrix.columns; ++column) {
            results.push_back(function(static_cast<double>(matrix.at(row, column)), row, column));
        }
    }
    return results;
}

double mean_of_row(const Matrix &matrix, std::int64_t row) {
    double sum = 0.0;
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
        sum += static_cast<double>(matrix.at(row, column));
    }
    return sum / static_cast<double>(matrix.columns);
}

// The mean of (x - offset)^2.
double square_mean_of_row(const Matrix &matrix, std::int64_t row, double offset) {
    double sum = 0.0;
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
        sum += std::pow(static_cast<double>(matrix.at(row, column)) - offset, 2);
    }
    return sum / static_cast<double>(matrix.columns);
}

TEST_CASE("vector_example") {
    for_each("vector_example", "vector_example", [](NativeHost &host, const Shape &shape) {
        const Matrix a = random_matrix(shape.rows, shape.columns, 1);
        const Matrix b = random_matrix(shape.rows, shape.columns, 2);
        host.add_input(a);
        host.add_input(b);
        const std::size_t result = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        REQUIRE(host.run() == SceneStatus::ok);
        CHECK(host.task_count() == 5);
        check_close(host.read<float>(result),
                    mapped(a,
                           [&](double x, std::int64_t row, std::int64_t column) {
                               const double sum = x + static_cast<double>(b.at(row, column));
                               return (sum + 1.0) * (sum + 2.0) + sum;
                           }),
                    1e-6);
    });
}

TEST_CASE("softmax") {
    for_each("softmax", "softmax", [](NativeHost &host, const Shape &shape) {
        Matrix input = random_matrix(shape.rows, shape.columns, 3);
        for (float &value : input.values) {
            value *= 40.0F;  // e^80 is close to the largest float, so a missing subtraction shows
        }
        host.add_input(input);
        const std::size_t output = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        REQUIRE(host.run() == SceneStatus::ok);
        std::vector<double> sums(static_cast<std::size_t>(shape.rows), 0.0);
        (void)mapped(input, [&](double x, std::int64_t row, std::int64_t) {
            return sums[static_cast<std::size_t>(row)] += std::exp(x);
        });
        check_close(host.read<float>(output),
                    mapped(input, [&](double x, std::int64_t row,
                                      std::int64_t) { return std::exp(x) / sums[static_cast<std::size_t>(row)]; }),
                    2e-6);
    });
}

TEST_CASE("rms_norm") {
    for_each("rms_norm", "rms_norm", [](NativeHost &host, const Shape &shape) {
        const Matrix input = random_matrix(shape.rows, shape.columns, 4);
        const Matrix weights = random_matrix(1, shape.columns, 5);
        host.add_input(input);
        host.add_vector(weights);
        const std::size_t output = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        host.add_scalar(1e-5F);
        REQUIRE(host.run() == SceneStatus::ok);
        check_close(host.read<float>(output),
                    mapped(input,
                           [&](double x, std::int64_t row, std::int64_t column) {
                               return x / std::sqrt(square_mean_of_row(input, row, 0.0) + 1e-5) *
                                      static_cast<double>(weights.at(0, column));
                           }),
                    2e-6);
    });
}

TEST_CASE("layer_norm") {
    for_each("layer_norm", "layer_norm", [](NativeHost &host, const Shape &shape) {
        const Matrix input = random_matrix(shape.rows, shape.columns, 6);
        const Matrix weights = random_matrix(1, shape.columns, 7);
        const Matrix bias = random_matrix(1, shape.columns, 8);
        host.add_input(input);
        host.add_vector(weights);
        host.add_vector(bias);
        const std::size_t output = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        host.add_scalar(1e-5F);
        REQUIRE(host.run() == SceneStatus::ok);
        check_close(host.read<float>(output),
                    mapped(input,
                           [&](double x, std::int64_t row, std::int64_t column) {
                               const double mean = mean_of_row(input, row);
                               return (x - mean) / std::sqrt(square_mean_of_row(input, row, mean) + 1e-5) *
                                          static_cast<double>(weights.at(0, column)) +
                                      static_cast<double>(bias.at(0, column));
                           }),
                    4e-6);
    });
}

TEST_CASE("activation: gelu") {
    for_each("activation", "gelu", [](NativeHost &host, const Shape &shape) {
        const Matrix input = random_matrix(shape.rows, shape.columns, 9);
        const Matrix bias = random_matrix(1, shape.columns, 10);
        host.add_input(input);
        host.add_vector(bias);
        const std::size_t output = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        REQUIRE(host.run() == SceneStatus::ok);
        check_close(host.read<float>(output),
                    mapped(input,
                           [&](double x, std::int64_t, std::int64_t column) {
                               const double y = x + static_cast<double>(bias.at(0, column));
                               return 0.5 * y *
                                      (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (y + 0.044715 * y * y * y)));
                           }),
                    2e-6);
    });
}

TEST_CASE("activation: swiglu") {
    for_each("activation", "swiglu", [](NativeHost &host, const Shape &shape) {
        const Matrix gate = random_matrix(shape.rows, shape.columns, 11);
        const Matrix value = random_matrix(shape.rows, shape.columns, 12);
        host.add_input(gate);
        host.add_input(value);
        const std::size_t output = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        REQUIRE(host.run() == SceneStatus::ok);
        check_close(host.read<float>(output),
                    mapped(gate,
                           [&](double x, std::int64_t row, std::int64_t column) {
                               return x / (1.0 + std::exp(-x)) * static_cast<double>(value.at(row, column));
                           }),
                    2e-6);
    });
}

TEST_CASE("transpose") {
    for_each("transpose", "transpose", [](NativeHost &host, const Shape &shape) {
        const Matrix input = random_matrix(shape.rows, shape.columns, 13);
        host.add_input(input);
        const std::size_t turned = host.add_output(SceneDataType::float32, shape.columns, shape.rows);
        const std::size_t back = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        REQUIRE(host.run() == SceneStatus::ok);
        CHECK(host.read<float>(back) == input.values);
        const std::vector<float> found = host.read<float>(turned);
        for (std::int64_t column = 0; column < shape.columns; ++column) {
            CHECK(found[static_cast<std::size_t>(column * shape.rows)] == input.at(0, column));
        }
    });
}

TEST_CASE("quantize") {
    for_each("quantize", "quantize", [](NativeHost &host, const Shape &shape) {
        Matrix input = random_matrix(shape.rows, shape.columns, 14);
        const bool has_zero_row = shape.rows > 1;
        if (has_zero_row) {
            std::fill_n(input.values.begin(), shape.columns, 0.0F);
        }
        host.add_input(input);
        const std::size_t codes = host.add_output(SceneDataType::int8, shape.rows, shape.columns);
        const std::size_t steps = host.add_output(SceneDataType::float32, shape.rows, 1);
        const std::size_t restored = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        REQUIRE(host.run() == SceneStatus::ok);
        const std::vector<float> step = host.read<float>(steps);
        CHECK(step[0] == (has_zero_row ? 1.0F : step[0]));
        const std::vector<std::int8_t> code = host.read<std::int8_t>(codes);
        const std::vector<float> value = host.read<float>(restored);
        for (std::int64_t row = has_zero_row ? 1 : 0; row < shape.rows; ++row) {
            int largest = 0;
            for (std::int64_t column = 0; column < shape.columns; ++column) {
                const auto i = static_cast<std::size_t>(row * shape.columns + column);
                largest = std::max(largest, std::abs(static_cast<int>(code[i])));
                CHECK(std::fabs(value[i] - input.values[i]) <= step[static_cast<std::size_t>(row)] * 0.5001F);
            }
            CHECK(largest == 127);
        }
    });
}

TEST_CASE("rotary") {
    for_each("rotary", "rotary", [](NativeHost &host, const Shape &shape) {
        const std::int64_t half = std::max<std::int64_t>(shape.columns / 2, 1);
        const Matrix angles = random_matrix(shape.rows, half, 15);
        Matrix cosines = angles;
        Matrix sines = angles;
        for (std::size_t i = 0; i < angles.values.size(); ++i) {
            cosines.values[i] = std::cos(angles.values[i]);
            sines.values[i] = std::sin(angles.values[i]);
        }
        const Matrix q = random_matrix(shape.rows, shape.columns, 16);
        const Matrix k = random_matrix(shape.rows, shape.columns, 17);
        host.add_input(q);
        host.add_input(k);
        host.add_input(cosines);
        host.add_input(sines);
        const std::size_t outputs[] = {host.add_output(SceneDataType::float32, shape.rows, shape.columns),
                                       host.add_output(SceneDataType::float32, shape.rows, shape.columns)};
        REQUIRE(host.run() == SceneStatus::ok);
        const auto rotated = [&](const Matrix &from) {
            return mapped(from, [&](double x, std::int64_t row, std::int64_t column) {
                const std::int64_t pairs = shape.columns / 2;
                if (column >= 2 * pairs) {
                    return x;
                }
                const auto angle = static_cast<double>(angles.at(row, column % pairs));
                const double partner = static_cast<double>(from.at(row, (column + pairs) % (2 * pairs)));
                const double radius = std::hypot(x, partner);
                return column < pairs ? radius * std::cos(std::atan2(partner, x) + angle)
                                      : radius * std::sin(std::atan2(x, partner) + angle);
            });
        };
        check_close(host.read<float>(outputs[0]), rotated(q), 2e-6);
        check_close(host.read<float>(outputs[1]), rotated(k), 2e-6);
    });
}

TEST_CASE("many_tasks: a chain longer than the ring") {
    for_each("many_tasks", "many_tasks", [](NativeHost &host, const Shape &shape) {
        const Matrix x = random_matrix(shape.rows, shape.columns, 18);
        host.add_input(x);
        const std::size_t total = host.add_output(SceneDataType::float32, shape.rows, shape.columns);
        host.add_scalar(std::int32_t{50});
        REQUIRE(host.run() == SceneStatus::ok);
        CHECK(host.task_count() == 101);
        CHECK(host.most_unfinished() == 4);
        check_close(host.read<float>(total),
                    mapped(x,
                           [&](double value, std::int64_t, std::int64_t) {
                               double sum = 0.0;
                               for (int step = 0; step < 50; ++step) {
                                   sum = sum / 2.0 + value + step % 3;
                               }
                               return sum;
                           }),
                    2e-6);
    });
}

}  // namespace
