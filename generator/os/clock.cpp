#include "os/clock.h"

#include <ctime>

namespace scene_kernels {

namespace {

std::int64_t read_clock(clockid_t id) {
    timespec time{};
    ::clock_gettime(id, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

class RealClock final : public Clock {
public:
    std::int64_t now_ns() override { return read_clock(CLOCK_REALTIME); }
    std::int64_t steady_ns() override { return read_clock(CLOCK_MONOTONIC); }
};

}  // namespace

Clock &real_clock() {
    static RealClock s_clock;
    return s_clock;
}

}  // namespace scene_kernels
