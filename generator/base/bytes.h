// Writing and reading the bytes of binary records: little-endian integers, varints, texts. Knows no formats.
//
//   varint = 1 to 10 bytes, seven bits each, lowest first; the top bit says that another byte follows
//   text   = varint length, bytes
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/sha256.h"

namespace scene_kernels {

class ByteWriter {
public:
    void u8(std::uint8_t value) { m_bytes += static_cast<char>(value); }
    void u32(std::uint32_t value) { fixed(value, 4); }
    void u64(std::uint64_t value) { fixed(value, 8); }
    void varint(std::uint64_t value) {
        while (value >= 0x80) {
            u8(static_cast<std::uint8_t>(value | 0x80U));
            value >>= 7U;
        }
        u8(static_cast<std::uint8_t>(value));
    }
    void raw(std::string_view bytes) { m_bytes += bytes; }
    void text(std::string_view bytes) {
        varint(bytes.size());
        raw(bytes);
    }
    void digest(const Digest &digest) {
        raw({reinterpret_cast<const char *>(digest.bytes.data()), digest.bytes.size()});
    }

    [[nodiscard]] const std::string &bytes() const { return m_bytes; }
    // The bytes so far; the writer is empty afterwards.
    [[nodiscard]] std::string take() { return std::exchange(m_bytes, {}); }

private:
    void fixed(std::uint64_t value, unsigned width) {
        for (unsigned i = 0; i < width; ++i) {
            u8(static_cast<std::uint8_t>(value >> (8 * i)));
        }
    }
    std::string m_bytes;
};

// Reads what ByteWriter wrote. The first thing that is not there makes ok() false for good; what is read from then on
// is zero or empty, so that a caller checks once, at the end. Texts are views of the input.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : m_at(bytes.data()), m_end(bytes.data() + bytes.size()) {}

    std::uint8_t u8() { return static_cast<std::uint8_t>(fixed(1)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(fixed(4)); }
    std::uint64_t u64() { return fixed(8); }
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (m_at == m_end) {
                break;
            }
            const auto byte = static_cast<std::uint8_t>(*m_at++);
            const std::uint64_t bits = byte & 0x7FU;
            if (shift == 63 && bits > 1) {
                break;
            }
            value |= bits << shift;
            if (byte < 0x80) {
                return value;
            }
        }
        fail();
        return 0;
    }
    std::string_view raw(std::uint64_t size) {
        if (size > remaining()) {
            fail();
            return {};
        }
        const std::string_view bytes(m_at, static_cast<std::size_t>(size));
        m_at += size;
        return bytes;
    }
    std::string_view text() { return raw(varint()); }
    Digest digest() {
        Digest digest;
        const std::string_view bytes = raw(digest.bytes.size());
        if (m_ok) {
            std::memcpy(digest.bytes.data(), bytes.data(), digest.bytes.size());
        }
        return digest;
    }
    // A count of things that take at least `least` bytes each: fails where the input cannot hold so many, so that a
    // caller may reserve room for them.
    std::size_t count(std::size_t least = 1) {
        const std::uint64_t value = varint();
        if (value > remaining() / least) {
            fail();
            return 0;
        }
        return static_cast<std::size_t>(value);
    }

    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(m_end - m_at); }
    // Everything was there, and nothing is left over.
    [[nodiscard]] bool complete() const { return m_ok && m_at == m_end; }

private:
    std::uint64_t fixed(unsigned width) {
        const std::string_view bytes = raw(width);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[i])) << (8 * i);
        }
        return value;
    }
    void fail() {
        m_ok = false;
        m_at = m_end;
    }
    const char *m_at;
    const char *m_end;
    bool m_ok = true;
};

}  // namespace scene_kernels
