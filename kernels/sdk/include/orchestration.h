// What orchestrations are written with, whatever the runtime variant: tasks, the entry's arguments, intermediate
// tensors. The first error is reported to the host and kept; from then on nothing more is submitted.
#pragma once

#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "platform.h"
#include "runtime_ops.h"
#include "tensor.h"

namespace scene_kernels::sdk {

using DataType = SceneDataType;
using CoreType = SceneCoreType;

// A kernel call under construction. Arguments are added in the order of the kernel's signature.
class Task {
public:
    Task(std::int32_t func_id, CoreType core_type) : m_func_id(func_id), m_core_type(core_type) {}

    Task &in(const SceneTensor &tensor) { return add(ArgDirection::IN, tensor, 0); }
    Task &out(const SceneTensor &tensor) { return add(ArgDirection::OUT, tensor, 0); }
    Task &inout(const SceneTensor &tensor) { return add(ArgDirection::INOUT, tensor, 0); }
    template <typename T>
    Task &scalar(T value) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t), "at most 64 bits");
        std::uint64_t slot = 0;
        std::memcpy(&slot, &value, sizeof(T));
        return add(ArgDirection::SCALAR, SceneTensor{}, slot);
    }

    std::int32_t func_id() const { return m_func_id; }
    CoreType core_type() const { return m_core_type; }
    const std::vector<SceneTaskArgument> &arguments() const { return m_arguments; }

private:
    Task &add(ArgDirection direction, const SceneTensor &tensor, std::uint64_t scalar) {
        m_arguments.push_back({direction, 0, scalar, tensor});
        return *this;
    }

    std::int32_t m_func_id;
    CoreType m_core_type;
    std::vector<SceneTaskArgument> m_arguments;
};

// The host as an orchestration sees it. The runtime variants derive from it and add the submission of tasks.
class Orchestrator {
public:
    Orchestrator(const SceneRuntimeOps &ops, void *runtime) : m_ops(ops), m_runtime(runtime) {}

    SceneStatus status() const { return m_status; }
    bool ok() const { return m_status == SceneStatus::ok; }

    // Reports the first failure and keeps it. Later ones are its consequences and are not reported.
    void fail(SceneStatus status, const std::string &message) {
        if (ok()) {
            m_status = status;
            m_ops.report(m_runtime, status, message.c_str());
        }
    }

    // A new tensor whose rows lie one behind the other. On failure "no tensor".
    SceneTensor tensor(DataType type, std::initializer_list<std::int64_t> shape) {
        SceneTensor made;
        std::uint64_t bytes = element_bytes(type);
        if (!ok() || bytes == 0 || shape.size() > k_scene_max_rank) {
            fail(SceneStatus::shape, "a tensor has a known element type and at most 5 dimensions");
            return SceneTensor{};
        }
        made.type = type;
        made.rank = static_cast<std::uint32_t>(shape.size());
        std::memcpy(made.shape, shape.begin(), shape.size() * sizeof(std::int64_t));
        std::int64_t stride = 1;
        for (std::uint32_t i = made.rank; i-- > 0;) {
            const std::int64_t length = made.shape[i];
            if (length < 1 || bytes > k_max_bytes / static_cast<std::uint64_t>(length)) {
                fail(SceneStatus::shape, "dimension " + std::to_string(i) + " of a new tensor is " +
                                             std::to_string(length) + ": empty, or too large together with the others");
                return SceneTensor{};
            }
            made.strides[i] = stride;
            stride *= length;
            bytes *= static_cast<std::uint64_t>(length);
        }
        const SceneStatus result = m_ops.allocate(m_runtime, bytes, &made.address);
        if (result != SceneStatus::ok) {
            fail(result, "no memory for a tensor of " + std::to_string(bytes) + " bytes");
            return SceneTensor{};
        }
        return made;
    }

    // The part [begin, end) of one dimension: the same memory, nothing is copied. On failure "no tensor".
    SceneTensor slice(const SceneTensor &from, std::uint32_t dimension, std::int64_t begin, std::int64_t end) {
        if (!ok() || dimension >= from.rank || begin < 0 || begin >= end || end > from.shape[dimension]) {
            fail(SceneStatus::shape, "no part [" + std::to_string(begin) + ", " + std::to_string(end) +
                                         ") in dimension " + std::to_string(dimension) + " of a tensor");
            return SceneTensor{};
        }
        SceneTensor part = from;
        part.shape[dimension] = end - begin;
        part.address += static_cast<std::uint64_t>(begin * from.strides[dimension]) * element_bytes(from.type);
        return part;
    }

