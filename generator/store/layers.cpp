#include "store/layers.h"

#include <utility>

#include "base/strings.h"

namespace scene_kernels {

Digest part_digest(const std::vector<OutputFile> &outputs) {
    FieldHasher hasher;
    for (const OutputFile &output : outputs) {
        hasher.field("output", output.name);
        hasher.field("content", output.digest);
    }
    return hasher.finish();
}

StoreLayers::StoreLayers(FileSystem &files, FileMemory &memory, NameTable &names, SearchTable &searches)
    : m_files(files), m_memory(memory), m_names(names), m_searches(searches) {}

void StoreLayers::open(Clock &clock, const std::string &directory, const std::string &private_directory,
                       bool allow_foreign) {
    m_clock = &clock;
    m_private_directory = private_directory;
    m_layers.push_back(std::make_unique<Layer>(Store::open(m_files, clock, directory, allow_foreign), m_files, m_names,
                                               m_searches, Locking::required));
    const auto version = m_files.stat(path_join(private_directory, "VERSION"));
    if (state().access != StoreAccess::write || (version && *version)) {
        add_private();
    }
}

void StoreLayers::add_private() {
    m_layers.push_back(
        std::make_unique<Layer>(Store::open(m_files, *m_clock, m_private_directory, false, Locking::if_possible),
                                m_files, m_names, m_searches, Locking::if_possible));
}

StoreLayers::Layer *StoreLayers::target() const {
    for (std::size_t i = m_first_to_write; i < m_layers.size(); ++i) {
        if (m_layers[i]->store.state().access == StoreAccess::write) {
            return m_layers[i].get();
        }
    }
    return nullptr;
}

bool StoreLayers::fall_back() {
    if (m_first_to_write > 0 || state().access != StoreAccess::write) {
        return false;
    }
    if (m_layers.size() == 1) {
        add_private();
    }
    m_first_to_write = 1;
    return target() != nullptr;
}

Expected<void> StoreLayers::load() {
    for (const std::unique_ptr<Layer> &layer : m_layers) {
        if (layer->store.state().access != StoreAccess::none) {
            SK_CHECK(layer->log.load());
        }
    }
    return {};
}

Expected<Store *> StoreLayers::writable() {
    if (Layer *layer = target()) {
        return &layer->store;
    }
    return failure("nothing can be written: " + m_layers.front()->store.state().why + "; " +
                   m_layers.back()->store.state().why);
}

std::vector<Closure> StoreLayers::closures_of(const Digest &recipe) const {
    std::vector<Closure> closures;
    for (const std::unique_ptr<Layer> &layer : m_layers) {
        const auto known = layer->log.closures_of(recipe);
        closures.insert(closures.end(), known.begin(), known.end());
    }
    return closures;
}

Expected<bool> StoreLayers::is_whole(const std::string &directory, const std::vector<OutputFile> &outputs) {
    for (const OutputFile &output : outputs) {
        const std::string path = path_join(directory, output.name);
        SK_TRY(const auto status, m_files.lstat(path));
        if (!status || status->type != FileType::regular) {
            return false;
        }
        SK_TRY(const FileFacts *facts, m_memory.look(path));
        if (facts == nullptr || facts->stat.size != output.size || facts->digest != output.digest) {
            return false;
        }
    }
    return true;
}

Expected<std::optional<FoundArtifact>> StoreLayers::find_in(Layer &layer, const Digest &key) {
    FoundArtifact found;
    found.directory = layer.store.artifact_directory(key);
    found.manifest = layer.store.manifest_path(key);
    const KnownArtifact *known = layer.log.artifact(key);
    SK_TRY(const FileFacts *manifest, m_memory.look(found.manifest));
    if (manifest == nullptr) {
        return std::nullopt;
    }
    if (known != nullptr && manifest->digest == known->manifest_digest) {
        found.outputs = known->outputs;
    } else {
        const std::optional<Manifest> parsed = layer.store.find(key, false);
        if (!parsed) {
            return std::nullopt;
        }
        found.outputs = parsed->outputs;
    }
    SK_TRY(const bool whole, is_whole(found.directory, found.outputs));
    if (!whole) {
        return std::nullopt;
    }
    found.part = part_digest(found.outputs);
    return found;
}

Expected<std::optional<FoundArtifact>> StoreLayers::find(const Digest &key) {
    for (const std::unique_ptr<Layer> &layer : m_layers) {
        if (layer->store.state().access == StoreAccess::none) {
            continue;
        }
        SK_TRY(std::optional<FoundArtifact> found, find_in(*layer, key));
        if (found) {
            return found;
        }
    }
    return std::nullopt;
}

Expected<void> StoreLayers::remember(const Digest &recipe, const Closure &closure, const Digest &key,
                                     const KnownArtifact &artifact) {
    if (Layer *layer = target()) {
        SK_CHECK(layer->log.add_artifact(key, artifact));
        return layer->log.add(recipe, closure);
    }
    return {};
}

void StoreLayers::mark_used(const Digest &key) {
    for (const std::unique_ptr<Layer> &layer : m_layers) {
        if (layer->store.state().access == StoreAccess::write) {
            layer->store.mark_used(key);
        }
    }
}

}  // namespace scene_kernels
