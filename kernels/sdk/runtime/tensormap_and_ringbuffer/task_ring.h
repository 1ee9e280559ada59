// The runtime variant `tensormap_and_ringbuffer`: tasks run while the orchestration still submits, their dependencies
// follow from the tensors that they use, and a ring of slots bounds how many are under way.
#pragma once

#include <cstdint>
#include <vector>

#include "access_map.h"
#include "orchestration.h"

namespace scene_kernels::sdk {

// A stream of tasks that behaves as if each task ended before the next began. Failures are kept, see Orchestrator.
class TaskRing : public Orchestrator {
public:
    // The ring has `args.task_slots` slots, or a default number where that is 0.
    TaskRing(const SceneRuntimeOps &ops, void *runtime, const SceneTaskArgs &args);

    // Submits a task at once. Where all slots are taken, waits for the oldest task first.
    void submit(const Task &task);
    // Nothing is left to do: the host waits for all tasks. Called by orchestrate().
    void finish() {}

private:
    // Task `number` (counted from 0) uses slot `number % slots`; the slot holds the host's id of that task.
    std::vector<std::uint64_t> m_slots;
    std::uint64_t m_next = 0;    // number of the next task
    std::uint64_t m_oldest = 0;  // all tasks below have ended
    AccessMap m_accesses;
};

}  // namespace scene_kernels::sdk
