// Collects what a toolchain consists of: programs, what those load, and the paths whose appearance would change that.
// Knows the dynamic loader and scripts; knows no compiler.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "action/toolchain_answer.h"

namespace scene_kernels {

// The name of a compiler launcher that `real_path` is ("ccache", "distcc", ...); empty where it is none.
[[nodiscard]] std::string_view launcher_name(std::string_view real_path);

class ToolchainInventory {
public:
    ToolchainInventory(FileSystem &files, ProcessRunner &processes, FileMemory &memory, const ToolchainQuery &query)
        : m_files(files), m_processes(processes), m_memory(memory), m_query(query) {}

    // A program that runs, with the libraries that it loads. A script needs the query's `wraps`.
    [[nodiscard]] Expected<void> add_program(const std::string &role, const std::string &path);
    // A library that a program loads while it runs (plugins), with what that needs in turn.
    [[nodiscard]] Expected<void> add_plugin(const std::string &role, const std::string &path);
    // A file whose content alone counts.
    [[nodiscard]] Expected<void> add_file(const std::string &role, const std::string &path);
    // Programs, plugins or others, by what they are.
    [[nodiscard]] Expected<void> add_wrapped(const std::string &role, const std::string &path);
    // What an option names: a library is a plugin, anything else decides the answer.
    [[nodiscard]] Expected<void> add_named(const std::string &role, const std::string &path);
    // A file that decides the answer and is no part of it; it may be absent.
    [[nodiscard]] Expected<void> add_witness(const std::string &path);
    [[nodiscard]] Expected<void> add_listing(const std::string &directory);
    // Noted where nothing is there; what is there already did not decide the answer.
    [[nodiscard]] Expected<void> add_absent(const std::string &path);

    [[nodiscard]] Expected<bool> exists(const std::string &path);
    // The first of `candidates` that can be executed (or, if not `executable`, that is there). Those before it are
    // noted as absent, or all of them where it is none.
    [[nodiscard]] Expected<std::optional<std::string>> first_of(const std::vector<std::string> &candidates,
                                                                bool executable = true);
    // `name` in each directory of the query's search path.
    [[nodiscard]] std::vector<std::string> on_search_path(const std::string &name) const;
    // As the commands see it: relative paths start in the query's directory.
    [[nodiscard]] std::string absolute(const std::string &path) const;

    // Runs `argv` as the commands run, with the C locale. An error if it fails, unless `may_fail`.
    [[nodiscard]] Expected<ProcessResult> run(std::vector<std::string> argv, bool may_fail = false);

    [[nodiscard]] const ToolchainQuery &query() const { return m_query; }
    [[nodiscard]] ToolchainAnswer &answer() { return m_answer; }
    // Starts a message: `toolchain "NAME": `.
    [[nodiscard]] std::string prefix() const;

private:
    [[nodiscard]] Expected<std::string> add_and_read(const std::string &role, const std::string &path);
    [[nodiscard]] Expected<void> add_interpreter(const std::string &path, std::string_view script);
    [[nodiscard]] Expected<void> add_loaded(const std::string &path, const std::string &interpreter);
    [[nodiscard]] Expected<void> add_loader_settings(const std::string &interpreter);
    [[nodiscard]] Expected<void> add_earlier_libraries(const std::string &origin, const std::vector<std::string> &paths,
                                                       const std::vector<std::string> &names);

    FileSystem &m_files;
    ProcessRunner &m_processes;
    FileMemory &m_memory;
    const ToolchainQuery &m_query;
    ToolchainAnswer m_answer;
    std::set<std::string> m_done;        // programs, plugins and libraries that were looked into
    std::string m_compiler_interpreter;  // loads the plugins too
};

}  // namespace scene_kernels
