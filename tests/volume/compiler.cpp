// Stands in for g++ in the proof by volume: the same, but it defines VOLUME_COMPILER as the last byte of its own file.
// So copies with other last bytes are compilers that differ in content and in what they make, from equal commands.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

int main(int argc, char **argv) {
    std::ifstream self("/proc/self/exe", std::ios::binary);
    self.seekg(-1, std::ios::end);
    const int last = self.get();
    if (last < '0' || last > '9') {
        std::fprintf(stderr, "the last byte of this compiler is no digit\n");
        return 1;
    }
    std::string define = std::string("-DVOLUME_COMPILER=") + static_cast<char>(last);
    std::vector<char *> words(argv, argv + argc);
    std::string program = VOLUME_REAL_COMPILER;
    words.front() = program.data();
    // Questions such as --version take no option besides.
    for (const char *argument : words) {
        if (std::string(argument) == "-o" || std::string(argument) == "-E") {
            words.insert(words.begin() + 1, define.data());
            break;
        }
    }
    words.push_back(nullptr);
    execv(words.front(), words.data());
    std::perror(words.front());
    return 127;
}
