#include "os/environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "os/filesystem.h"

namespace scene_kernels {

namespace {

// "max 100000" or "200000 100000" of cgroup v2's cpu.max: the quota in CPUs, rounded up; 0 where there is none.
int quota_of(const std::string &text) {
    const std::size_t space = text.find(' ');
    if (space == std::string::npos) {
        return 0;
    }
    long long quota = 0;
    long long period = 0;
    const char *const begin = text.data();
    const auto first = std::from_chars(begin, begin + space, quota);
    const auto second = std::from_chars(begin + space + 1, begin + text.size(), period);
    if (first.ec != std::errc{} || second.ec != std::errc{} || quota <= 0 || period <= 0) {
        return 0;
    }
    return static_cast<int>(std::min<long long>((quota + period - 1) / period, 1 << 20));
}

int cgroup_v1_quota() {
    const auto quota = real_filesystem().read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    const auto period = real_filesystem().read("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (!quota || !period) {
        return 0;
    }
    return quota_of(quota->substr(0, quota->find('\n')) + " " + *period);
}

// The smallest quota on the way from this process's cgroup (v2) to the root.
int cgroup_quota() {
    const auto membership = real_filesystem().read("/proc/self/cgroup");
    int smallest = cgroup_v1_quota();
    if (!membership) {
        return smallest;
    }
    const std::size_t start = membership->rfind("0::/");
    if (start == std::string::npos) {
        return smallest;
    }
    std::string group = membership->substr(start + 3);
    group.resize(std::min(group.size(), group.find('\n')));
    for (;;) {
        const auto text = real_filesystem().read("/sys/fs/cgroup" + group + "/cpu.max");
        const int quota = text ? quota_of(*text) : 0;
        if (quota > 0 && (smallest == 0 || quota < smallest)) {
            smallest = quota;
        }
        const std::size_t slash = group.rfind('/');
        if (slash == std::string::npos) {
            return smallest;
        }
        group.resize(slash);
    }
}

}  // namespace

std::optional<std::string> environment_variable(const std::string &name) {
    const char *value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

int available_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    int cpus = 1;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) {
        cpus = std::max(1, CPU_COUNT(&set));
    }
    const int quota = cgroup_quota();
    return quota > 0 ? std::min(cpus, quota) : cpus;
}

std::string host_system() {
    utsname name{};
    ::uname(&name);
    std::string system = name.sysname;
    std::transform(system.begin(), system.end(), system.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return system;
}

std::string host_machine() {
    utsname name{};
    ::uname(&name);
    return name.machine;
}

std::string own_program() {
    return real_filesystem().read_link("/proc/self/exe").value_or(std::nullopt).value_or("scene-kernels");
}

std::string current_directory() {
    return real_filesystem().real_path(".").value_or("/");
}

int process_id() {
    return ::getpid();
}
unsigned user_id() {
    return ::geteuid();
}
bool output_is_terminal() {
    return ::isatty(STDOUT_FILENO) == 1;
}
bool error_output_is_terminal() {
    return ::isatty(STDERR_FILENO) == 1;
}

}  // namespace scene_kernels
