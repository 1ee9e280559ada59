// `plan.d`: every file and directory whose change must make Ninja run the plan again, each named once. Shared by the
// plan, which writes it, and by `build` processes, which add what they discovered.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "os/filesystem.h"

namespace scene_kernels {

// Not thread-safe. Paths are absolute; in the file, those inside the source root are relative to the graph directory.
class InputList {
public:
    InputList(FileSystem &files, std::string graph_directory, std::string source_root);

    // Replaces the list. Paths that do not exist are left out: Ninja would take them for outdated for ever. Names that
    // a depfile cannot carry are listed through a link in/<hash>. The file is only touched if its content changes.
    [[nodiscard]] Expected<void> write(const std::set<std::string> &paths);
    // Adds what is not in the list yet, as one more rule of the same target, under a lock.
    [[nodiscard]] Expected<void> add(const std::set<std::string> &paths);
    // The names in the list, as seen from the graph directory.
    [[nodiscard]] Expected<std::vector<std::string>> read() const;

    // The mtime to give plan.stamp and build.ninja, so that Ninja finds them clean unless an input changed after it was
    // read: the newest mtime of all inputs, but from just before `plan_start_ns` for those that changed since then (an
    // mtime in the future counts as it is). 0 if the list is empty.
    [[nodiscard]] Expected<std::int64_t> stamp_time(std::int64_t plan_start_ns, std::int64_t now_ns) const;

private:
    // The file's text; empty where there is none.
    [[nodiscard]] Expected<std::string> content() const;
    // The name to write for `path`; nothing if it does not exist.
    [[nodiscard]] Expected<std::optional<std::string>> name_of(const std::string &path);

    FileSystem &m_files;
    std::string m_graph_directory;
    std::string m_source_root;
};

}  // namespace scene_kernels
