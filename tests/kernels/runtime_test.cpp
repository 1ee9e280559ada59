// Both runtime variants against a host that only records: which dependencies are given, and what is refused.
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "graph.h"
#include "task_ring.h"

using namespace scene_kernels::sdk;

namespace {

using Ids = std::vector<std::uint64_t>;

// Gives ids from 100 on, so that they differ from positions.
struct RecordingHost {
    struct Call {
        std::int32_t func_id;
        Ids dependencies;
    };
    std::vector<Call> calls;
    Ids waits;
    std::uint64_t next_address = 0x1000;
    std::vector<std::string> messages;
    SceneStatus allocate_result = SceneStatus::ok;
    SceneStatus submit_result = SceneStatus::ok;
    SceneRuntimeOps ops{k_scene_runtime_version, sizeof(SceneRuntimeOps), allocate, submit, wait, report};

    static SceneStatus allocate(void *self, std::uint64_t bytes, std::uint64_t *address) {
        auto *host = static_cast<RecordingHost *>(self);
        *address = host->next_address;
        host->next_address += bytes;
        return host->allocate_result;
    }
    static SceneStatus submit(void *self, const SceneTask *task, std::uint64_t *task_id) {
        auto *host = static_cast<RecordingHost *>(self);
        *task_id = 100 + host->calls.size();
        host->calls.push_back({task->func_id, {task->dependencies, task->dependencies + task->dependency_count}});
        return host->submit_result;
    }
    static SceneStatus wait(void *self, std::uint64_t task_id) {
        static_cast<RecordingHost *>(self)->waits.push_back(task_id);
        return SceneStatus::ok;
    }
    static void report(void *self, SceneStatus, const char *message) {
        static_cast<RecordingHost *>(self)->messages.emplace_back(message);
    }

