#include "os/process.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace scene_kernels {

namespace {

std::atomic<int> g_interrupt{0};

extern "C" void note_signal(int number) {
    int none = 0;
    g_interrupt.compare_exchange_strong(none, number);
}

struct Pipe {
    int read_end = -1;
    int write_end = -1;
    Pipe() = default;
    ~Pipe() {
        close_read();
        close_write();
    }
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;
    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) {
            return false;
        }
        read_end = ends[0];
        write_end = ends[1];
        return true;
    }
    void close_read() { close_end(read_end); }
    void close_write() { close_end(write_end); }

private:
    static void close_end(int &end) {
        if (end >= 0) {
            ::close(end);
            end = -1;
        }
    }
};

std::vector<char *> pointers(const std::vector<std::string> &words) {
    std::vector<char *> result;
    result.reserve(words.size() + 1);
    for (const std::string &word : words) {
        result.push_back(const_cast<char *>(word.c_str()));
    }
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> environment_of(const ProcessSpec &spec) {
    std::vector<std::string> words;
    if (spec.inherit_environment) {
        for (char **word = environ; *word != nullptr; ++word) {
            const std::string_view text = *word;
            if (!spec.environment.contains(std::string(text.substr(0, text.find('='))))) {
                words.emplace_back(text);
            }
        }
    }
    for (const auto &[name, value] : spec.environment) {
        words.push_back(name + "=" + value);
    }
    return words;
}

// What the child needs after fork, prepared before it: nothing in there allocates.
struct ChildPlan {
    std::vector<char *> argv;
    std::vector<char *> environment;
    const char *directory = nullptr;
    int output = -1;
    int error_output = -1;
    int report = -1;  // gets the errno of whatever fails before the program runs
    pid_t parent = 0;
};

[[noreturn]] void become_child(const ChildPlan &plan) {
    const auto give_up = [&plan]() {
        const int error = errno;
        [[maybe_unused]] const ssize_t written = ::write(plan.report, &error, sizeof error);
        ::_exit(127);
    };
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != plan.parent) {
        ::_exit(127);  // the parent died before the line above could notice
    }
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
        ::signal(number, SIG_DFL);
    }
    if (plan.directory != nullptr && ::chdir(plan.directory) != 0) {
        give_up();
    }
    const int input = ::open("/dev/null", O_RDONLY);
    if (plan.output >= 0 && (input < 0 || ::dup2(input, STDIN_FILENO) < 0 || ::dup2(plan.output, STDOUT_FILENO) < 0 ||
                             ::dup2(plan.error_output, STDERR_FILENO) < 0)) {
        give_up();
    }
    ::execve(plan.argv[0], plan.argv.data(), plan.environment.data());
    give_up();
    ::_exit(127);
}

class RealProcessRunner final : public ProcessRunner {
public:
    Expected<ProcessResult> run(const ProcessSpec &spec) override {
        const std::string &program = spec.argv.at(0);
        Pipe output;
        Pipe error_output;
        Pipe report;
        if (!report.open() ||
            (spec.capture_output && (!output.open() || (!spec.merge_output && !error_output.open())))) {
            return failure(with_errno("cannot make a pipe for " + program, errno));
        }
        const std::vector<std::string> environment = environment_of(spec);
        ChildPlan plan;
        plan.argv = pointers(spec.argv);
        plan.environment = pointers(environment);
        plan.directory = spec.directory.empty() ? nullptr : spec.directory.c_str();
        plan.output = output.write_end;
        plan.error_output = spec.merge_output ? output.write_end : error_output.write_end;
        plan.report = report.write_end;
        plan.parent = ::getpid();
        const pid_t child = ::fork();
        if (child < 0) {
            return failure(with_errno("cannot start " + program, errno));
        }
        if (child == 0) {
            become_child(plan);
        }
        output.close_write();
        error_output.close_write();
        report.close_write();
        ProcessResult result;
        collect(child, output.read_end, error_output.read_end, result);
        const int status = wait_for(child, result);
        int start_error = 0;
        if (::read(report.read_end, &start_error, sizeof start_error) == static_cast<ssize_t>(sizeof start_error)) {
            return failure(with_errno("cannot start " + program, start_error));
        }
        result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return result;
    }

private:
    static void pass_on_interrupt(pid_t child, ProcessResult &result) {
        const int number = g_interrupt.load();
        if (number != 0 && !result.interrupted) {
            result.interrupted = true;
            ::kill(child, number);
        }
    }

    static void collect(pid_t child, int output, int error_output, ProcessResult &result) {
        std::array<pollfd, 2> streams = {pollfd{output, POLLIN, 0}, pollfd{error_output, POLLIN, 0}};
        std::array<std::string *, 2> texts = {&result.output, &result.error_output};
        std::array<char, 65536> buffer{};
        while (streams[0].fd >= 0 || streams[1].fd >= 0) {
            // The time limit closes the window between the look at g_interrupt and the wait.
            pass_on_interrupt(child, result);
            if (::poll(streams.data(), streams.size(), 200) < 0 && errno != EINTR) {
                return;
            }
            for (std::size_t i = 0; i < streams.size(); ++i) {
                if (streams[i].fd < 0 || streams[i].revents == 0) {
                    continue;
                }
                const ssize_t count = ::read(streams[i].fd, buffer.data(), buffer.size());
                if (count > 0) {
                    texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
                } else if (count == 0 || errno != EINTR) {
                    streams[i].fd = -1;
                }
                streams[i].revents = 0;
            }
        }
    }

    static int wait_for(pid_t child, ProcessResult &result) {
        int status = 0;
        for (;;) {
            pass_on_interrupt(child, result);
            if (::waitpid(child, &status, 0) == child) {
                return status;
            }
            if (errno != EINTR) {
                return 0;
            }
        }
    }
};

}  // namespace

ProcessRunner &real_processes() {
    static RealProcessRunner s_runner;
    return s_runner;
}

void note_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_signal;
    ::sigemptyset(&action.sa_mask);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        // A program started with a signal ignored (nohup) keeps ignoring it.
        if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            ::sigaction(number, &action, nullptr);
        }
    }
}

int interrupt_signal() {
    return g_interrupt.load();
}

}  // namespace scene_kernels
