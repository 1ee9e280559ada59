// Reads the text of a description (descriptor or SDK) from disk, within bounds; knows nothing of what is in it.
#pragma once

#include <string>

#include "base/error.h"
#include "model/problems.h"
#include "os/filesystem.h"

namespace scene_kernels {

// A regular file (or a link to one) of at most k_max_description_bytes. Every error is of kind input.
[[nodiscard]] Expected<std::string> read_description(FileSystem &files, const std::string &path);

// False where the root's "schema" is not the version that this program reads: then that is the only problem worth
// telling. A missing one is left to the reader of the root.
bool check_schema_version(Problems &problems, const JsonValue &root);

}  // namespace scene_kernels
