// The sample scenes that multiply matrices, against references in double precision.
#include <algorithm>

#include "golden.h"

namespace {

struct Sizes {
    std::int64_t rows;
    std::int64_t depth;
    std::int64_t columns;
};
// Around the tiles of both architectures and the orchestration's blocks.
const Sizes k_sizes[] = {{1, 1, 1}, {1, 70, 1}, {3, 5, 7}, {33, 1, 65}, {65, 67, 70}, {17, 129, 33}};

Matrix transposed(const Matrix &matrix) {
    Matrix turned{matrix.columns, matrix.rows, {}};
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
        for (std::int64_t row = 0; row < matrix.rows; ++row) {
            turned.values.push_back(matrix.at(row, column));
        }
    }
    return turned;
}

Matrix columns_of(const Matrix &matrix, std::int64_t begin, std::int64_t end) {
    Matrix part{matrix.rows, end - begin, {}};
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        for (std::int64_t column = begin; column < end; ++column) {
            part.values.push_back(matrix.at(row, column));
        }
    }
    return part;
}

TEST_CASE("matmul") {
    for (const char *platform : k_platforms) {
        for (const Sizes &sizes : k_sizes) {
            CAPTURE(platform);
            CAPTURE(sizes.rows);
            NativeHost host(platform, "matmul", "matmul");
            const Matrix left = random_matrix(sizes.rows, sizes.depth, 21);
            const Matrix right = random_matrix(sizes.depth, sizes.columns, 22);
            host.add_input(left);
            host.add_input(right);
            const std::size_t output = host.add_output(SceneDataType::float32, sizes.rows, sizes.columns);
            REQUIRE(host.run() == SceneStatus::ok);
            check_close(host.read<float>(output), product_of(left, right), 2e-5);
        }
    }
}

TEST_CASE("mixed_precision") {
    for (const char *platform : k_platforms) {
        for (const Sizes &sizes : k_sizes) {
            CAPTURE(platform);
            CAPTURE(sizes.rows);
            NativeHost host(platform, "mixed_precision", "mixed_precision");
            Matrix left = random_matrix(sizes.rows, sizes.depth, 23);
            Matrix right = random_matrix(sizes.depth, sizes.columns, 24);
            host.add_input(left);
            host.add_input(right);
            const std::size_t output = host.add_output(SceneDataType::float32, sizes.rows, sizes.columns);
            REQUIRE(host.run() == SceneStatus::ok);
            // Eight significant bits, rounded to even as std::nearbyint does by default.
            for (Matrix *matrix : {&left, &right}) {
                for (float &value : matrix->values) {
                    int exponent = 0;
                    const float fraction = std::frexp(value, &exponent);
                    value = std::ldexp(std::nearbyint(fraction * 256.0F), exponent - 8);
                }
            }
            check_close(host.read<float>(output), product_of(left, right), 2e-5);
        }
    }
}

// softmax(q k^T / sqrt(width)) v of one head.
std::vector<double> attention_of(const Matrix &q, const Matrix &k, const Matrix &v, bool causal) {
    std::vector<double> output;
    for (std::int64_t row = 0; row < q.rows; ++row) {
        const std::int64_t visible = causal ? k.rows - q.rows + row + 1 : k.rows;
        std::vector<double> weights;
        double sum = 0.0;
        for (std::int64_t key = 0; key < visible; ++key) {
            double score = 0.0;
            for (std::int64_t i = 0; i < q.columns; ++i) {
                score += static_cast<double>(q.at(row, i)) * static_cast<double>(k.at(key, i));
            }
            weights.push_back(std::exp(score / std::sqrt(static_cast<double>(q.columns))));
            sum += weights.back();
        }
        for (std::int64_t column = 0; column < v.columns; ++column) {
            double value = 0.0;
            for (std::int64_t key = 0; key < visible; ++key) {
                value += weights[static_cast<std::size_t>(key)] * static_cast<double>(v.at(key, column));
            }
            output.push_back(value / sum);
        }
    }
    return output;
}

struct AttentionSizes {
    std::int64_t queries;
    std::int64_t keys;
    std::int64_t width;
    std::int32_t heads;
};

TEST_CASE("attention") {
    const AttentionSizes rows[] = {{1, 1, 1, 1}, {1, 9, 6, 2}, {5, 5, 3, 1}, {17, 33, 40, 5}, {35, 70, 66, 3}};
    for (const char *platform : k_platforms) {
        for (const AttentionSizes &sizes : rows) {
            for (const bool causal : {false, true}) {
                CAPTURE(platform);
                CAPTURE(sizes.queries);
                CAPTURE(causal);
                NativeHost host(platform, "attention", "attention");
                const Matrix q = random_matrix(sizes.queries, sizes.width, 25);
                const Matrix k = random_matrix(sizes.keys, sizes.width, 26);
                const Matrix v = random_matrix(sizes.keys, sizes.width, 27);
                host.add_input(q);
                host.add_input(k);
                host.add_input(v);
                const std::size_t output = host.add_output(SceneDataType::float32, sizes.queries, sizes.width);
                host.add_scalar(sizes.heads);
                host.add_scalar(std::int32_t{causal});
                REQUIRE(host.run() == SceneStatus::ok);
                const Matrix found{sizes.queries, sizes.width, host.read<float>(output)};
                const std::int64_t width = sizes.width / sizes.heads;
                for (std::int64_t begin = 0; begin < sizes.width; begin += width) {
                    check_close(columns_of(found, begin, begin + width).values,
                                attention_of(columns_of(q, begin, begin + width), columns_of(k, begin, begin + width),
                                             columns_of(v, begin, begin + width), causal),
                                5e-6);
                }
            }
        }
    }
}

TEST_CASE("attention refuses heads that do not divide the width") {
    NativeHost host("a2a3sim", "attention", "attention");
    for (unsigned seed = 1; seed <= 3; ++seed) {
        host.add_input(random_matrix(2, 7, seed));
    }
    host.add_output(SceneDataType::float32, 2, 7);
    host.add_scalar(std::int32_t{2});
    host.add_scalar(std::int32_t{0});
    CHECK(host.run() == SceneStatus::arguments);
    CHECK(host.message() == "the width is not a multiple of the number of heads");
    CHECK(host.task_count() == 0);
}

TEST_CASE("greedy_sampling") {
    for (const char *platform : k_platforms) {
        for (const Sizes &sizes : k_sizes) {
            CAPTURE(platform);
            CAPTURE(sizes.rows);
            NativeHost host(platform, "greedy_sampling", "greedy_sampling");
            const Matrix hidden = random_matrix(sizes.rows, sizes.depth, 28);
            const Matrix embeddings = random_matrix(sizes.columns, sizes.depth, 29);
            host.add_input(hidden);
            host.add_input(embeddings);
            const std::size_t tokens = host.add_output(SceneDataType::int32, sizes.rows, 1);
            const std::size_t next = host.add_output(SceneDataType::float32, sizes.rows, sizes.depth);
            REQUIRE(host.run() == SceneStatus::ok);
            const std::vector<double> logits = product_of(hidden, transposed(embeddings));
            const std::vector<std::int32_t> token = host.read<std::int32_t>(tokens);
            const std::vector<float> embedding = host.read<float>(next);
            for (std::int64_t row = 0; row < sizes.rows; ++row) {
                const auto first = logits.begin() + row * sizes.columns;
                const auto best = std::max_element(first, first + sizes.columns) - first;
                CHECK(token[static_cast<std::size_t>(row)] == best);
                CHECK(embedding[static_cast<std::size_t>(row * sizes.depth)] == embeddings.at(best, 0));
            }
        }
    }
}

}  // namespace
