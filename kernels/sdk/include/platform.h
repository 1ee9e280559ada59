// What the compile line says about the target, as macros and constants: simulator or device, architecture, core type.
// Every kernel and orchestration is compiled with exactly one of SCENE_ARCH_A2A3 and SCENE_ARCH_A5; on the simulator
// also with SCENE_SIM. A kernel is compiled with exactly one of SCENE_CORE_AIC (cube) and SCENE_CORE_AIV (vector).
#pragma once

#include <cstdint>

#if defined(SCENE_ARCH_A2A3) == defined(SCENE_ARCH_A5)
#error "define exactly one of SCENE_ARCH_A2A3 and SCENE_ARCH_A5"
#endif
#if defined(SCENE_CORE_AIC) && defined(SCENE_CORE_AIV)
#error "define at most one of SCENE_CORE_AIC and SCENE_CORE_AIV"
#endif

// The device compiler marks device functions and device memory with words of its own; a host compiler has neither.
#if defined(__CCE_AICORE__) || defined(__CCE__)
#define SCENE_DEVICE __aicore__
#define SCENE_GM __gm__
#else
#define SCENE_DEVICE
#define SCENE_GM
#endif

// For every function that a kernel calls. Inlining always keeps the entry at the very start of the code, where a device
// jumps to.
#define SCENE_INLINE SCENE_DEVICE inline __attribute__((always_inline))

namespace scene_kernels::sdk {

// How many elements a kernel works on at a time: rows, columns and depth on the cube, elements on the vector unit.
#if defined(SCENE_ARCH_A2A3)
inline constexpr std::int64_t k_cube_tile_rows = 16;
inline constexpr std::int64_t k_cube_tile_columns = 32;
inline constexpr std::int64_t k_cube_tile_depth = 64;
inline constexpr std::int64_t k_vector_tile = 128;
#else
inline constexpr std::int64_t k_cube_tile_rows = 32;
inline constexpr std::int64_t k_cube_tile_columns = 64;
inline constexpr std::int64_t k_cube_tile_depth = 32;
inline constexpr std::int64_t k_vector_tile = 256;
#endif

}  // namespace scene_kernels::sdk
