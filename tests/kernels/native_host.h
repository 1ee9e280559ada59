// A host for tests that runs one callable of a sample scene in this process, from modules that CMake has built. Tasks
// run one at a time, the newest that its dependencies allow first, so that a missing dependency shows as a wrong
// result.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "runtime_ops.h"

// Row by row.
struct Matrix {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::vector<float> values;

    float at(std::int64_t row, std::int64_t column) const {
        return values[static_cast<std::size_t>(row * columns + column)];
    }
};

// Numbers from -2 to 2, the same ones for the same seed.
Matrix random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed);

class NativeHost {
public:
    // `platform` is a2a3sim or a5sim. What cannot be loaded fails the test.
    NativeHost(const std::string &platform, const std::string &scene, const std::string &callable);
    ~NativeHost();
    NativeHost(const NativeHost &) = delete;
    NativeHost &operator=(const NativeHost &) = delete;

    // Arguments, in the order of the orchestration's signature. A vector is a matrix of one row with rank 1.
    void add_input(const Matrix &matrix);
    void add_vector(const Matrix &matrix);
    // Returns the argument's position, for read().
    std::size_t add_output(SceneDataType type, std::int64_t rows, std::int64_t columns);
    template <typename T>
    void add_scalar(T value) {
        SceneTaskArgument argument;
        std::memcpy(&argument.scalar, &value, sizeof(T));
        m_arguments.push_back(argument);
    }

    // Runs the orchestration and all tasks. Fails the test if memory beside a tensor was written.
    SceneStatus run();

    template <typename T>
    std::vector<T> read(std::size_t argument) const {
        const SceneTensor &tensor = m_arguments[argument].tensor;
        std::vector<T> values(static_cast<std::size_t>(tensor.shape[0] * tensor.shape[1]));
        std::memcpy(values.data(), reinterpret_cast<const void *>(tensor.address), values.size() * sizeof(T));
        return values;
    }
    const std::string &message() const { return m_message; }
    std::size_t task_count() const { return m_tasks.size(); }
    std::size_t most_unfinished() const { return m_most_unfinished; }

private:
    using KernelEntry = void(std::int64_t *);
    struct Kernel {
        SceneCoreType core_type;
        std::vector<ArgDirection> signature;
        KernelEntry *entry;
    };
    struct RunningTask {
        std::int32_t func_id;
        std::vector<SceneTaskArgument> arguments;
        std::vector<std::uint64_t> dependencies;
        bool done = false;
    };

    void *load(const std::string &file, const char *symbol);
    std::uint64_t allocate(std::uint64_t bytes);
    SceneTensor new_tensor(SceneDataType type, std::int64_t rows, std::int64_t columns, std::uint32_t rank);
    SceneStatus submit(const SceneTask &task, std::uint64_t &task_id);
    bool is_ready(const RunningTask &task) const;
    void run_one();
    void run_until_done(std::uint64_t task_id);
    void call(RunningTask &task);

    std::string m_modules;
    std::vector<void *> m_handles;
    std::vector<ArgDirection> m_signature;
    std::map<std::int32_t, Kernel> m_kernels;
    SceneOrchestrationEntry *m_entry = nullptr;
    SceneConfigEntry *m_config = nullptr;
    std::vector<std::vector<std::uint8_t>> m_memory;
    std::vector<SceneTaskArgument> m_arguments;
    std::vector<RunningTask> m_tasks;
    std::size_t m_unfinished = 0;
    std::size_t m_most_unfinished = 0;
    std::string m_message;
};
