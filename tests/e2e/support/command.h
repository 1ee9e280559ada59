// Programs for end-to-end tests: run to the end or in the background, with their output, in a clean environment.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scene_kernels::e2e {

struct Command {
    std::vector<std::string> argv;
    std::filesystem::path directory;                 // empty: the test's own
    std::map<std::string, std::string> environment;  // all that the program sees
};

struct Result {
    int status = 0;  // exit status; 128 + the signal's number where one ended it
    std::string out;
    std::string err;

    [[nodiscard]] std::string text() const { return out + err; }
    // How often `part` occurs in out and err together.
    [[nodiscard]] int count(const std::string &part) const;
};

// PATH, a UTF-8 locale and `home` as HOME: what a tool needs, and nothing of the user's.
[[nodiscard]] std::map<std::string, std::string> clean_environment(const std::filesystem::path &home);

// A program in its own process group. When the object ends, what is left of the group is killed.
class Background {
public:
    explicit Background(const Command &command);
    ~Background();
    Background(const Background &) = delete;
    Background &operator=(const Background &) = delete;

    [[nodiscard]] pid_t pid() const { return m_pid; }
    // To the process alone, as `kill` does.
    void signal(int number) const;
    // To its whole group, as a terminal does on Ctrl-C.
    void signal_group(int number) const;
    // Waits for the end; bounded by the time limit that ctest gives a test.
    [[nodiscard]] Result wait();

private:
    pid_t m_pid = -1;
    int m_out = -1;  // anonymous files, so that nobody has to drain a pipe
    int m_err = -1;
    bool m_reaped = false;
};

[[nodiscard]] Result run(const Command &command);

// A place where the stand-in compiler (compiler_stand_in.cpp) stops until it is told to go on. `tools` is the folder of
// the stand-in; `name` says where: the base name of a source, "link" or "query", and ".before" or ".after".
class Gate {
public:
    Gate(const std::filesystem::path &tools, const std::string &name);
    ~Gate();
    Gate(const Gate &) = delete;
    Gate &operator=(const Gate &) = delete;

    // Waits until a compiler is there, or until `process` ends: then false.
    [[nodiscard]] bool wait_reached(const Background &process) const;
    // Lets everybody pass from now on.
    void open();

private:
    std::filesystem::path m_folder;
    int m_reached = -1;
    int m_go = -1;
};

}  // namespace scene_kernels::e2e
