// The runtime variant `host_build_graph`: the host builds the whole graph of tasks before any of them runs.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "orchestration.h"

namespace scene_kernels::sdk {

// A graph of tasks with explicit edges. Nothing is submitted before finish(). Failures are kept, see Orchestrator.
class Graph : public Orchestrator {
public:
    // A task of this graph, for edges to it. One that could not be added must not be used; edges to it are ignored.
    struct Node {
        std::size_t index;
    };

    Graph(const SceneRuntimeOps &ops, void *runtime, const SceneTaskArgs &args);

    // A task that starts when all of `after` have ended.
    Node add(const Task &task, std::initializer_list<Node> after = {});
    // One more edge between two tasks, whatever the order in which they were added.
    void order(Node before, Node after);
    // Adds an edge wherever two tasks touch the same bytes and one of them writes, in the order in which they were
    // added.
    void derive_dependencies();
    // Submits all tasks, each behind those it waits for. Tasks that wait for each other are a failure, and then nothing
    // is submitted. Called by orchestrate().
    void finish();

private:
    struct Entry {
        Task task;
        std::vector<std::size_t> before;  // indices of the tasks that it waits for
    };

    std::vector<std::size_t> run_order();
    void submit_all(const std::vector<std::size_t> &sequence);

    std::vector<Entry> m_entries;
};

}  // namespace scene_kernels::sdk
