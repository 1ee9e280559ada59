#include "native_host.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tensor.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_guard_bytes = 64;
constexpr std::uint8_t k_guard = 0xA5;
constexpr std::uint8_t k_unset = 0xFF;  // a NaN in every floating type

std::vector<ArgDirection> directions_from(const nlohmann::json &signature) {
    static const std::map<std::string, ArgDirection> k_names = {{"scalar", ArgDirection::SCALAR},
                                                                {"in", ArgDirection::IN},
                                                                {"out", ArgDirection::OUT},
                                                                {"inout", ArgDirection::INOUT}};
    std::vector<ArgDirection> directions;
    for (const nlohmann::json &name : signature) {
        directions.push_back(k_names.at(name.get<std::string>()));
    }
    return directions;
}

bool directions_fit(const SceneTaskArgument *arguments, std::size_t count, const std::vector<ArgDirection> &signature) {
    return std::equal(
        arguments, arguments + count, signature.begin(), signature.end(),
        [](const SceneTaskArgument &argument, ArgDirection direction) { return argument.direction == direction; });
}

}  // namespace

Matrix random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
    Matrix matrix{rows, columns, {}};
    std::uint32_t state = seed * 2654435761U + 12345U;
    for (std::int64_t i = 0; i < rows * columns; ++i) {
        state = state * 1664525U + 1013904223U;
        matrix.values.push_back(static_cast<float>(state >> 8U) / 4194304.0F - 2.0F);
    }
    return matrix;
}

NativeHost::NativeHost(const std::string &platform, const std::string &scene, const std::string &callable)
    : m_modules(std::string(SCENE_NATIVE_DIR) + "/" + platform) {
    const fs::path directory = fs::path(SCENE_SOURCE_DIR) / scene;
    std::ifstream file(directory / (scene + ".scene.json"));
    const nlohmann::json descriptor = nlohmann::json::parse(file);
    for (const nlohmann::json &entry : descriptor.at("callables")) {
        if (entry.at("name") != callable) {
            continue;
        }
        const nlohmann::json &orchestration = entry.at("orchestration");
        const std::string module = scene + "." + callable;
        m_signature = directions_from(orchestration.at("signature"));
        m_entry = reinterpret_cast<SceneOrchestrationEntry *>(
            load(module, orchestration.at("function_name").get<std::string>().c_str()));
        if (orchestration.contains("config_name")) {
            m_config = reinterpret_cast<SceneConfigEntry *>(
                load(module, orchestration.at("config_name").get<std::string>().c_str()));
        }
        for (const nlohmann::json &incore : entry.at("incores")) {
            const auto core_type = incore.at("core_type").get<std::string>();
            const fs::path source = directory / incore.at("source").get<std::string>();
            std::string name = source.lexically_normal().lexically_relative(SCENE_SOURCE_DIR).string();
            std::replace(name.begin(), name.end(), '/', '.');
            m_kernels[incore.at("func_id").get<std::int32_t>()] = {
                core_type == "aic" ? SceneCoreType::aic : SceneCoreType::aiv, directions_from(incore.at("signature")),
                reinterpret_cast<KernelEntry *>(load(name + "." + core_type, "kernel_entry"))};
        }
    }
    const bool found = m_entry != nullptr;
    REQUIRE_MESSAGE(found, scene << " has no callable " << callable);
}

NativeHost::~NativeHost() {
    for (void *handle : m_handles) {
        dlclose(handle);
    }
}

