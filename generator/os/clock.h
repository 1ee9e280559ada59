// The time as file timestamps see it, and as durations are measured; an interface so that tests can move it.
#pragma once

#include <cstdint>

namespace scene_kernels {

// A file whose mtime or ctime is not older than this, when it is read, may change again without its times showing it:
// kernels stamp files from a clock that ticks every 1 to 10 ms (CONFIG_HZ 1000 to 100).
inline constexpr std::int64_t k_clock_tick_ns = 10'000'000;

class Clock {
public:
    virtual ~Clock() = default;
    // Nanoseconds since the epoch, from the clock that stamps files.
    [[nodiscard]] virtual std::int64_t now_ns() = 0;
    // Nanoseconds since some fixed point; never goes back.
    [[nodiscard]] virtual std::int64_t steady_ns() = 0;
};

[[nodiscard]] Clock &real_clock();

}  // namespace scene_kernels
