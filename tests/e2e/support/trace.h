// Which programs a command started, as strace saw it: what "no compiler ran" is asserted with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/command.h"

namespace scene_kernels::e2e {

// One successful exec, or the end of a process (then `program` is empty).
struct TraceEvent {
    pid_t pid = 0;
    std::string program;  // base name
    std::vector<std::string> argv;
};

class Trace {
public:
    // Reads what `strace -f -e trace=execve` wrote.
    [[nodiscard]] static Trace parse(std::string_view text);

    // All programs but the traced command itself, in order.
    [[nodiscard]] std::vector<std::string> programs() const;
    [[nodiscard]] int count(std::string_view program) const;
    // Processes of compilers, assemblers and linkers, whatever they were asked.
    [[nodiscard]] int compiler_processes() const;
    // Base names of the sources that compiler drivers were told to compile (-c), sorted.
    [[nodiscard]] std::vector<std::string> compiled() const;
    // How many compiler drivers at work (with -o) were alive at once, at most.
    [[nodiscard]] int most_compilers_alive() const;

private:
    std::vector<TraceEvent> m_events;
};

struct TracedResult {
    Result result;
    Trace trace;
};

// Runs `command` under strace; its result is the command's own.
[[nodiscard]] TracedResult run_traced(const Command &command);

}  // namespace scene_kernels::e2e
