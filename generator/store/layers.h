// The stores that one process reads and writes: the user's, and a private one in the graph directory for what the
// user's cannot take. Also the place where a found artifact's files are checked, through the memory of digests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "action/closure.h"
#include "action/file_memory.h"
#include "base/error.h"
#include "base/sha256.h"
#include "store/closure_log.h"
#include "store/manifest.h"
#include "store/store.h"

namespace scene_kernels {

struct FoundArtifact {
    std::string directory;  // of its outputs
    std::string manifest;   // path of artifact.json
    std::vector<OutputFile> outputs;
    Digest part;  // how it enters the keys of its users: see part_digest
};

// The digest by which outputs enter the keys of those that use them: names and contents, nothing of how they were made.
[[nodiscard]] Digest part_digest(const std::vector<OutputFile> &outputs);

// Not thread-safe. `names`, `searches` and `memory` outlive it.
class StoreLayers {
public:
    StoreLayers(FileSystem &files, FileMemory &memory, NameTable &names, SearchTable &searches);

    // The store of the user; and, if that cannot be written or once could not, a private one in `private_directory`.
    // `clock` outlives the object.
    void open(Clock &clock, const std::string &directory, const std::string &private_directory, bool allow_foreign);
    // Reads the closure logs.
    [[nodiscard]] Expected<void> load();

    [[nodiscard]] const StoreState &state() const { return m_layers.front()->store.state(); }
    [[nodiscard]] Store &main() { return m_layers.front()->store; }
    // Where new artifacts go: the first layer that can be written; an error where none can.
    [[nodiscard]] Expected<Store *> writable();
    // Writing to the user's store went wrong: from now on new artifacts go to the private one. False where they do
    // already, or where that cannot be written either.
    [[nodiscard]] bool fall_back();
    [[nodiscard]] bool writes_to_main() const { return state().access == StoreAccess::write; }

    // Known closures of a recipe, latest first, of all layers.
    [[nodiscard]] std::vector<Closure> closures_of(const Digest &recipe) const;
    // An artifact whose files are all there and have the content that the entry says; nothing otherwise.
    [[nodiscard]] Expected<std::optional<FoundArtifact>> find(const Digest &key);

    // Remembers what was built (in the layer that it was published to).
    [[nodiscard]] Expected<void> remember(const Digest &recipe, const Closure &closure, const Digest &key,
                                          const KnownArtifact &artifact);
    void mark_used(const Digest &key);

private:
    struct Layer {
        Layer(Store opened, FileSystem &files, NameTable &names, SearchTable &searches, Locking locking)
            : store(std::move(opened)), log(files, store.closure_log_path(), names, searches, locking) {}
        Store store;
        ClosureLog log;
    };
    void add_private();
    // The layer that new artifacts go to; nullptr where there is none.
    [[nodiscard]] Layer *target() const;
    [[nodiscard]] Expected<bool> is_whole(const std::string &directory, const std::vector<OutputFile> &outputs);
    [[nodiscard]] Expected<std::optional<FoundArtifact>> find_in(Layer &layer, const Digest &key);

    FileSystem &m_files;
    FileMemory &m_memory;
    NameTable &m_names;
    SearchTable &m_searches;
    Clock *m_clock = nullptr;
    std::string m_private_directory;
    std::vector<std::unique_ptr<Layer>> m_layers;
    std::size_t m_first_to_write = 0;
};

}  // namespace scene_kernels
