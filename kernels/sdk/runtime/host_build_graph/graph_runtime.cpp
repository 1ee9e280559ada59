// Compiled once and linked into every orchestration library of the variant `host_build_graph`.
#include <algorithm>
#include <functional>
#include <queue>

#include "access_map.h"
#include "graph.h"

namespace scene_kernels::sdk {
namespace {

constexpr std::size_t k_max_tasks = std::size_t{1} << 20U;
constexpr std::size_t k_no_task = static_cast<std::size_t>(-1);

void sort_and_make_unique(std::vector<std::size_t> &list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

Graph::Graph(const SceneRuntimeOps &ops, void *runtime, const SceneTaskArgs & /*args*/) : Orchestrator(ops, runtime) {}

Graph::Node Graph::add(const Task &task, std::initializer_list<Node> after) {
    if (!accepts(task)) {
        return {k_no_task};
    }
    if (m_entries.size() >= k_max_tasks) {
        fail(SceneStatus::limit, "a graph has at most " + std::to_string(k_max_tasks) + " tasks");
        return {k_no_task};
    }
    const Node node{m_entries.size()};
    m_entries.push_back({task, {}});
    for (const Node &before : after) {
        order(before, node);
    }
    return node;
}

void Graph::order(Node before, Node after) {
    if (before.index < m_entries.size() && after.index < m_entries.size()) {
        m_entries[after.index].before.push_back(before.index);
    }
}

void Graph::derive_dependencies() {
    AccessMap accesses;
    for (std::size_t index = 0; index < m_entries.size(); ++index) {
        for (const AccessMap::TaskNumber other : accesses.add(index, m_entries[index].task.arguments(), 0)) {
            m_entries[index].before.push_back(static_cast<std::size_t>(other));
        }
    }
}

void Graph::finish() {
    if (!ok()) {
        return;
    }
    for (Entry &entry : m_entries) {
        sort_and_make_unique(entry.before);
    }
    const std::vector<std::size_t> sequence = run_order();
    if (ok()) {
        submit_all(sequence);
    }
}

// Always the first added of the tasks that could run next, so the same graph is submitted in the same order.
std::vector<std::size_t> Graph::run_order() {
    std::vector<std::size_t> missing(m_entries.size(), 0);
    std::vector<std::vector<std::size_t>> waiting(m_entries.size());
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t index = 0; index < m_entries.size(); ++index) {
        missing[index] = m_entries[index].before.size();
        for (const std::size_t before : m_entries[index].before) {
            waiting[before].push_back(index);
        }
        if (missing[index] == 0) {
            ready.push(index);
        }
    }
    std::vector<std::size_t> sequence;
    while (!ready.empty()) {
        const std::size_t index = ready.top();
        ready.pop();
        sequence.push_back(index);
        for (const std::size_t after : waiting[index]) {
            if (--missing[after] == 0) {
                ready.push(after);
            }
        }
    }
    if (sequence.size() < m_entries.size()) {
        const auto stuck = std::find_if(missing.begin(), missing.end(), [](std::size_t count) { return count > 0; });
        fail(SceneStatus::cycle, "task " + std::to_string(stuck - missing.begin()) + " waits for itself");
    }
    return sequence;
}

void Graph::submit_all(const std::vector<std::size_t> &sequence) {
    std::vector<std::uint64_t> ids(m_entries.size(), 0);
    for (const std::size_t index : sequence) {
        std::vector<std::uint64_t> dependencies;
        for (const std::size_t before : m_entries[index].before) {
            dependencies.push_back(ids[before]);
        }
        if (!hand_over(m_entries[index].task, dependencies, ids[index])) {
            return;
        }
    }
}

}  // namespace scene_kernels::sdk
