// One kernel over the whole matrix.
// Arguments: input (in), output (out): matrices of one shape.
#include "graph.h"

using namespace scene_kernels::sdk;

namespace {

void build(Graph &graph, const Arguments &arguments) {
    graph.add(Task(0, CoreType::aiv).in(arguments.tensor(0)).out(arguments.tensor(1)));
    graph.derive_dependencies();
}

}  // namespace

extern "C" int build_twice(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<Graph>(ops, runtime, args, build);
}
