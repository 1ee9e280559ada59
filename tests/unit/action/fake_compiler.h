// A compiler for tests: a real ELF program that answers a driver's questions from the folder that it is in, so that
// every part of a toolchain can be replaced.
#pragma once

#include <string>
#include <vector>

#include "action/toolchain.h"
#include "temporary_directory.h"

namespace scene_kernels {

// Hands on to the real processes and counts them.
class CountingProcesses final : public ProcessRunner {
public:
    Expected<ProcessResult> run(const ProcessSpec &spec) override {
        ++started;
        return real_processes().run(spec);
    }
    int started = 0;
};

class MapAnswers final : public ToolchainMemory {
public:
    std::optional<std::string> get(const Digest &key) override {
        const auto found = texts.find(key);
        return found == texts.end() ? std::nullopt : std::optional(found->second);
    }
    void put(const Digest &key, const std::string &text) override { texts[key] = text; }
    std::map<Digest, std::string> texts;
};

// ROOT/bin/{g++,clang++}, ROOT/libexec/{cc1plus,collect2,...}, ROOT/late/{as,ld}; ROOT/early, ROOT/lib and ROOT/first
// (the start of PATH) are empty.
class FakeToolchain {
public:
    // Needs g++ to be made; usable() says whether that worked.
    FakeToolchain();

    [[nodiscard]] bool usable() const { return !m_program.empty(); }
    [[nodiscard]] std::string operator/(const std::string &name) const { return m_root / name; }
    // Puts a program at `name`, whose bytes end with `ending`.
    void place(const std::string &name, const std::string &ending = "") const;
    void place_text(const std::string &name, const std::string &text) const;
    void remove(const std::string &name) const;
    [[nodiscard]] ToolchainQuery query(CompilerFamily family) const;
    // Identifies with a memory of files of its own, as a new process would.
    [[nodiscard]] Expected<Toolchain> identify(const ToolchainQuery &query);

    CountingProcesses processes;
    MapAnswers answers;

private:
    TemporaryDirectory m_root;
    std::string m_program;  // its bytes
};

}  // namespace scene_kernels
