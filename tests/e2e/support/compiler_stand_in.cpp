// Stands in for g++ in end-to-end tests: the same, but it stops at gates (see Gate in command.h) that a test has put
// into the folder `gates` beside it. It is told nothing else, so it can be a toolchain row like any other.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;

// What a gate for this call is named after.
std::string place_of(int argc, char **argv) {
    bool compiles = false;
    bool links = false;
    std::string source;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        compiles = compiles || argument == "-c";
        links = links || argument == "-shared";
        if (argument.ends_with(".cpp")) {
            source = fs::path(argument).filename().string();
        }
    }
    if (compiles && !source.empty()) {
        return source;
    }
    return links ? "link" : "query";
}

void pass(const fs::path &gate) {
    const int reached = open((gate / "reached").c_str(), O_WRONLY | O_CLOEXEC);
    if (reached < 0) {
        return;
    }
    const int go = open((gate / "go").c_str(), O_RDONLY | O_CLOEXEC);
    char byte = 'r';
    if (write(reached, &byte, 1) != 1 || (go >= 0 && read(go, &byte, 1) < 0)) {
        std::perror("gate");
    }
    close(go);
    close(reached);
}

}  // namespace

int main(int argc, char **argv) {
    const fs::path gates = fs::read_symlink("/proc/self/exe").parent_path() / "gates";
    const std::string place = place_of(argc, argv);
    pass(gates / (place + ".before"));

    argv[0] = const_cast<char *>(E2E_REAL_COMPILER);
    if (!fs::exists(gates / (place + ".after"))) {
        execv(argv[0], argv);
        return 127;
    }
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execv(argv[0], argv);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    pass(gates / (place + ".after"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
