// One run of an action's commands in a staging directory, and what it read. Publishes nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "action/closure.h"
#include "base/error.h"
#include "build/build_context.h"
#include "store/manifest.h"
#include "store/store.h"

namespace scene_kernels {

struct Attempt {
    bool failed = false;  // a command failed, or an output was refused; `output` says how
    bool interrupted = false;
    int commands = 0;
    std::string output;  // what the commands printed; for a failure also whose they are and how to rerun them
    std::string reason;  // of a failure, in one line
    std::int64_t start_ns = 0;
    Closure closure;
    std::vector<std::string> files_read;  // real paths
    std::optional<Digest> key;            // nothing: a file that was read is gone already
    std::string uncacheable;              // why it must not be reused
    std::string changed_file;             // a file that was read and changed (or went) since the start; empty: none
    std::string changed_directory;        // a searched directory that got or lost an entry since the start; empty: none
    Manifest manifest;                    // with outputs; they lie in the staging directory
};

// Runs every step. Errors are for trouble of our own (the staging directory cannot be written, say).
[[nodiscard]] Expected<Attempt> attempt_action(BuildContext &context, const std::vector<Part> &parts,
                                               const std::string &staging, bool color);

}  // namespace scene_kernels
