// A long chain of small tasks over few slots: `steps` times total = total / 2 + x + step mod 3.
// Arguments: x (in), total (out), steps (int32).
#include "task_ring.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_fill = 0;
constexpr std::int32_t k_multiply_add = 1;
constexpr std::int32_t k_add_scalar = 2;

void build(TaskRing &ring, const Arguments &arguments) {
    const SceneTensor x = arguments.tensor(0);
    const SceneTensor total = arguments.tensor(1);
    const std::int32_t steps = arguments.scalar<std::int32_t>(2);
    // Rewritten in every step while the step before may still read it: the ring must keep them apart.
    const SceneTensor copy = ring.tensor(DataType::float32, {x.shape[0], x.shape[1]});
    ring.submit(Task(k_fill, CoreType::aiv).out(total).scalar(0.0F));
    for (std::int32_t step = 0; step < steps && ring.ok(); ++step) {
        ring.submit(Task(k_add_scalar, CoreType::aiv).in(x).out(copy).scalar(static_cast<float>(step % 3)));
        ring.submit(Task(k_multiply_add, CoreType::aiv).in(copy).inout(total).scalar(0.5F));
    }
}

}  // namespace

extern "C" int configure_many_tasks(SceneConfig *config) {
    config->argument_count = 3;
    config->task_slots = 4;
    return static_cast<int>(SceneStatus::ok);
}

extern "C" int build_many_tasks(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<TaskRing>(ops, runtime, args, build);
}