void *NativeHost::load(const std::string &file, const char *symbol) {
    void *handle = dlopen((m_modules + "/" + file + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    const char *problem = handle == nullptr ? dlerror() : "";
    REQUIRE_MESSAGE(handle != nullptr, problem);
    m_handles.push_back(handle);
    void *address = dlsym(handle, symbol);
    REQUIRE_MESSAGE(address != nullptr, file << " lacks " << symbol);
    return address;
}

std::uint64_t NativeHost::allocate(std::uint64_t bytes) {
    std::vector<std::uint8_t> memory(bytes + 2 * k_guard_bytes, k_unset);
    std::fill_n(memory.begin(), k_guard_bytes, k_guard);
    std::fill_n(memory.rbegin(), k_guard_bytes, k_guard);
    m_memory.push_back(std::move(memory));
    return reinterpret_cast<std::uint64_t>(m_memory.back().data() + k_guard_bytes);
}

SceneTensor NativeHost::new_tensor(SceneDataType type, std::int64_t rows, std::int64_t columns, std::uint32_t rank) {
    SceneTensor tensor;
    tensor.type = type;
    tensor.rank = rank;
    const std::int64_t shape[2] = {rows, columns};
    const std::int64_t strides[2] = {columns, 1};
    for (std::uint32_t i = 0; i < rank; ++i) {
        tensor.shape[i] = shape[2 - rank + i];
        tensor.strides[i] = strides[2 - rank + i];
    }
    tensor.address = allocate(static_cast<std::uint64_t>(rows * columns) * scene_kernels::sdk::element_bytes(type));
    return tensor;
}

void NativeHost::add_input(const Matrix &matrix) {
    const SceneTensor tensor = new_tensor(SceneDataType::float32, matrix.rows, matrix.columns, 2);
    std::memcpy(reinterpret_cast<void *>(tensor.address), matrix.values.data(), matrix.values.size() * sizeof(float));
    m_arguments.push_back({ArgDirection::IN, 0, 0, tensor});
}

void NativeHost::add_vector(const Matrix &matrix) {
    const SceneTensor tensor = new_tensor(SceneDataType::float32, 1, matrix.columns, 1);
    std::memcpy(reinterpret_cast<void *>(tensor.address), matrix.values.data(), matrix.values.size() * sizeof(float));
    m_arguments.push_back({ArgDirection::IN, 0, 0, tensor});
}

std::size_t NativeHost::add_output(SceneDataType type, std::int64_t rows, std::int64_t columns) {
    m_arguments.push_back({ArgDirection::OUT, 0, 0, new_tensor(type, rows, columns, 2)});
    return m_arguments.size() - 1;
}

SceneStatus NativeHost::run() {
    SceneTaskArgs args;
    args.arguments = m_arguments.data();
    args.argument_count = static_cast<std::uint32_t>(m_arguments.size());
    REQUIRE(directions_fit(m_arguments.data(), m_arguments.size(), m_signature));
    if (m_config != nullptr) {
        SceneConfig config{k_scene_runtime_version, sizeof(SceneConfig), 0, 0};
        REQUIRE(m_config(&config) == 0);
        REQUIRE(config.argument_count == args.argument_count);
        args.task_slots = config.task_slots;
    }
    SceneRuntimeOps ops{};
    ops.version = k_scene_runtime_version;
    ops.size = sizeof ops;
    ops.allocate = [](void *host, std::uint64_t bytes, std::uint64_t *address) {
        *address = static_cast<NativeHost *>(host)->allocate(bytes);
        return SceneStatus::ok;
    };
    ops.submit = [](void *host, const SceneTask *task, std::uint64_t *task_id) {
        return static_cast<NativeHost *>(host)->submit(*task, *task_id);
    };
    ops.wait = [](void *host, std::uint64_t task_id) {
        static_cast<NativeHost *>(host)->run_until_done(task_id);
        return SceneStatus::ok;
    };
    ops.report = [](void *host, SceneStatus, const char *message) {
        static_cast<NativeHost *>(host)->m_message = message;
    };
    const auto status = static_cast<SceneStatus>(m_entry(&ops, this, &args));
    while (m_unfinished > 0) {
        run_one();
    }
    for (const std::vector<std::uint8_t> &memory : m_memory) {
        const auto is_guard = [](std::uint8_t byte) { return byte == k_guard; };
        CHECK(std::all_of(memory.begin(), memory.begin() + k_guard_bytes, is_guard));
        CHECK(std::all_of(memory.rbegin(), memory.rbegin() + k_guard_bytes, is_guard));
    }
    return status;
}

SceneStatus NativeHost::submit(const SceneTask &task, std::uint64_t &task_id) {
    const auto kernel = m_kernels.find(task.func_id);
    if (kernel == m_kernels.end() || kernel->second.core_type != task.core_type) {
        return SceneStatus::unknown_kernel;
    }
    if (!directions_fit(task.arguments, task.argument_count, kernel->second.signature)) {
        return SceneStatus::arguments;
    }
    task_id = m_tasks.size();
    RunningTask taken{task.func_id,
                      {task.arguments, task.arguments + task.argument_count},
                      {task.dependencies, task.dependencies + task.dependency_count}};
    for (const std::uint64_t dependency : taken.dependencies) {
        REQUIRE(dependency < task_id);
    }
    m_tasks.push_back(std::move(taken));
    m_most_unfinished = std::max(m_most_unfinished, ++m_unfinished);
    return SceneStatus::ok;
}

bool NativeHost::is_ready(const RunningTask &task) const {
    return !task.done && std::all_of(task.dependencies.begin(), task.dependencies.end(),
                                     [&](std::uint64_t dependency) { return m_tasks[dependency].done; });
}

void NativeHost::run_one() {
    const auto ready =
        std::find_if(m_tasks.rbegin(), m_tasks.rend(), [&](const RunningTask &task) { return is_ready(task); });
    const bool found = ready != m_tasks.rend();
    REQUIRE_MESSAGE(found, "tasks wait for each other");
    call(*ready);
}

void NativeHost::run_until_done(std::uint64_t task_id) {
    REQUIRE(task_id < m_tasks.size());
    while (!m_tasks[task_id].done) {
        run_one();
    }
}

void NativeHost::call(RunningTask &task) {
    std::vector<std::int64_t> slots;
    for (const SceneTaskArgument &argument : task.arguments) {
        slots.push_back(argument.direction == ArgDirection::SCALAR ? static_cast<std::int64_t>(argument.scalar)
                                                                   : reinterpret_cast<std::int64_t>(&argument.tensor));
    }
    m_kernels.at(task.func_id).entry(slots.data());
    task.done = true;
    --m_unfinished;
}
