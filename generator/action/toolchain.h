// The identity of a toolchain, by content: which programs and libraries really run, and the digest of all of them.
//
// Asking a compiler costs processes, so what it said is remembered (ToolchainMemory, in the store) together with what
// that answer depended on; a remembered answer that still holds needs no process. Knows nothing of scenes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "action/file_memory.h"
#include "base/error.h"
#include "base/sha256.h"
#include "model/sdk.h"
#include "os/filesystem.h"
#include "os/process.h"

namespace scene_kernels {

// What to identify. Everything in here decides the answer.
struct ToolchainQuery {
    std::string name;      // of the row, for messages
    std::string compiler;  // absolute path, symlinks not resolved (gcc looks beside argv[0])
    CompilerFamily family = CompilerFamily::gcc;
    std::vector<std::string> args;      // options that may select programs or specs: all options of the row and target
    std::vector<std::string> programs;  // further programs that its steps run: absolute paths
    std::vector<std::string> wraps;     // what a script runs, declared by the row: absolute paths; their content counts
    std::vector<std::string>
        named_files;          // what `args` name, absolute: specs decide the answer, plugins are part of it
    std::string search_path;  // the PATH that commands run with
    std::map<std::string, std::string> environment;  // the rest of what commands run with
    std::string directory;                           // where commands run: the source root
};

struct Toolchain {
    Digest fingerprint;
    std::string version;              // the first line of --version
    std::string machine;              // -dumpmachine; empty for `plain`
    std::vector<std::string> files;   // all files whose content is in the fingerprint; sorted
    std::vector<std::string> absent;  // paths whose appearance would change the answer; sorted
    std::vector<std::string>
        library_directories;  // where the link driver searches, in order, as the driver prints them
};

// Remembered answers: a small key-value store of texts. Losing one costs time only.
class ToolchainMemory {
public:
    virtual ~ToolchainMemory() = default;
    [[nodiscard]] virtual std::optional<std::string> get(const Digest &key) = 0;
    virtual void put(const Digest &key, const std::string &text) = 0;
};

// Looks `program` up along `search_path` as execvp does (empty entries mean "."; they are skipped here). Paths with a
// slash are returned as they are if executable. Nothing where it is not there.
[[nodiscard]] std::optional<std::string> find_program(FileSystem &files, const std::string &program,
                                                      const std::string &search_path);

// The fingerprint covers, by content: the real compiler, the programs it runs (gcc: cc1plus, cc1, collect2, lto1,
// lto-wrapper, liblto_plugin.so, as, and the linker that -fuse-ld selects; clang: what `-###` shows), the declared
// programs and wrapped files, the shared libraries that each of those loads; --version and -dumpmachine; and the
// absence of gcc `specs` files, clang configuration files, and of earlier candidates on PATH for programs found along
// it. A script (#!) as compiler or program without `wraps` is an error. What cannot be fingerprinted is an error.
[[nodiscard]] Expected<Toolchain> identify_toolchain(FileSystem &files, ProcessRunner &processes, FileMemory &memory,
                                                     ToolchainMemory &answers, const ToolchainQuery &query);

// The directories that the driver searches for headers when run with `args` (which should hold -I, -isystem, -iquote,
// -idirafter, --sysroot, -nostdinc, -stdlib=...), from `-E -v -x c++ /dev/null`. `elsewhere` has those that it reports
// as missing or duplicate, `missing` the former alone. As printed: relative ones are relative to query.directory.
struct HeaderDirectories {
    std::vector<std::string> quote;
    std::vector<std::string> directories;
    std::vector<std::string> elsewhere;
    std::vector<std::string> missing;
};
[[nodiscard]] Expected<HeaderDirectories> ask_header_directories(ProcessRunner &processes, const ToolchainQuery &query,
                                                                 const std::vector<std::string> &args);

}  // namespace scene_kernels
