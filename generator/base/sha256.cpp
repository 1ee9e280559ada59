#include "base/sha256.h"

#include <algorithm>
#include <cstdlib>

#include <openssl/evp.h>

namespace scene_kernels {

namespace {

constexpr char k_hex_digits[] = "0123456789abcdef";

int nibble(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return -1;
}

// EVP_sha256() looks its provider up on every use; fetched once it costs a third for short inputs.
const EVP_MD *sha256_algorithm() {
    static EVP_MD *const s_algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return s_algorithm;
}

}  // namespace

std::string Digest::hex() const {
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        text += k_hex_digits[byte >> 4];
        text += k_hex_digits[byte & 15];
    }
    return text;
}

bool Digest::empty() const {
    return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

std::optional<Digest> Digest::from_hex(std::string_view text) {
    Digest digest;
    if (text.size() != digest.bytes.size() * 2) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
        const int high = nibble(text[2 * i]);
        const int low = nibble(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        digest.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return digest;
}

struct Sha256::Context {
    EVP_MD_CTX *evp = EVP_MD_CTX_new();
    Context() = default;
    ~Context() { EVP_MD_CTX_free(evp); }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
};

Sha256::Sha256() : m_context(std::make_unique<Context>()) {
    // Only an exhausted heap or a broken libcrypto fails here, and no result could be trusted then.
    if (m_context->evp == nullptr || EVP_DigestInit_ex2(m_context->evp, sha256_algorithm(), nullptr) != 1) {
        std::abort();
    }
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256 &&) noexcept = default;
Sha256 &Sha256::operator=(Sha256 &&) noexcept = default;

void Sha256::update(std::string_view bytes) {
    if (EVP_DigestUpdate(m_context->evp, bytes.data(), bytes.size()) != 1) {
        std::abort();
    }
}

Digest Sha256::finish() {
    Digest digest;
    unsigned int size = 0;
    if (EVP_DigestFinal_ex(m_context->evp, digest.bytes.data(), &size) != 1 || size != digest.bytes.size()) {
        std::abort();
    }
    return digest;
}

Digest Sha256::of(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.finish();
}

void FieldHasher::field(std::string_view tag, std::string_view value) {
    char header[12];
    const auto put = [&header](std::size_t at, std::uint64_t number, std::size_t width) {
        for (std::size_t i = 0; i < width; ++i) {
            header[at + i] = static_cast<char>(number >> (8 * i));
        }
    };
    put(0, tag.size(), 4);
    put(4, value.size(), 8);
    m_hash.update(std::string_view(header, 4));
    m_hash.update(tag);
    m_hash.update(std::string_view(header + 4, 8));
    m_hash.update(value);
}

}  // namespace scene_kernels
