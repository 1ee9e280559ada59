// The project's own callable.h: the layout of the images, and what make_callable() refuses.
#include "callable.h"

#include <type_traits>

#include <doctest/doctest.h>

namespace {

using Bytes = std::vector<std::uint8_t>;

// A change here changes the image format, and with it every ABI token.
static_assert(sizeof(ArgDirection) == 4 && static_cast<int>(ArgDirection::INOUT) == 3);
static_assert(sizeof(CoreCallable) == 144 && alignof(CoreCallable) == 8);
static_assert(CoreCallable::binary_data_offset() == 192);
static_assert(sizeof(ChipCallable) == 9376 && alignof(ChipCallable) == 16);
static_assert(offsetof(ChipCallable, storage_) == 9376);
static_assert(offsetof(ChipCallable, func_name_) == 1032 && offsetof(ChipCallable, child_func_ids_) == 1100);
static_assert(offsetof(CoreCallable, resolved_addr_) == 136);
static_assert(std::is_standard_layout_v<CoreCallable> && std::is_standard_layout_v<ChipCallable>);

const ChipCallable &chip_in(const Bytes &image) {
    return *reinterpret_cast<const ChipCallable *>(image.data());
}
const CoreCallable &core_in(const Bytes &image) {
    return *reinterpret_cast<const CoreCallable *>(image.data());
}

Bytes make_chip(const char *function, const char *config, const Bytes &library, const std::vector<std::int32_t> &ids,
                const std::vector<Bytes> &children) {
    return make_callable<CoreCallable, CHIP_MAX_TENSOR_ARGS, CALLABLE_MAX_CHILDREN>(
        nullptr, 0, function, library.data(), static_cast<std::uint32_t>(library.size()), ids.data(), children.data(),
        static_cast<std::int32_t>(children.size()), config);
}

TEST_CASE("a kernel's image has its code at a multiple of the alignment, and zeros between") {
    const ArgDirection signature[] = {ArgDirection::INOUT, ArgDirection::SCALAR};
    const Bytes image = make_callable<CORE_MAX_TENSOR_ARGS>(signature, 2, "code", 4);
    CHECK(image.size() == 196);
    const CoreCallable &core = core_in(image);
    CHECK(core.sig_count() == 2);
    CHECK(core.sig(0) == ArgDirection::INOUT);
    CHECK(core.binary_size() == 4);
    CHECK(core.resolved_addr() == 0);
    CHECK(std::memcmp(core.binary_data(), "code", 4) == 0);
    CHECK_THROWS_AS((void)core.sig(2), std::out_of_range);
    CHECK_THROWS_AS((void)core.sig(-1), std::out_of_range);

    Bytes expected(196, 0);
    const auto put = [&](std::size_t offset, const void *value, std::size_t size) {
        std::memcpy(expected.data() + offset, value, size);
    };
    const std::int32_t count = 2;
    const std::uint32_t size = 4;
    put(0, signature, sizeof signature);
    put(128, &count, 4);
    put(132, &size, 4);
    put(192, "code", 4);
    CHECK(image == expected);
}

TEST_CASE("children start at multiples of the alignment behind the library") {
    const std::vector<Bytes> children = {make_callable<CORE_MAX_TENSOR_ARGS>(nullptr, 0, "x", 1),
                                         make_callable<CORE_MAX_TENSOR_ARGS>(nullptr, 0, nullptr, 0)};
    const Bytes image = make_chip("build", nullptr, Bytes(65, 0xEE), {9, 4}, children);
    const ChipCallable &chip = chip_in(image);
    CHECK(chip.child_count() == 2);
    CHECK(chip.child_offset(0) == 128);
    CHECK(chip.child_offset(1) == 128 + 256);
    CHECK(chip.child_func_id(1) == 4);
    CHECK(chip.child(1).binary_size() == 0);
    CHECK(image.size() == 9376 + 128 + 256 + 192);
    CHECK(std::string(chip.func_name()) == "build");
    CHECK(chip.func_name_len() == 5);
    CHECK(chip.config_name_len() == 0);
    CHECK(image[9376 + 64] == 0xEE);
    for (std::size_t i = 9376 + 65; i < 9376 + 128; ++i) {
        CHECK(image[i] == 0);
    }
    for (std::size_t i = 9364; i < 9376; ++i) {
        CHECK(image[i] == 0);
    }
    CHECK_THROWS_AS((void)chip.child(2), std::out_of_range);
    CHECK_THROWS_AS((void)chip.child_offset(-1), std::out_of_range);
}

TEST_CASE("names are never shortened") {
    const std::string longest(63, 'n');
    CHECK(chip_in(make_chip(longest.c_str(), longest.c_str(), {}, {}, {})).func_name() == longest);
    const std::string too_long(64, 'n');
    CHECK_THROWS_AS((void)make_chip(too_long.c_str(), "", {}, {}, {}), std::invalid_argument);
    CHECK_THROWS_AS((void)make_chip("", too_long.c_str(), {}, {}, {}), std::invalid_argument);
}

TEST_CASE("limits and missing lists are refused") {
    const std::vector<ArgDirection> many(257, ArgDirection::IN);
    CHECK_NOTHROW((void)make_callable<CORE_MAX_TENSOR_ARGS>(many.data(), 32, nullptr, 0));
    CHECK_THROWS_AS((void)make_callable<CORE_MAX_TENSOR_ARGS>(many.data(), 33, nullptr, 0), std::invalid_argument);
    CHECK_THROWS_AS((void)make_callable<CORE_MAX_TENSOR_ARGS>(many.data(), -1, nullptr, 0), std::invalid_argument);
    CHECK_THROWS_AS((void)make_callable<CORE_MAX_TENSOR_ARGS>(nullptr, 1, nullptr, 0), std::invalid_argument);
    CHECK_THROWS_AS((void)make_callable<CORE_MAX_TENSOR_ARGS>(nullptr, 0, nullptr, 1), std::invalid_argument);
    CHECK_THROWS_AS(((void)make_callable<CoreCallable, CHIP_MAX_TENSOR_ARGS, CALLABLE_MAX_CHILDREN>(
                        many.data(), 257, "f", nullptr, 0, nullptr, nullptr, 0, "")),
                    std::invalid_argument);
    const Bytes child = make_callable<CORE_MAX_TENSOR_ARGS>(nullptr, 0, nullptr, 0);
    std::vector<std::int32_t> ids(1025);
    const std::vector<Bytes> children(1025, child);
    CHECK_THROWS_AS((void)make_chip("f", "", {}, ids, children), std::invalid_argument);
}

}  // namespace
