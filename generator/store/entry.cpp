#include "store/entry.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <utility>

namespace scene_kernels {

namespace {

// Nothing that we write comes near; what is larger is not read.
constexpr std::uint64_t k_max_manifest_bytes = 64U << 20U;

// The file's bytes if it is a regular file (no link) of that size and content.
bool output_is_good(FileSystem &files, const std::string &directory, const OutputFile &output, bool deep) {
    const std::string path = directory + "/" + output.name;
    const auto status = files.lstat(path);
    if (!status || !*status || (*status)->type != FileType::regular || (*status)->size != output.size) {
        return false;
    }
    if (!deep) {
        return true;
    }
    const Expected<std::string> bytes = files.read(path);
    return bytes && Sha256::of(*bytes) == output.digest;
}

Expected<void> seal_output(FileSystem &files, const std::string &directory, const OutputFile &output) {
    const std::string path = directory + "/" + output.name;
    if (!output_is_good(files, directory, output, true)) {
        return failure("cannot publish " + path + ": it is not the file that its manifest describes (" +
                       std::to_string(output.size) + " bytes, SHA-256 " + output.digest.hex() + ")");
    }
    SK_TRY(const auto status, files.lstat(path));
    const bool executable = status && (status->mode & 0111U) != 0;
    SK_CHECK(files.set_mode(path, executable ? 0555 : 0444));
    return files.sync(path);
}

bool is_output(const Manifest &manifest, const std::string &name) {
    return std::any_of(manifest.outputs.begin(), manifest.outputs.end(),
                       [&name](const OutputFile &output) { return output.name == name; });
}

bool is_real_directory(FileSystem &files, const std::string &path) {
    const auto status = files.lstat(path);
    return status && *status && (*status)->type == FileType::directory;
}

}  // namespace

Expected<CheckedEntry> inspect_entry(FileSystem &files, const std::string &directory, const Digest &key, bool deep) {
    const std::string path = directory + "/" + k_manifest_file;
    SK_TRY(const auto status, files.lstat(path));
    if (!status || status->type != FileType::regular || status->size > k_max_manifest_bytes) {
        return failure(path + (status ? " is no regular file, or too large" : " is missing"));
    }
    SK_TRY(const std::string text, files.read(path));
    Expected<Manifest> manifest = parse_manifest(text);
    if (!manifest) {
        return failure(path + ": " + manifest.error().message);
    }
    if (manifest->key != key) {
        return failure(path + ": it is of another key, " + manifest->key.hex());
    }
    if (!manifest->uncacheable.empty()) {
        return failure(path + ": it is marked as uncacheable");
    }
    for (const OutputFile &output : manifest->outputs) {
        if (!output_is_good(files, directory, output, deep)) {
            return failure(directory + "/" + output.name + " is missing, or not the file that artifact.json describes");
        }
    }
    return CheckedEntry{std::move(*manifest), Sha256::of(text)};
}

std::optional<CheckedEntry> check_entry(FileSystem &files, const std::string &directory, const Digest &key, bool deep) {
    Expected<CheckedEntry> entry = inspect_entry(files, directory, key, deep);
    return entry ? std::optional<CheckedEntry>(std::move(*entry)) : std::nullopt;
}

Expected<Digest> seal_entry(FileSystem &files, const std::string &directory, const Manifest &manifest) {
    const std::string text = to_json(manifest);
    const Expected<Manifest> read_back = parse_manifest(text);
    if (!read_back) {
        return failure("cannot publish " + directory + ": its manifest is wrong: " + read_back.error().message);
    }
    if (*read_back != manifest || manifest.key.empty() || !manifest.uncacheable.empty()) {
        return failure("cannot publish " + directory + ": its manifest has no key, is marked uncacheable, or holds " +
                       "text that is not UTF-8");
    }
    SK_TRY(const auto present, files.list(directory));
    for (const DirectoryEntry &entry : present.value_or(std::vector<DirectoryEntry>{})) {
        if (!is_output(manifest, entry.name)) {
            SK_CHECK(files.remove_all(directory + "/" + entry.name));
        }
    }
    for (const OutputFile &output : manifest.outputs) {
        SK_CHECK(seal_output(files, directory, output));
    }
    const std::string path = directory + "/" + k_manifest_file;
    SK_CHECK(files.write(path, text, true));
    SK_CHECK(files.set_mode(path, 0444));
    SK_CHECK(files.sync(directory));
    return Sha256::of(text);
}

std::uint64_t disk_bytes_below(FileSystem &files, const std::string &path) {
    const auto status = files.lstat(path);
    if (!status || !*status) {
        return 0;
    }
    std::uint64_t bytes = (*status)->disk_bytes;
    if ((*status)->type == FileType::directory) {
        const auto entries = files.list(path);
        if (entries && *entries) {
            for (const DirectoryEntry &entry : **entries) {
                bytes += disk_bytes_below(files, path + "/" + entry.name);
            }
        }
    }
    return bytes;
}

std::string shard_name(unsigned shard) {
    return fmt::format("{:02x}", shard);
}

Expected<std::vector<StoreEntry>> list_shard(FileSystem &files, const std::string &artifacts, unsigned shard) {
    std::vector<StoreEntry> entries;
    const std::string prefix = shard_name(shard);
    const std::string directory = artifacts + "/" + prefix;
    if (!is_real_directory(files, artifacts) || !is_real_directory(files, directory)) {
        return entries;
    }
    SK_TRY(const auto names, files.list(directory));
    for (const DirectoryEntry &name : names.value_or(std::vector<DirectoryEntry>{})) {
        const std::optional<Digest> key = Digest::from_hex(name.name);
        if (!key || !name.name.starts_with(prefix) || name.type != FileType::directory) {
            continue;
        }
        const std::string path = directory + "/" + name.name;
        SK_TRY(const auto status, files.lstat(path));
        if (status) {
            entries.push_back({*key, path, status->mtime_ns, disk_bytes_below(files, path)});
        }
    }
    std::sort(entries.begin(), entries.end(), [](const StoreEntry &a, const StoreEntry &b) { return a.key < b.key; });
    return entries;
}

Expected<std::vector<StoreEntry>> list_entries(FileSystem &files, const std::string &artifacts) {
    std::vector<StoreEntry> entries;
    for (unsigned shard = 0; shard < k_shards; ++shard) {
        SK_TRY(std::vector<StoreEntry> more, list_shard(files, artifacts, shard));
        entries.insert(entries.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return entries;
}

}  // namespace scene_kernels
