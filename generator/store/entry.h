// The directory of one store entry: checking what is in it, making one ready to be published, and listing them all.
// Knows nothing of how entries get their names or lose them (store/store.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/sha256.h"
#include "os/filesystem.h"
#include "store/manifest.h"

namespace scene_kernels {

inline constexpr const char *k_manifest_file = "artifact.json";

struct CheckedEntry {
    Manifest manifest;
    Digest manifest_digest;  // of the bytes of artifact.json
};

// The entry in `directory`, or why it is not a whole entry of `key`. Outputs must be regular files of the right size,
// with `deep` also of the right content.
[[nodiscard]] Expected<CheckedEntry> inspect_entry(FileSystem &files, const std::string &directory, const Digest &key,
                                                   bool deep);
// The same where nobody asks why.
[[nodiscard]] std::optional<CheckedEntry> check_entry(FileSystem &files, const std::string &directory,
                                                      const Digest &key, bool deep);

// Turns a directory with outputs into a whole entry, on the disk for good. Returns the digest of artifact.json.
[[nodiscard]] Expected<Digest> seal_entry(FileSystem &files, const std::string &directory, const Manifest &manifest);

// One entry as its directory shows it, whole or not.
struct StoreEntry {
    Digest key;
    std::string directory;
    std::int64_t used_ns = 0;      // last use
    std::uint64_t disk_bytes = 0;  // blocks of the directory and of everything in it
};

// Blocks of everything below `path`, itself included, in bytes; 0 where it is not. Follows no links.
[[nodiscard]] std::uint64_t disk_bytes_below(FileSystem &files, const std::string &path);

// Entries are spread over directories by the first byte of their key.
inline constexpr unsigned k_shards = 256;
// "00" to "ff".
[[nodiscard]] std::string shard_name(unsigned shard);

// The entries of one shard below `artifacts`, sorted by key. What is not named like an entry, or is reached through a
// link, is left out; what vanishes meanwhile too.
[[nodiscard]] Expected<std::vector<StoreEntry>> list_shard(FileSystem &files, const std::string &artifacts,
                                                           unsigned shard);
// Those of all shards.
[[nodiscard]] Expected<std::vector<StoreEntry>> list_entries(FileSystem &files, const std::string &artifacts);

}  // namespace scene_kernels
