#include "fake_compiler.h"

#include "os/clock.h"

namespace scene_kernels {

namespace {

constexpr std::string_view k_source = R"cpp(
#include <cstdio>
#include <string>
#include <unistd.h>
    static bool there(const std::string &path) {
        return access(path.c_str(), X_OK) == 0;
    }
    int main(int count, char **words) {
        std::string root = words[0];
        for (int i = 0; i < 2; ++i)
            root.erase(root.rfind('/'));
        for (int i = 1; i < count; ++i) {
            const std::string word = words[i];
            const std::string ask = "-print-prog-name=";
            if (word == "--version") {
                std::puts("fake 1.0");
            }
            if (word == "-dumpmachine") {
                std::puts("fake-linux");
            }
            if (word == "--verbose") {
                std::puts("SEARCH_DIR(\"=/linker/own\"); SEARCH_DIR(\"/more\");");
            }
            if (word == "-print-search-dirs") {
                std::printf("install: %s/lib/\nprograms: =%s/early/:%s/libexec/\nlibraries: =%s/lib/\n", root.c_str(),
                            root.c_str(), root.c_str(), root.c_str());
            }
            if (word.compare(0, ask.size(), ask) == 0) {
                const std::string name = word.substr(ask.size());
                const char *folder = there(root + "/early/" + name) ? "/early/" : "/libexec/";
                std::puts(there(root + folder + name) ? (root + folder + name).c_str() : name.c_str());
            }
            if (word == "-###") {
                if (access((root + "/bin/clang++.cfg").c_str(), R_OK) == 0) {
                    std::fprintf(stderr, "Configuration file: %s/bin/clang++.cfg\n", root.c_str());
                }
                std::fprintf(stderr, "InstalledDir: %s/bin\n \"%s/libexec/clang\" \"-cc1\"\n", root.c_str(), root.c_str());
                std::fprintf(stderr, "Found candidate GCC installation: %s/gcc/fake/12\n", root.c_str());
                std::fprintf(stderr, " \"%s/late/ld\" \"-L/shown \\\"by\\\" driver\"\n", root.c_str());
            }
        }
    }
)cpp";

}  // namespace

FakeToolchain::FakeToolchain() {
    if (!m_root.add("fake.cpp", k_source)) {
        return;
    }
    ProcessSpec spec;
    spec.argv = {"/usr/bin/g++", "-O1", "fake.cpp", "-o", "fake"};
    spec.directory = m_root.path();
    spec.environment = {{"PATH", "/usr/bin:/bin"}};
    const auto made = real_processes().run(spec);
    const auto bytes = real_filesystem().read(m_root / "fake");
    if (!made || made->exit_status != 0 || !bytes) {
        return;
    }
    m_program = *bytes;
    for (const char *name : {"bin/g++", "bin/clang++", "libexec/cc1plus", "libexec/collect2", "libexec/lto-wrapper",
                             "libexec/liblto_plugin.so", "libexec/clang", "late/as", "late/ld"}) {
        place(name);
    }
    for (const char *name : {"early", "lib", "first", "gcc/fake"}) {
        (void)real_filesystem().create_directories(m_root / name);
    }
}

void FakeToolchain::place(const std::string &name, const std::string &ending) const {
    place_text(name, m_program + ending);
}

void FakeToolchain::place_text(const std::string &name, const std::string &text) const {
    (void)m_root.add(name, text);
    (void)real_filesystem().set_mode(m_root / name, 0755);
}

void FakeToolchain::remove(const std::string &name) const {
    (void)real_filesystem().remove(m_root / name);
}

ToolchainQuery FakeToolchain::query(CompilerFamily family) const {
    ToolchainQuery query;
    query.name = "fake";
    query.family = family;
    query.compiler = m_root / (family == CompilerFamily::clang ? "bin/clang++" : "bin/g++");
    query.search_path = (m_root / "first") + ":" + (m_root / "late");
    query.directory = m_root.path();
    return query;
}

Expected<Toolchain> FakeToolchain::identify(const ToolchainQuery &query) {
    FileMemory memory(real_filesystem(), real_clock());
    processes.started = 0;
    return identify_toolchain(real_filesystem(), processes, memory, answers, query);
}

}  // namespace scene_kernels
