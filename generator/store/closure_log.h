// The known closures of a store, by recipe, and what came of them: `closures/log` on top of RecordLog. Paths and search
// lists are kept once. docs/formats.md describes the records.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "action/closure.h"
#include "base/error.h"
#include "base/sha256.h"
#include "os/filesystem.h"
#include "os/lock.h"
#include "store/closure_codec.h"

namespace scene_kernels {

// At most this many closures are kept per recipe, the latest first.
inline constexpr std::size_t k_closures_per_recipe = 16;
// compact() keeps at most this many recipes: those whose closures were added last.
inline constexpr std::size_t k_recipes_kept = 20'000;

// Not thread-safe. `names` and `searches` are shared with the rest of the process and outlive the log.
class ClosureLog {
public:
    ClosureLog(FileSystem &files, std::string path, NameTable &names, SearchTable &searches,
               Locking locking = Locking::required);
    ~ClosureLog();

    // Reads everything there is. A missing or damaged log has fewer closures; only I/O trouble is an error.
    [[nodiscard]] Expected<void> load();

    // Latest first. Valid until the next load() or add().
    [[nodiscard]] std::span<const Closure> closures_of(const Digest &recipe) const;
    [[nodiscard]] const KnownArtifact *artifact(const Digest &key) const;

    // Appends what is not there yet (nothing is written if all is known already and the closure is the latest). The log
    // is brought up to date first, so load() is not needed before. An error where the log is full: compact() helps.
    [[nodiscard]] Expected<void> add(const Digest &recipe, const Closure &closure);
    [[nodiscard]] Expected<void> add_artifact(const Digest &key, const KnownArtifact &artifact);

    // Rewrites the log without artifacts that `keep` refuses, without closures and recipes over the limits, and without
    // the names and lists that nothing refers to any more.
    [[nodiscard]] Expected<void> compact(const std::function<bool(const Digest &)> &keep);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace scene_kernels