    template <typename Runtime, typename Build>
    SceneStatus run(Build build, SceneTaskArgs args = {}) {
        return static_cast<SceneStatus>(orchestrate<Runtime>(&ops, this, &args, build));
    }
};

Task kernel(std::int32_t func_id) {
    return {func_id, CoreType::aiv};
}

TEST_CASE("a graph submits in an order that its edges allow") {
    RecordingHost host;
    const SceneStatus status = host.run<Graph>([](Graph &graph, const Arguments &) {
        const SceneTensor t = graph.tensor(DataType::float32, {2});
        const Graph::Node last = graph.add(kernel(0).in(t));
        const Graph::Node middle = graph.add(kernel(1).in(t));
        const Graph::Node first = graph.add(kernel(2).in(t));
        graph.order(first, middle);
        graph.order(middle, last);
        graph.order(first, last);
        graph.order(first, last);
    });
    CHECK(status == SceneStatus::ok);
    REQUIRE(host.calls.size() == 3);
    CHECK(host.calls[0].func_id == 2);
    CHECK(host.calls[0].dependencies.empty());
    CHECK(host.calls[1].func_id == 1);
    CHECK(host.calls[1].dependencies == Ids{100});
    CHECK(host.calls[2].func_id == 0);
    CHECK(host.calls[2].dependencies == Ids{101, 100});
}

TEST_CASE("a cycle is reported and nothing is submitted") {
    RecordingHost host;
    const SceneStatus status = host.run<Graph>([](Graph &graph, const Arguments &) {
        const SceneTensor t = graph.tensor(DataType::float32, {2});
        graph.add(kernel(0).in(t));
        const Graph::Node a = graph.add(kernel(1).in(t));
        const Graph::Node b = graph.add(kernel(2).in(t), {a});
        graph.order(b, a);
    });
    CHECK(status == SceneStatus::cycle);
    CHECK(host.calls.empty());
    CHECK(host.messages == std::vector<std::string>{"task 1 waits for itself"});
}

// Tasks over two halves of one tensor; the same ones through either variant.
template <typename Add>
void use_halves(Orchestrator &runtime, Add add) {
    const SceneTensor whole = runtime.tensor(DataType::float32, {4, 4});
    const SceneTensor upper = runtime.slice(whole, 0, 0, 2);
    const SceneTensor lower = runtime.slice(whole, 0, 2, 4);
    const SceneTensor other = runtime.tensor(DataType::float32, {4});
    add(kernel(0).out(upper));                     // 100
    add(kernel(1).out(lower));                     // 101
    add(kernel(2).in(whole).out(other));           // 102: after both writers
    add(kernel(3).in(upper).in(upper));            // 103: after the upper writer, not after the reader
    add(kernel(4).inout(upper));                   // 104: after the upper half's writer and readers
    add(kernel(5).in(lower).out(other));           // 105: after lower's writer and the writer of `other`
    add(kernel(6).out(whole));                     // 106: after everyone who used either half since
    add(kernel(7).in(lower).scalar(1).in(other));  // 107
    add(kernel(8).out(lower));                     // 108: after the writer of `whole` and the reader
    add(kernel(9).in(whole));                      // 109: after both who wrote a part of it last
}

const std::vector<Ids> k_halves = {
    {}, {}, {100, 101}, {100}, {100, 102, 103}, {101, 102}, {101, 102, 104, 105}, {105, 106}, {106, 107}, {106, 108}};

std::vector<Ids> dependencies_in(const RecordingHost &host) {
    std::vector<Ids> lists;
    for (const RecordingHost::Call &call : host.calls) {
        lists.push_back(call.dependencies);
    }
    return lists;
}

TEST_CASE("both variants derive the same dependencies from tensors") {
    RecordingHost graph_host;
    CHECK(graph_host.run<Graph>([](Graph &graph, const Arguments &) {
        use_halves(graph, [&](const Task &task) { graph.add(task); });
        graph.derive_dependencies();
    }) == SceneStatus::ok);
    CHECK(dependencies_in(graph_host) == k_halves);

    RecordingHost ring_host;
    CHECK(ring_host.run<TaskRing>([](TaskRing &ring, const Arguments &) {
        use_halves(ring, [&](const Task &task) { ring.submit(task); });
    }) == SceneStatus::ok);
    CHECK(dependencies_in(ring_host) == k_halves);
    CHECK(ring_host.waits.empty());
}

TEST_CASE("a full ring waits for its oldest task, and forgets it") {
    RecordingHost host;
    SceneTaskArgs args;
    args.task_slots = 2;
    const SceneStatus status = host.run<TaskRing>(
        [](TaskRing &ring, const Arguments &) {
            const SceneTensor shared = ring.tensor(DataType::float32, {1});
            for (std::int32_t i = 0; i < 5; ++i) {
                ring.submit(kernel(i).in(shared));
            }
            ring.submit(kernel(9).out(shared));
        },
        args);
    CHECK(status == SceneStatus::ok);
    CHECK(host.waits == Ids{100, 101, 102, 103});
    REQUIRE(host.calls.size() == 6);
    CHECK(host.calls[5].dependencies == Ids{104});
}

TEST_CASE("the default ring has 64 slots") {
    RecordingHost host;
    CHECK(host.run<TaskRing>([](TaskRing &ring, const Arguments &) {
        const SceneTensor t = ring.tensor(DataType::float32, {1});
        for (std::int32_t i = 0; i < 65; ++i) {
            ring.submit(kernel(0).in(t));
        }
    }) == SceneStatus::ok);
    CHECK(host.waits == Ids{100});
}

// One failure of each kind: the status, and the only message.
struct Failure {
    SceneStatus status;
    std::string message;
    void (*build)(TaskRing &, const Arguments &);
};

TEST_CASE("failures are reported once and stop the submission") {
    const Failure rows[] = {
        {SceneStatus::shape, "dimension 1 of a new tensor is 0: empty, or too large together with the others",
         [](TaskRing &ring, const Arguments &) {
             ring.tensor(DataType::float32, {3, 0});
         }},
        {SceneStatus::shape,
         "dimension 0 of a new tensor is 4611686018427387904: empty, or too large together with the others",
         [](TaskRing &ring, const Arguments &) {
             ring.tensor(DataType::float32, {std::int64_t{1} << 62U, 4});
         }},
        {SceneStatus::shape, "a tensor has a known element type and at most 5 dimensions",
         [](TaskRing &ring, const Arguments &) {
             ring.tensor(DataType::float32, {1, 1, 1, 1, 1, 1});
         }},
        {SceneStatus::shape, "no part [2, 4) in dimension 0 of a tensor",
         [](TaskRing &ring, const Arguments &) { ring.slice(ring.tensor(DataType::float32, {3}), 0, 2, 4); }},
        {SceneStatus::shape, "a task of kernel 7 lacks a tensor",
         [](TaskRing &ring, const Arguments &) { ring.submit(kernel(7).in(SceneTensor{})); }},
        {SceneStatus::arguments, "argument 0 of 0 is not a tensor",
         [](TaskRing &, const Arguments &arguments) { (void)arguments.tensor(0); }},
        {SceneStatus::arguments, "argument 3 of 0 is not a scalar",
         [](TaskRing &, const Arguments &arguments) { (void)arguments.scalar<float>(3); }},
        {SceneStatus::limit, "a task of kernel 1 has 33 tensors",
         [](TaskRing &ring, const Arguments &) {
             Task task = kernel(1);
             const SceneTensor t = ring.tensor(DataType::float32, {1});
             for (int i = 0; i < 33; ++i) {
                 task.in(t);
             }
             ring.submit(task);
         }},
        {SceneStatus::limit, "surprise", [](TaskRing &, const Arguments &) { throw std::runtime_error("surprise"); }},
        {SceneStatus::out_of_memory, "the orchestration ran out of memory",
         [](TaskRing &, const Arguments &) { throw std::bad_alloc(); }},
    };
    for (const Failure &row : rows) {
        CAPTURE(row.message);
        RecordingHost host;
        const SceneStatus status = host.run<TaskRing>([&](TaskRing &ring, const Arguments &arguments) {
            row.build(ring, arguments);
            const SceneTensor t = ring.tensor(DataType::float32, {1});
            ring.submit(kernel(0).in(t));
        });
        CHECK(status == row.status);
        CHECK(host.messages == std::vector<std::string>{row.message});
        CHECK(host.calls.empty());
    }
}

TEST_CASE("what the host refuses becomes the result") {
    RecordingHost host;
    host.submit_result = SceneStatus::unknown_kernel;
    const auto build = [](auto &runtime, const Arguments &) {
        const SceneTensor t = runtime.tensor(DataType::int8, {1});
        if constexpr (std::is_same_v<decltype(runtime), Graph &>) {
            runtime.add(kernel(5).out(t));
            runtime.add(kernel(5).out(t));
        } else {
            runtime.submit(kernel(5).out(t));
            runtime.submit(kernel(5).out(t));
        }
    };
    CHECK(host.run<TaskRing>(build) == SceneStatus::unknown_kernel);
    CHECK(host.run<Graph>(build) == SceneStatus::unknown_kernel);
    CHECK(host.calls.size() == 2);
    CHECK(host.messages == std::vector<std::string>(2, "the host refused a task of kernel 5"));
    host.allocate_result = SceneStatus::out_of_memory;
    CHECK(host.run<Graph>(build) == SceneStatus::out_of_memory);
    CHECK(host.messages.back() == "no memory for a tensor of 1 bytes");
}

TEST_CASE("another version of the interface is refused") {
    const auto build = [](TaskRing &, const Arguments &) {};
    RecordingHost host;
    host.ops.version = k_scene_runtime_version + 1;
    CHECK(host.run<TaskRing>(build) == SceneStatus::version);
    host.ops.version = k_scene_runtime_version;
    host.ops.size = sizeof(SceneRuntimeOps) - 1;
    CHECK(host.run<TaskRing>(build) == SceneStatus::version);
    const SceneTaskArgs args;
    CHECK(orchestrate<TaskRing>(nullptr, &host, &args, build) == static_cast<int>(SceneStatus::arguments));
    CHECK(orchestrate<TaskRing>(&host.ops, &host, nullptr, build) == static_cast<int>(SceneStatus::arguments));
}

TEST_CASE("scalars travel as the first bytes of their slot") {
    Task task = kernel(0);
    task.scalar(1.5F).scalar(std::int32_t{-1}).scalar(std::int64_t{-2});
    CHECK(task.arguments()[0].scalar == 0x3FC00000U);
    CHECK(task.arguments()[1].scalar == 0xFFFFFFFFU);
    CHECK(task.arguments()[2].scalar == ~std::uint64_t{1});
}

}  // namespace
