// The binary interface between an orchestration library and the host that runs it: a versioned table of functions, and
// plain structs. An orchestration library links to nothing of the host; it reaches it through this table alone.
#pragma once

#include <cstdint>

#include "arg_direction.h"
#include "tensor.h"

inline constexpr std::uint32_t k_scene_runtime_version = 1;

// What every function returns: 0, or what went wrong.
enum class SceneStatus : std::int32_t {
    ok = 0,
    version = 1,         // host and library were built for different versions of this interface
    arguments = 2,       // wrong number or kind of arguments, of the orchestration or of a kernel
    unknown_kernel = 3,  // no kernel has this func_id, or it is for another core type
    out_of_memory = 4,
    limit = 5,  // more arguments, tasks or bytes than are possible
    cycle = 6,  // tasks wait for each other
    shape = 7,  // a tensor that does not exist, or a part outside of one
    device = 8,
};

enum class SceneCoreType : std::uint32_t { aic = 1, aiv = 2 };  // cube, vector

// One argument of a kernel or an orchestration: `scalar` where the direction is SCALAR, else `tensor`.
struct SceneTaskArgument {
    ArgDirection direction = ArgDirection::SCALAR;
    std::uint32_t reserved = 0;
    std::uint64_t scalar = 0;
    SceneTensor tensor;
};
static_assert(sizeof(SceneTaskArgument) == 112, "the layout of SceneTaskArgument is part of the binary interface");

// What an orchestration is called with: its arguments, in the order of its signature.
struct SceneTaskArgs {
    const SceneTaskArgument *arguments = nullptr;
    std::uint32_t argument_count = 0;
    std::uint32_t task_slots = 0;  // how many tasks may be under way at once; 0: the runtime variant's own number
};

// One kernel call. It starts when all tasks in `dependencies` have ended. The host copies what it needs.
struct SceneTask {
    std::int32_t func_id = 0;
    SceneCoreType core_type = SceneCoreType::aiv;
    const SceneTaskArgument *arguments = nullptr;
    std::uint32_t argument_count = 0;
    std::uint32_t dependency_count = 0;
    const std::uint64_t *dependencies = nullptr;  // ids that submit() gave
};

// The host's functions. `runtime` is the value that the entry got. All are called by the thread that runs the entry.
struct SceneRuntimeOps {
    std::uint32_t version;  // k_scene_runtime_version
    std::uint32_t size;     // sizeof(SceneRuntimeOps), at least as the library knows it

    // Device memory for an intermediate tensor, aligned to 64 bytes, not cleared; it lives until all tasks have ended.
    SceneStatus (*allocate)(void *runtime, std::uint64_t bytes, std::uint64_t *address);
    // Takes a task. The host compares the arguments with the kernel's signature.
    SceneStatus (*submit)(void *runtime, const SceneTask *task, std::uint64_t *task_id);
    // Returns when the task has ended.
    SceneStatus (*wait)(void *runtime, std::uint64_t task_id);
    // Takes a message for a person, zero-terminated. The entry returns the status as well.
    void (*report)(void *runtime, SceneStatus status, const char *message);
};

// An orchestration's entry, under the name that its descriptor gives as `function_name`. It submits tasks and returns;
// the host then waits for all of them. The result is a SceneStatus.
using SceneOrchestrationEntry = int(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args);

// What an orchestration may ask for before it runs. The host fills in `version` and `size` and zeroes the rest.
struct SceneConfig {
    std::uint32_t version;
    std::uint32_t size;
    std::uint32_t argument_count;  // what it expects; the host refuses a call with another number
    std::uint32_t task_slots;      // becomes SceneTaskArgs::task_slots
};

// The function that a descriptor may give as `config_name`. Called before the entry.
using SceneConfigEntry = int(SceneConfig *config);
