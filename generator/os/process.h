// Child processes: argv vectors, no shell, and nothing left running when this process is told to stop.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace scene_kernels {

struct ProcessSpec {
    std::vector<std::string> argv;     // argv[0] is the program: an absolute path, or relative to `directory`
    std::string directory;             // empty: this process's own
    bool inherit_environment = false;  // else the child sees `environment` alone
    std::map<std::string, std::string> environment;  // added to, or instead of, this process's environment
    bool capture_output = true;                      // stdout and stderr into the result (each apart); else inherited
    bool merge_output = false;                       // both, in the order written, into `result.output`
};

struct ProcessResult {
    int exit_status = 0;       // 128 + the signal's number where one ended it
    bool interrupted = false;  // because this process got SIGINT, SIGTERM or SIGHUP
    std::string output;
    std::string error_output;
};

class ProcessRunner {
public:
    virtual ~ProcessRunner() = default;
    // Runs to the end. A program that cannot be started is an error; one that fails is a result.
    // The child dies with this process (PR_SET_PDEATHSIG), and a first SIGINT/SIGTERM/SIGHUP is passed on to it.
    [[nodiscard]] virtual Expected<ProcessResult> run(const ProcessSpec &spec) = 0;
};

[[nodiscard]] ProcessRunner &real_processes();

// Installs handlers that note SIGINT, SIGTERM and SIGHUP instead of dying, so that cleaning up can happen. Call once,
// early.
void note_interrupts();
// The first such signal's number, 0 if none came.
[[nodiscard]] int interrupt_signal();

}  // namespace scene_kernels
