// Turns what a command said it read (depfiles) into a closure. Knows nothing of stores.
#pragma once

#include <string>
#include <vector>

#include "action/action.h"
#include "action/closure.h"
#include "action/depfile.h"
#include "action/file_memory.h"
#include "action/roots.h"
#include "action/toolchain.h"
#include "action/toolchain_set.h"
#include "base/error.h"
#include "os/filesystem.h"
#include "os/process.h"

namespace scene_kernels {

// Where the depfiles of one step were written.
struct StepReports {
    std::string sources;    // -MD; empty: not asked for
    std::string assembler;  // -Wa,--MD
    std::string libraries;  // --dependency-file
};

class ClosureFinder {
public:
    // Files below a directory of `ignored` (absolute) are the action's own: temporaries, parts, outputs.
    ClosureFinder(FileSystem &files, ProcessRunner &processes, FileMemory &memory, ToolchainMemory &answers,
                  const Roots &roots, NameTable &names, SearchTable &searches, std::vector<std::string> ignored);

    // Adds what one step read. `surroundings` are those that the step ran with.
    [[nodiscard]] Expected<void> add(const Action &action, const ActionStep &step, const StepReports &reports,
                                     const CommandSurroundings &surroundings);
    // Sorted; empty groups are left out.
    [[nodiscard]] Closure take();
    // Real paths of everything that was read.
    [[nodiscard]] const std::vector<std::string> &files_read() const { return m_files_read; }

private:
    [[nodiscard]] Expected<std::vector<NameId>> read_report(const std::string &path, DepfileWriter writer);
    [[nodiscard]] Expected<void> add_sources(const Action &action, const ActionStep &step, const StepReports &reports,
                                             const CommandSurroundings &surroundings);
    [[nodiscard]] Expected<void> drop_file_directives(ClosureGroup &group);
    [[nodiscard]] Expected<void> add_libraries(const ActionStep &step, const StepReports &reports);
    [[nodiscard]] bool exists_any(const std::vector<std::string> &directories);
    [[nodiscard]] Expected<SearchList> header_search(const Action &action, const ActionStep &step,
                                                     const CommandSurroundings &surroundings);
    [[nodiscard]] Expected<void> add_computed_names(const ActionStep &step, ClosureGroup &group);
    void sort(std::vector<NameId> &ids) const;

    FileSystem &m_files;
    ProcessRunner &m_processes;
    FileMemory &m_memory;
    ToolchainMemory &m_answers;
    const Roots &m_roots;
    NameTable &m_names;
    SearchTable &m_searches;
    std::vector<std::string> m_ignored;
    Closure m_closure;
    std::vector<std::string> m_files_read;
};

}  // namespace scene_kernels
