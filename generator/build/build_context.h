// What one `build` process knows: its action, the roots and surroundings of the graph, stores, memories. Reads the
// graph directory; decides nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "action/action_file.h"
#include "action/key.h"
#include "base/error.h"
#include "plan/project.h"
#include "store/layers.h"

namespace scene_kernels {

// One dependency's artifact, as its ref says.
struct Part {
    std::string directory;  // of the outputs
    Manifest manifest;
    Digest digest;  // how it enters keys
};

// Not movable: parts point to each other.
class BuildContext {
public:
    [[nodiscard]] static Expected<std::unique_ptr<BuildContext>> open(const Services &services,
                                                                      const std::string &graph_directory,
                                                                      const std::string &action_name);
    BuildContext(const BuildContext &) = delete;
    BuildContext &operator=(const BuildContext &) = delete;

    // The artifacts that the action's refs point to, in the order of its dependencies. Contents are checked.
    [[nodiscard]] Expected<std::vector<Part>> parts();

    // Adds to the memories what this process learnt.
    void save_memory();

    Services services;
    std::string graph_directory;
    ActionFileHeader header;
    Action action;
    Roots roots;
    CommandSurroundings surroundings;  // what the action's commands run with, apart from TMPDIR
    FileMemory memory;
    NameTable names;
    SearchTable searches;
    StoreLayers stores;
    std::unique_ptr<ToolchainMemory> answers;
    KeyMaker keys;

private:
    BuildContext(const Services &outside, std::string directory, ActionFileHeader file_header, Action wanted);
};

}  // namespace scene_kernels
