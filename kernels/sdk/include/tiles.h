// Tile loops: cuts a length into pieces of a fixed size, of which the last may be shorter. Knows no tensors.
#pragma once

#include <cstdint>

#include "platform.h"

namespace scene_kernels::sdk {

// The elements from `begin` to before `end`.
struct Tile {
    std::int64_t begin;
    std::int64_t end;
};

// `for (const Tile tile : Tiles(length, size))` visits [0, length) in order; nothing where `length` is 0 or less.
class Tiles {
public:
    class Iterator {
    public:
        SCENE_INLINE Iterator(std::int64_t begin, std::int64_t length, std::int64_t size)
            : m_begin(begin), m_length(length), m_size(size) {}
        SCENE_INLINE Tile operator*() const {
            return {m_begin, m_length - m_begin < m_size ? m_length : m_begin + m_size};
        }
        SCENE_INLINE Iterator &operator++() {
            m_begin += m_size;
            return *this;
        }
        SCENE_INLINE bool operator!=(const Iterator &other) const { return m_begin < other.m_length; }

    private:
        std::int64_t m_begin;
        std::int64_t m_length;
        std::int64_t m_size;
    };

    // `size` is at least 1.
    SCENE_INLINE Tiles(std::int64_t length, std::int64_t size) : m_length(length), m_size(size) {}
    SCENE_INLINE Iterator begin() const { return {0, m_length, m_size}; }
    SCENE_INLINE Iterator end() const { return {m_length, m_length, m_size}; }

private:
    std::int64_t m_length;
    std::int64_t m_size;
};

}  // namespace scene_kernels::sdk
