// This process's surroundings: environment, CPUs, host name and kind, its own program file.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace scene_kernels {

[[nodiscard]] std::optional<std::string> environment_variable(const std::string &name);
// CPUs that this process may use: affinity and the cgroup's quota counted, at least 1.
[[nodiscard]] int available_cpus();
// "linux" or "darwin"; "x86_64", "aarch64", ...
[[nodiscard]] std::string host_system();
[[nodiscard]] std::string host_machine();
// Absolute path of the running program.
[[nodiscard]] std::string own_program();
[[nodiscard]] std::string current_directory();
[[nodiscard]] int process_id();
[[nodiscard]] unsigned user_id();
[[nodiscard]] bool output_is_terminal();        // stdout
[[nodiscard]] bool error_output_is_terminal();  // stderr

}  // namespace scene_kernels
