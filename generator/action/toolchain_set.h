// The toolchains that one plan uses: picks each row's compiler on this machine and identifies it once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "action/expand.h"
#include "action/file_memory.h"
#include "action/roots.h"
#include "action/toolchain.h"
#include "base/error.h"
#include "model/sdk.h"

namespace scene_kernels {

// A row as it is on this machine.
struct ChosenToolchain {
    const SdkToolchain *row = nullptr;
    const SdkCompiler *choice = nullptr;
    std::string compiler;                         // absolute path
    std::map<std::string, std::string> programs;  // name -> absolute path
};

// What commands run with, whoever starts them.
struct CommandSurroundings {
    std::string search_path;
    std::map<std::string, std::string> environment;  // without PATH
};

class ToolchainSet {
public:
    ToolchainSet(FileSystem &files, ProcessRunner &processes, FileMemory &memory, ToolchainMemory &answers,
                 const Sdk &sdk, const Roots &roots, const Expander &expander, CommandSurroundings surroundings);

    // The first of the row's compilers that is there, with all its programs; an error that names what was tried.
    [[nodiscard]] Expected<const ChosenToolchain *> choose(const std::string &row);

    // The identity of a chosen toolchain when run with `args` (real spelling). Those that cannot select another program
    // or specs are ignored, so that most targets share one identity.
    [[nodiscard]] Expected<const Toolchain *> identify(const ChosenToolchain &chosen,
                                                       const std::vector<std::string> &args);

    // Every file and every absent path that the identities so far depend on.
    [[nodiscard]] std::vector<std::string> watched() const;

private:
    [[nodiscard]] Expected<std::optional<std::string>> locate(const std::string &program) const;

    FileSystem &m_files;
    ProcessRunner &m_processes;
    FileMemory &m_memory;
    ToolchainMemory &m_answers;
    const Sdk &m_sdk;
    const Roots &m_roots;
    const Expander &m_expander;
    CommandSurroundings m_surroundings;
    std::map<std::string, ChosenToolchain> m_chosen;
    std::map<std::vector<std::string>, Toolchain> m_identified;
};

// The query for a toolchain that runs with `args`; shared with `build`, which asks for header directories.
[[nodiscard]] ToolchainQuery make_query(const std::string &name, const std::string &compiler, CompilerFamily family,
                                        const std::vector<std::string> &args, const CommandSurroundings &surroundings,
                                        const std::string &source_root);

}  // namespace scene_kernels
