// Everything that a command knows of one request once its descriptors are read: model, selection, roots, stores, and
// (on demand) toolchains and the action graph. Decides nothing about what is built.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "action/action_file.h"
#include "action/closure.h"
#include "action/file_memory.h"
#include "action/graph.h"
#include "action/key.h"
#include "action/roots.h"
#include "action/toolchain_set.h"
#include "action/variables.h"
#include "base/error.h"
#include "model/load.h"
#include "model/selection.h"
#include "os/clock.h"
#include "os/filesystem.h"
#include "os/process.h"
#include "plan/request.h"
#include "store/layers.h"

namespace scene_kernels {

// The outside world, as interfaces.
struct Services {
    FileSystem *files = nullptr;
    ProcessRunner *processes = nullptr;
    Clock *clock = nullptr;
    std::string program;         // absolute path of scene-kernels
    std::string data_directory;  // of the installed data: holds sdk/ and pack/
};

// One callable of the request and whether it is to be warmed.
struct CallableChoice {
    const Scene *scene = nullptr;
    const Callable *callable = nullptr;
    std::optional<SkipReason> skip;  // nothing: selected
};

// Not thread-safe, not movable: parts point to each other.
class Project {
public:
    // Reads SDK and descriptors. Errors of kind input for everything that the user can mend.
    [[nodiscard]] static Expected<std::unique_ptr<Project>> open(const Services &services, Request request);
    Project(const Project &) = delete;
    Project &operator=(const Project &) = delete;

    // Opens stores and memories, identifies toolchains, builds the graph. Call once.
    [[nodiscard]] Expected<void> make_graph();

    [[nodiscard]] const Request &request() const { return m_request; }
    [[nodiscard]] const Sdk &sdk() const { return m_sdk; }
    [[nodiscard]] const SdkPlatform &platform() const { return *m_platform; }
    [[nodiscard]] const SceneSet &scene_set() const { return m_scene_set; }
    [[nodiscard]] const std::vector<CallableChoice> &choices() const { return m_choices; }
    [[nodiscard]] const Roots &roots() const { return *m_roots; }
    [[nodiscard]] const Services &services() const { return m_services; }
    [[nodiscard]] const std::string &graph_directory() const { return m_graph_directory; }

    // Valid after make_graph().
    [[nodiscard]] const ActionGraph &graph() const { return m_graph; }
    // Indices into graph().callables of what is selected.
    [[nodiscard]] const std::vector<std::size_t> &selected() const { return m_selected; }
    [[nodiscard]] StoreLayers &stores() { return *m_stores; }
    [[nodiscard]] KeyMaker &keys() { return *m_keys; }
    [[nodiscard]] NameTable &names() { return m_names; }
    [[nodiscard]] const ToolchainSet &toolchains() const { return *m_toolchains; }
    [[nodiscard]] ActionFileHeader action_file_header() const;

    // Keeps the digests of this run for the next.
    void save_memory();

private:
    explicit Project(const Services &services, Request request);
    [[nodiscard]] Expected<void> read_model();
    [[nodiscard]] Expected<void> choose_callables();
    [[nodiscard]] std::optional<std::string> environment(const std::string &name);

    Services m_services;
    Request m_request;
    std::string m_graph_directory;
    Sdk m_sdk;
    const SdkPlatform *m_platform = nullptr;
    SceneSet m_scene_set;
    std::vector<CallableChoice> m_choices;
    std::unique_ptr<Variables> m_variables;
    std::unique_ptr<Roots> m_roots;
    std::vector<Root> m_named_roots;
    Expander m_expander;
    FileMemory m_memory;
    NameTable m_names;
    SearchTable m_searches;
    std::unique_ptr<StoreLayers> m_stores;
    std::unique_ptr<ToolchainMemory> m_answers;
    std::unique_ptr<ToolchainSet> m_toolchains;
    std::unique_ptr<KeyMaker> m_keys;
    ActionGraph m_graph;
    std::vector<std::size_t> m_selected;
};

// Where a graph directory keeps things.
[[nodiscard]] std::string memory_path(const std::string &graph_directory);
[[nodiscard]] std::string private_directory(const std::string &graph_directory);
// The memory of toolchain digests that belongs to this machine and user; empty if there is no place for it.
[[nodiscard]] std::string machine_memory_path();

// Whether a file's digest is kept in the memory of the machine (toolchains, system headers) and not of the graph.
[[nodiscard]] bool belongs_to_machine(const Roots &roots, const std::string &store, const std::string &path);
// Writes both memories.
void save_memories(FileSystem &files, FileMemory &memory, const std::string &graph_directory, const Roots &roots,
                   const std::string &store);
// Reads both.
void load_memories(FileMemory &memory, const std::string &graph_directory);

// Toolchain answers as files in the first store that can hold them.
[[nodiscard]] std::unique_ptr<ToolchainMemory> stored_toolchain_answers(FileSystem &files, StoreLayers &stores);

// What commands of every action run with, apart from TMPDIR and the SDK's allowed variables.
[[nodiscard]] CommandSurroundings command_surroundings(const std::string &search_path,
                                                       const std::map<std::string, std::string> &allowed);

}  // namespace scene_kernels
