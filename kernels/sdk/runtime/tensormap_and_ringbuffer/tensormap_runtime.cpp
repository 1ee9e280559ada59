// Compiled once and linked into every orchestration library of the variant `tensormap_and_ringbuffer`.
#include <algorithm>

#include "task_ring.h"

namespace scene_kernels::sdk {
namespace {

constexpr std::uint32_t k_default_slots = 64;
constexpr std::uint32_t k_max_slots = 65536;

std::size_t slot_count(std::uint32_t wanted) {
    return wanted == 0 ? k_default_slots : std::min(wanted, k_max_slots);
}

}  // namespace

TaskRing::TaskRing(const SceneRuntimeOps &ops, void *runtime, const SceneTaskArgs &args)
    : Orchestrator(ops, runtime), m_slots(slot_count(args.task_slots), 0) {}

void TaskRing::submit(const Task &task) {
    if (!accepts(task)) {
        return;
    }
    if (m_next - m_oldest == m_slots.size()) {
        if (!wait_for(m_slots[m_oldest % m_slots.size()])) {
            return;
        }
        ++m_oldest;
    }
    std::vector<std::uint64_t> dependencies;
    for (const AccessMap::TaskNumber number : m_accesses.add(m_next, task.arguments(), m_oldest)) {
        dependencies.push_back(m_slots[number % m_slots.size()]);
    }
    std::uint64_t id = 0;
    if (hand_over(task, dependencies, id)) {
        m_slots[m_next % m_slots.size()] = id;
        ++m_next;
    }
}

}  // namespace scene_kernels::sdk
