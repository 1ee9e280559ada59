#include "base/sha256.h"

#include <doctest/doctest.h>

using namespace scene_kernels;

TEST_CASE("SHA-256 of the FIPS 180-4 examples") {
    CHECK(Sha256::of("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(Sha256::of("").hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("digests survive the way through text, and nothing else is one") {
    const Digest digest = Sha256::of("abc");
    CHECK(Digest::from_hex(digest.hex()) == digest);
    CHECK_FALSE(Digest::from_hex(digest.hex() + "0"));
    CHECK_FALSE(Digest::from_hex(std::string(64, 'g')));
    CHECK_FALSE(Digest::from_hex(std::string(64, 'A')));
    CHECK(Digest{}.empty());
    CHECK_FALSE(digest.empty());
}

TEST_CASE("fields that join to the same bytes hash differently") {
    const auto hash = [](std::initializer_list<std::pair<const char *, const char *>> fields) {
        FieldHasher hasher;
        for (const auto &[tag, value] : fields) {
            hasher.field(tag, std::string_view(value));
        }
        return hasher.finish();
    };
    CHECK(hash({{"a", "bc"}}) != hash({{"ab", "c"}}));
    CHECK(hash({{"a", "b"}, {"c", "d"}}) != hash({{"a", "bc"}, {"", "d"}}));
    CHECK(hash({{"a", "b"}, {"c", "d"}}) != hash({{"c", "d"}, {"a", "b"}}));
    CHECK(hash({{"a", ""}}) != hash({}));
    CHECK(hash({{"a", "b"}}) == hash({{"a", "b"}}));
}
