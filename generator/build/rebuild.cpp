#include "build/rebuild.h"

#include "base/strings.h"
#include "build/attempt.h"
#include "build/build_context.h"

namespace scene_kernels {

namespace {

std::string difference(const std::vector<OutputFile> &kept, const std::vector<OutputFile> &built) {
    for (std::size_t i = 0; i < kept.size() && i < built.size(); ++i) {
        if (kept[i] != built[i]) {
            return kept[i].name + " has " + std::to_string(built[i].size) + " bytes of SHA-256 " +
                   built[i].digest.hex() + " now; the store has " + std::to_string(kept[i].size) +
                   " bytes of SHA-256 " + kept[i].digest.hex();
        }
    }
    return kept.size() == built.size() ? "" : "it has another number of outputs now";
}

}  // namespace

Expected<RebuildOutcome> rebuild_action(const Services &services, const std::string &graph_directory,
                                        const std::string &action_name) {
    SK_TRY(const std::unique_ptr<BuildContext> context, BuildContext::open(services, graph_directory, action_name));
    RebuildOutcome outcome;
    const std::string ref = path_join(graph_directory, "refs/" + action_name);
    SK_TRY(const std::string text, services.files->read(ref));
    SK_TRY(const Manifest kept, parse_manifest(text));
    SK_TRY(const std::vector<Part> parts, context->parts());
    SK_TRY(Store * store, context->stores.writable());
    SK_TRY(const Staging staging, store->stage());
    SK_TRY(const Attempt attempt, attempt_action(*context, parts, staging.directory(), false));
    outcome.output = attempt.output;
    if (attempt.failed) {
        outcome.reason = attempt.interrupted ? "interrupted" : attempt.reason;
        return outcome;
    }
    const bool comparable = kept.uncacheable.empty() ? attempt.key == kept.key : true;
    if (!comparable) {
        outcome.result = RebuildResult::outdated;
        outcome.reason = "its inputs have changed since it was built";
        return outcome;
    }
    outcome.reason = difference(kept.outputs, attempt.manifest.outputs);
    outcome.result = outcome.reason.empty() ? RebuildResult::same : RebuildResult::different;
    return outcome;
}

}  // namespace scene_kernels
