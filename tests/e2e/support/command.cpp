#include "support/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "support/files.h"

namespace scene_kernels::e2e {

namespace {

std::string drain(int descriptor) {
    std::string text;
    lseek(descriptor, 0, SEEK_SET);
    std::array<char, 65536> buffer{};
    for (ssize_t got = 0; (got = read(descriptor, buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    close(descriptor);
    return text;
}

std::vector<char *> pointers(std::vector<std::string> &texts) {
    std::vector<char *> result;
    for (std::string &text : texts) {
        result.push_back(text.data());
    }
    result.push_back(nullptr);
    return result;
}

// The child's part; what it needs was made before the fork.
[[noreturn]] void become(char *const *argv, char *const *environment, const char *directory, int out, int err) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves nothing behind
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (*directory == '\0' || chdir(directory) == 0) {
        execvpe(argv[0], argv, environment);
    }
    _exit(127);
}

}  // namespace

int Result::count(const std::string &part) const {
    const std::string all = text();
    int found = 0;
    for (std::size_t at = all.find(part); at != std::string::npos; at = all.find(part, at + part.size())) {
        ++found;
    }
    return found;
}

std::map<std::string, std::string> clean_environment(const std::filesystem::path &home) {
    return {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
            {"HOME", home.string()},
            {"LC_ALL", "C.UTF-8"},
            // The leak checker does not work in a process that strace watches.
            {"ASAN_OPTIONS", "detect_leaks=0"}};
}

Background::Background(const Command &command)
    : m_out(memfd_create("out", MFD_CLOEXEC)), m_err(memfd_create("err", MFD_CLOEXEC)) {
    std::vector<std::string> argv = command.argv;
    std::vector<std::string> environment;
    for (const auto &[name, value] : command.environment) {
        environment.push_back(name + "=" + value);
    }
    const std::vector<char *> argv_pointers = pointers(argv);
    const std::vector<char *> environment_pointers = pointers(environment);
    m_pid = fork();
    if (m_pid == 0) {
        become(argv_pointers.data(), environment_pointers.data(), command.directory.c_str(), m_out, m_err);
    }
    if (m_pid < 0) {
        throw std::runtime_error("cannot start " + command.argv.front());
    }
    setpgid(m_pid, m_pid);  // whoever of the two is first
}

Background::~Background() {
    if (m_reaped) {
        return;
    }
    ::kill(-m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
    close(m_out);
    close(m_err);
}

void Background::signal(int number) const {
    ::kill(m_pid, number);
}

void Background::signal_group(int number) const {
    ::kill(-m_pid, number);
}

Result Background::wait() {
    int status = 0;
    if (m_reaped || waitpid(m_pid, &status, 0) != m_pid) {
        throw std::runtime_error("waited for twice");
    }
    m_reaped = true;
    Result result;
    result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    result.out = drain(m_out);
    result.err = drain(m_err);
    return result;
}

Result run(const Command &command) {
    return Background(command).wait();
}

Gate::Gate(const std::filesystem::path &tools, const std::string &name) : m_folder(tools / "gates" / name) {
    std::filesystem::create_directories(m_folder);
    const std::filesystem::path reached = m_folder / "reached";
    const std::filesystem::path go = m_folder / "go";
    // Both ends are open here, so that neither side waits in open().
    if (mkfifo(reached.c_str(), 0600) != 0 || mkfifo(go.c_str(), 0600) != 0 ||
        (m_reached = ::open(reached.c_str(), O_RDWR | O_CLOEXEC)) < 0 ||
        (m_go = ::open(go.c_str(), O_RDWR | O_CLOEXEC)) < 0) {
        throw std::runtime_error("cannot make the gate " + m_folder.string());
    }
}

Gate::~Gate() {
    open();
    close(m_reached);
    close(m_go);
}

bool Gate::wait_reached(const Background &process) const {
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process.pid(), 0));
    std::array<pollfd, 2> waiting = {pollfd{m_reached, POLLIN, 0}, pollfd{descriptor, POLLIN, 0}};
    while (poll(waiting.data(), waiting.size(), -1) < 0) {
    }
    close(descriptor);
    char byte = 0;
    return (waiting[0].revents & POLLIN) != 0 && read(m_reached, &byte, 1) == 1;
}

void Gate::open() {
    const std::string many(1024, 'g');
    if (write(m_go, many.data(), many.size()) < 0) {
        throw std::runtime_error("cannot open the gate " + m_folder.string());
    }
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

}  // namespace scene_kernels::e2e
