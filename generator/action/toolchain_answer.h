// What was found out about a toolchain, with everything that the answer depended on: checked, hashed, and remembered as
// text. Knows no compiler.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "action/file_memory.h"
#include "action/toolchain.h"
#include "base/error.h"
#include "base/sha256.h"
#include "os/filesystem.h"

namespace scene_kernels {

struct ToolchainAnswer {
    struct File {
        std::string role;  // "compiler", "cc1plus", "library libz.so.1"; the same on every machine
        std::string path;
        Digest digest;
        auto operator<=>(const File &) const = default;
    };
    struct Witness {
        std::string path;
        Digest digest;
        auto operator<=>(const Witness &) const = default;
    };

    std::string version;
    std::string machine;
    std::vector<std::string> library_directories;
    std::vector<File> files;                                 // their content is the fingerprint
    std::vector<Witness> witnesses;                          // files that decide the answer, but are no part of it
    std::vector<Witness> listings;                           // directories whose entries decide the answer
    std::vector<std::string> absent;                         // paths that are not there
    std::vector<std::pair<std::string, std::string>> links;  // path and its canonical path

    // Sorts, and removes what is there twice.
    void settle();
    [[nodiscard]] Toolchain toolchain(CompilerFamily family) const;
};

// The digest of a directory's sorted names; of nothing where it is no directory.
[[nodiscard]] Expected<Digest> digest_of_listing(FileSystem &files, const std::string &path);

// Whether everything that the answer depended on is still the same. Starts no process.
[[nodiscard]] bool still_holds(const ToolchainAnswer &answer, FileSystem &files, FileMemory &memory);

// A JSON text, and its inverse: nothing for a text of another version, or one that was not made here.
[[nodiscard]] std::string to_text(const ToolchainAnswer &answer);
[[nodiscard]] std::optional<ToolchainAnswer> toolchain_answer_from_text(const std::string &text);

}  // namespace scene_kernels
