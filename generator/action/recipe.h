// The recipe digest: everything about an action that is known before it runs. docs/cache-key.md lists the fields.
#pragma once

#include "action/action.h"
#include "base/sha256.h"

namespace scene_kernels {

// Raised whenever the meaning of a key changes, so that no older artifact is taken for a new one.
inline constexpr const char *k_key_version = "scene-kernels key 2";

// The schema of artifact.json (store/manifest.h). It is part of every key: who plans by a key alone must be able to
// read what it finds.
inline constexpr int k_artifact_schema = 2;

// Sends the recipe's fields to `sink`; `action.recipe` itself is not read.
void describe_recipe(const Action &action, FieldSink &sink);
[[nodiscard]] Digest recipe_digest(const Action &action);

}  // namespace scene_kernels
