#include "action/recipe.h"

#include <string>

namespace scene_kernels {

namespace {

void describe_signature(const std::vector<ArgDirection> &signature, FieldSink &sink) {
    std::string text;
    for (const ArgDirection direction : signature) {
        text += to_text(direction);
        text += ' ';
    }
    sink.field("signature", text);
}

void describe_pack(const PackSpec &pack, FieldSink &sink) {
    // The scene's name is left out: the same callable in two scenes is one artifact.
    sink.field("function", pack.function_name);
    sink.field("config", pack.config_name);
    describe_signature(pack.signature, sink);
    for (const PackChild &child : pack.children) {
        sink.field("func_id", std::to_string(child.func_id));
        sink.field("core_type", to_text(child.core_type));
        sink.field("kernel", child.name);
        describe_signature(child.signature, sink);
    }
}

}  // namespace

void describe_recipe(const Action &action, FieldSink &sink) {
    sink.field("version", std::string_view(k_key_version));
    sink.field("artifact schema", std::to_string(k_artifact_schema));
    sink.field("kind", to_text(action.kind));
    sink.field("platform", action.platform);
    sink.field("runtime", action.runtime);
    sink.field("fingerprint", action.fingerprint);
    sink.field("source", action.source);
    for (const std::string &input : action.inputs) {
        sink.field("input", input);
    }
    for (const std::string &file : action.named_files) {
        sink.field("named", file);
    }
    for (const ActionStep &step : action.steps) {
        sink.field("step", step.extract.empty() ? "run" : "extract");
        sink.field("extract", step.extract);
        for (const std::string &word : step.key_argv) {
            sink.field("argument", word);
        }
    }
    for (const auto &[name, value] : action.environment) {
        sink.field("environment", name + "=" + value);
    }
    sink.field("entry", action.entry_symbol);
    sink.field("machine", action.machine);
    if (action.pack) {
        describe_pack(*action.pack, sink);
    }
}

Digest recipe_digest(const Action &action) {
    FieldHasher hasher;
    describe_recipe(action, hasher);
    return hasher.finish();
}

}  // namespace scene_kernels
