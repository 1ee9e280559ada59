// The likeliest token of each row, and its row of the embedding table.
// Arguments: hidden (in, rows by width), embeddings (in, tokens by width), token (out, one column, int32), next (out,
// rows by width).
#include "graph.h"

using namespace scene_kernels::sdk;

namespace {

constexpr std::int32_t k_matmul_transposed = 0;
constexpr std::int32_t k_argmax_rows = 1;
constexpr std::int32_t k_gather_rows = 2;

void build(Graph &graph, const Arguments &arguments) {
    const SceneTensor hidden = arguments.tensor(0);
    const SceneTensor embeddings = arguments.tensor(1);
    const SceneTensor tokens = arguments.tensor(2);
    const SceneTensor logits = graph.tensor(DataType::float32, {hidden.shape[0], embeddings.shape[0]});
    graph.add(Task(k_matmul_transposed, CoreType::aic).in(hidden).in(embeddings).out(logits));
    graph.add(Task(k_argmax_rows, CoreType::aiv).in(logits).out(tokens));
    graph.add(Task(k_gather_rows, CoreType::aiv).in(embeddings).in(tokens).out(arguments.tensor(3)));
    graph.derive_dependencies();
}

}  // namespace

extern "C" int build_greedy_sampling(const SceneRuntimeOps *ops, void *runtime, const SceneTaskArgs *args) {
    return orchestrate<Graph>(ops, runtime, args, build);
}