    // Whether the task could be submitted: no earlier failure, not too many arguments, no missing tensor.
    bool accepts(const Task &task) {
        int tensors = 0;
        for (const SceneTaskArgument &argument : task.arguments()) {
            if (argument.direction == ArgDirection::SCALAR) {
                continue;
            }
            ++tensors;
            if (argument.tensor.type == DataType::none) {
                fail(SceneStatus::shape, "a task of kernel " + std::to_string(task.func_id()) + " lacks a tensor");
            }
        }
        if (tensors > CORE_MAX_TENSOR_ARGS) {
            fail(SceneStatus::limit,
                 "a task of kernel " + std::to_string(task.func_id()) + " has " + std::to_string(tensors) + " tensors");
        }
        return ok();
    }

protected:
    ~Orchestrator() = default;

    // Hands a task to the host; nothing on failure.
    bool hand_over(const Task &task, const std::vector<std::uint64_t> &dependencies, std::uint64_t &task_id) {
        SceneTask call;
        call.func_id = task.func_id();
        call.core_type = task.core_type();
        call.arguments = task.arguments().data();
        call.argument_count = static_cast<std::uint32_t>(task.arguments().size());
        call.dependencies = dependencies.data();
        call.dependency_count = static_cast<std::uint32_t>(dependencies.size());
        const SceneStatus result = m_ops.submit(m_runtime, &call, &task_id);
        if (result != SceneStatus::ok) {
            fail(result, "the host refused a task of kernel " + std::to_string(task.func_id()));
        }
        return ok();
    }

    bool wait_for(std::uint64_t task_id) {
        const SceneStatus result = m_ops.wait(m_runtime, task_id);
        if (result != SceneStatus::ok) {
            fail(result, "a task failed");
        }
        return ok();
    }

private:
    static constexpr std::uint64_t k_max_bytes = std::uint64_t{1} << 48U;

    const SceneRuntimeOps &m_ops;
    void *m_runtime;
    SceneStatus m_status = SceneStatus::ok;
};

// The entry's arguments, by position in the orchestration's signature. A wrong position or kind is a failure.
class Arguments {
public:
    Arguments(Orchestrator &orchestrator, const SceneTaskArgs &args) : m_orchestrator(orchestrator), m_args(args) {}

    std::uint32_t count() const { return m_args.argument_count; }

    // On failure "no tensor".
    SceneTensor tensor(std::uint32_t index) const {
        const SceneTaskArgument *argument = find(index, true);
        return argument == nullptr ? SceneTensor{} : argument->tensor;
    }
    // On failure zero.
    template <typename T>
    T scalar(std::uint32_t index) const {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t), "at most 64 bits");
        T value{};
        if (const SceneTaskArgument *argument = find(index, false)) {
            std::memcpy(&value, &argument->scalar, sizeof(T));
        }
        return value;
    }

private:
    const SceneTaskArgument *find(std::uint32_t index, bool is_tensor) const {
        if (index < m_args.argument_count && (m_args.arguments[index].direction != ArgDirection::SCALAR) == is_tensor) {
            return &m_args.arguments[index];
        }
        m_orchestrator.fail(SceneStatus::arguments, "argument " + std::to_string(index) + " of " +
                                                        std::to_string(m_args.argument_count) + " is not a " +
                                                        (is_tensor ? "tensor" : "scalar"));
        return nullptr;
    }

    Orchestrator &m_orchestrator;
    const SceneTaskArgs &m_args;
};

// The body of every entry: checks the interface, runs `build(Runtime &, const Arguments &)`, finishes the runtime
// variant, and turns what was thrown into a status.
template <typename Runtime, typename Build>
int orchestrate(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args, Build build) {
    if (ops == nullptr || args == nullptr || (args->argument_count > 0 && args->arguments == nullptr)) {
        return static_cast<int>(SceneStatus::arguments);
    }
    if (ops->version != k_scene_runtime_version || ops->size < sizeof(SceneRuntimeOps)) {
        return static_cast<int>(SceneStatus::version);
    }
    SceneStatus status = SceneStatus::out_of_memory;
    try {
        Runtime variant(*ops, runtime, *args);
        const Arguments arguments(variant, *args);
        build(variant, arguments);
        variant.finish();
        status = variant.status();
    } catch (const std::bad_alloc &) {
        ops->report(runtime, status, "the orchestration ran out of memory");
    } catch (const std::exception &error) {
        status = SceneStatus::limit;
        ops->report(runtime, status, error.what());
    }
    return static_cast<int>(status);
}

}  // namespace scene_kernels::sdk
