// How a callable or a kernel uses each of its arguments, and how many of them there may be. Knows no images and no
// tensors. These values and limits are part of the image format: a change gives a new ABI token, so nothing old is
// loaded.
#pragma once

#include <cstdint>

enum class ArgDirection : std::int32_t {
    SCALAR = 0,  // a 64-bit value
    IN = 1,      // a tensor that is only read
    OUT = 2,     // a tensor that is overwritten; its old contents are not looked at
    INOUT = 3,   // a tensor that is read and changed in place
};

inline constexpr int CORE_MAX_TENSOR_ARGS = 32;     // signature entries of one kernel
inline constexpr int CHIP_MAX_TENSOR_ARGS = 256;    // signature entries of one callable
inline constexpr int CALLABLE_MAX_CHILDREN = 1024;  // kernels of one callable
inline constexpr int CALLABLE_FUNC_NAME_MAX = 64;   // bytes of a name with its terminating zero

// Binaries and children start at multiples of this, counted from the start of what holds them.
inline constexpr std::uint32_t CALLABLE_ALIGN = 64;
// What the storage behind a callable's header is aligned to, and so the least alignment of kernel code on a device.
inline constexpr std::uint32_t CALLABLE_CHILD_ALIGN = 16;

constexpr const char *arg_direction_name(ArgDirection direction) {
    switch (direction) {
        case ArgDirection::SCALAR:
            return "scalar";
        case ArgDirection::IN:
            return "in";
        case ArgDirection::OUT:
            return "out";
        case ArgDirection::INOUT:
            return "inout";
    }
    return "unknown";
}
