#include "report/texts.h"

#include <fmt/format.h>

namespace scene_kernels {

std::string bytes_text(std::uint64_t bytes) {
    constexpr double k_step = 1024;
    if (bytes < 1024) {
        return fmt::format("{} B", bytes);
    }
    double value = static_cast<double>(bytes) / k_step;
    const char *unit = "KiB";
    for (const char *next : {"MiB", "GiB", "TiB"}) {
        if (value < k_step) {
            break;
        }
        value /= k_step;
        unit = next;
    }
    return fmt::format("{:.1f} {}", value, unit);
}

std::string age_text(std::int64_t nanoseconds) {
    constexpr std::int64_t k_second = 1'000'000'000;
    const std::int64_t seconds = nanoseconds < 0 ? 0 : nanoseconds / k_second;
    if (seconds < 120) {
        return fmt::format("{} s", seconds);
    }
    if (seconds < 7200) {
        return fmt::format("{} min", seconds / 60);
    }
    if (seconds < 172800) {
        return fmt::format("{} h", seconds / 3600);
    }
    return fmt::format("{} d", seconds / 86400);
}

}  // namespace scene_kernels
