#include "base/bytes.h"

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

using namespace scene_kernels;

TEST_CASE("what was written is read back") {
    ByteWriter writer;
    writer.u8(200);
    writer.u32(0xDEADBEEF);
    writer.u64(std::numeric_limits<std::uint64_t>::max());
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{1} << 35U,
                                      std::numeric_limits<std::uint64_t>::max()}) {
        writer.varint(value);
    }
    writer.text("a");
    writer.digest(Sha256::of("abc"));
    ByteReader reader(writer.bytes());
    CHECK(reader.u8() == 200);
    CHECK(reader.u32() == 0xDEADBEEF);
    CHECK(reader.u64() == std::numeric_limits<std::uint64_t>::max());
    CHECK(reader.varint() == 0);
    CHECK(reader.varint() == 127);
    CHECK(reader.varint() == 128);
    CHECK(reader.varint() == std::uint64_t{1} << 35U);
    CHECK(reader.varint() == std::numeric_limits<std::uint64_t>::max());
    CHECK(reader.text() == "a");
    CHECK(reader.digest() == Sha256::of("abc"));
    CHECK(reader.complete());
}

TEST_CASE("a reader that failed stays failed and gives nothing") {
    ByteWriter writer;
    writer.varint(5);
    writer.raw("abcd");
    ByteReader reader(writer.bytes());
    CHECK(reader.text().empty());
    CHECK_FALSE(reader.ok());
    CHECK(reader.u8() == 0);
    CHECK(reader.digest().empty());
    CHECK_FALSE(reader.complete());
}

TEST_CASE("varints that do not end or do not fit are refused") {
    for (const std::string &bytes :
         {std::string(), std::string("\x80"), std::string(10, '\xff'), std::string(9, '\xff') + "\x02"}) {
        ByteReader reader(bytes);
        CHECK(reader.varint() == 0);
        CHECK_FALSE(reader.ok());
    }
}

TEST_CASE("a count is bounded by what the input can hold") {
    ByteWriter writer;
    writer.varint(3);
    writer.raw("12345");
    CHECK(ByteReader(writer.bytes()).count() == 3);
    ByteReader reader(writer.bytes());
    CHECK(reader.count(2) == 0);
    CHECK_FALSE(reader.ok());
}
