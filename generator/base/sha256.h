// SHA-256 digests and the tagged field hasher that all keys are made with; knows nothing of what is hashed.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace scene_kernels {

// The 32 bytes of a SHA-256 digest. All zero means "none".
struct Digest {
    std::array<std::uint8_t, 32> bytes{};

    auto operator<=>(const Digest &) const = default;
    // 64 lower-case hexadecimal digits.
    [[nodiscard]] std::string hex() const;
    [[nodiscard]] bool empty() const;
    // The inverse of hex(); nothing if `text` is not exactly 64 hexadecimal digits in lower case.
    [[nodiscard]] static std::optional<Digest> from_hex(std::string_view text);
};

struct DigestHash {
    std::size_t operator()(const Digest &digest) const noexcept {
        std::size_t value = 0;
        std::memcpy(&value, digest.bytes.data(), sizeof value);
        return value;
    }
};

// Incremental SHA-256 (libcrypto, which uses the CPU's SHA instructions). Not thread-safe; movable.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256 &&) noexcept;
    Sha256 &operator=(Sha256 &&) noexcept;

    void update(std::string_view bytes);
    // Ends the computation; the object may only be destroyed or assigned to afterwards.
    [[nodiscard]] Digest finish();

    [[nodiscard]] static Digest of(std::string_view bytes);

private:
    struct Context;
    std::unique_ptr<Context> m_context;
};

// Where the one traversal of a key's inputs sends its fields: to a hash, to an explanation, or to both.
class FieldSink {
public:
    virtual ~FieldSink() = default;
    // One input: `tag` says what it is, `value` is its bytes. Order matters.
    virtual void field(std::string_view tag, std::string_view value) = 0;
    void field(std::string_view tag, const Digest &digest) {
        field(tag, std::string_view(reinterpret_cast<const char *>(digest.bytes.data()), digest.bytes.size()));
    }
};

// Hashes fields unambiguously: each is written as u32 tag length, tag, u64 value length, value (little-endian).
class FieldHasher final : public FieldSink {
public:
    using FieldSink::field;
    void field(std::string_view tag, std::string_view value) override;
    [[nodiscard]] Digest finish() { return m_hash.finish(); }

private:
    Sha256 m_hash;
};

}  // namespace scene_kernels
