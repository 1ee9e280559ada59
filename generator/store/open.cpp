// Opening a store: is it ours, may we use it, may we write it, and making one where there is none.
#include <array>

#include <fmt/format.h>

#include "os/environment.h"
#include "store/store.h"

namespace scene_kernels {

namespace {

// https://bford.info/cachedir/: the first line is the signature that backup programs look for.
constexpr std::string_view k_cachedir_tag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This directory holds compiled kernels that can be built again at any time.\n"
    "# For information about cache directory tags see https://bford.info/cachedir/\n";
constexpr std::array k_folders = {"artifacts", "closures", "locks", "tmp", "toolchains"};
constexpr std::uint64_t k_max_version_bytes = 256;

std::string version_text() {
    return fmt::format("scene-kernels store {}\n", k_store_version);
}

StoreState none(std::string why) {
    return {StoreAccess::none, std::move(why)};
}
StoreState read_only(std::string why) {
    return {StoreAccess::read, std::move(why)};
}

// Whether there is nothing in the directory but what a store's first moments or a fresh volume leave there: processes
// that open an absent store at the same time see the temporary files of each other's VERSION.
bool is_as_good_as_empty(const std::vector<DirectoryEntry> &entries) {
    for (const DirectoryEntry &entry : entries) {
        if (entry.name != "lost+found" && !entry.name.starts_with("VERSION.tmp.")) {
            return false;
        }
    }
    return true;
}

// What VERSION says; nothing where there is none.
Expected<std::optional<std::string>> read_version(FileSystem &files, const std::string &directory) {
    const std::string path = directory + "/VERSION";
    SK_TRY(const auto status, files.stat(path));
    if (!status) {
        return std::nullopt;
    }
    if (status->type != FileType::regular || status->size > k_max_version_bytes) {
        return std::string();
    }
    SK_TRY(std::string text, files.read(path));
    return text;
}

// VERSION comes first: once it is there, the directory is a store, and the rest is made by whoever finds it missing.
Expected<void> claim(FileSystem &files, const std::string &directory) {
    SK_TRY(const auto entries, files.list(directory));
    if (entries && !is_as_good_as_empty(*entries)) {
        // Somebody may have claimed it since VERSION was looked for.
        SK_TRY(const auto version, read_version(files, directory));
        if (!version) {
            return failure(directory + " is neither empty nor a store (it has no file VERSION); choose another place");
        }
        return {};
    }
    return files.write(directory + "/VERSION", version_text(), true);
}

StoreState check_version(FileSystem &files, const std::string &directory) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        const auto version = read_version(files, directory);
        if (!version) {
            return none(version.error().message);
        }
        if (*version) {
            if (**version == version_text()) {
                return {StoreAccess::write, {}};
            }
            return none(
                fmt::format("{}/VERSION is not that of this program's stores ({}); remove the store, or choose "
                            "another place",
                            directory, k_store_version));
        }
        if (const auto claimed = claim(files, directory); !claimed) {
            return none(claimed.error().message);
        }
    }
    return none(directory + "/VERSION vanished while the store was opened");
}

// Makes what is missing of the store, and finds out whether it can be written.
StoreState check_writing(FileSystem &files, const std::string &directory, Locking locking, bool &has_locks) {
    for (const char *folder : k_folders) {
        const std::string path = directory + "/" + folder;
        if (const auto made = files.create_directory(path); !made) {
            return read_only(made.error().message);
        }
        if (!files.is_writable(path)) {
            return read_only(path + " is not writable");
        }
    }
    if (!files.is_writable(directory)) {
        return read_only(directory + " is not writable");
    }
    const std::string tag = directory + "/CACHEDIR.TAG";
    if (const auto status = files.lstat(tag); !status || !*status) {
        if (const auto written = files.write(tag, k_cachedir_tag); !written) {
            return read_only(written.error().message);
        }
    }
    // Whether we get this lock is of no interest, only whether locks on directories work here (on NFS they may not).
    if (const auto lock = FileLock::try_acquire_directory(directory + "/tmp", LockMode::exclusive); !lock) {
        has_locks = false;
        if (locking == Locking::required) {
            return read_only(lock.error().message);
        }
    }
    return {StoreAccess::write, {}};
}

StoreState prepare(FileSystem &files, const std::string &directory, bool allow_foreign, Locking locking,
                   bool &has_locks) {
    if (const auto made = files.create_directories(directory); !made) {
        return none(made.error().message);
    }
    const auto status = files.stat(directory);
    if (!status || !*status) {
        return none(status ? directory + " vanished while the store was opened" : status.error().message);
    }
    if ((*status)->type != FileType::directory) {
        return none(directory + " is no directory");
    }
    if ((*status)->owner != user_id() && !allow_foreign) {
        return none(
            fmt::format("{} belongs to user {}, who could put programs into it that the tests then run; use a "
                        "store of your own, or allow stores of other users",
                        directory, (*status)->owner));
    }
    StoreState state = check_version(files, directory);
    return state.access == StoreAccess::write ? check_writing(files, directory, locking, has_locks) : state;
}

}  // namespace

Store Store::open(FileSystem &files, Clock &clock, const std::string &directory, bool allow_foreign, Locking locking) {
    Store store(files, clock, directory);
    store.m_state = prepare(files, directory, allow_foreign, locking, store.m_has_locks);
    return store;
}

}  // namespace scene_kernels
