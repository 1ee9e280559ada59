// What an SDK description (`*.sdk.json`) says, as plain values: everything that scenes are compiled against.
// docs/sdk.md is the description for users. Texts may hold placeholders, `{name}` and `${VARIABLE}`; they are expanded
// by generator/action, and `{{`, `}}` and `$$` stand for the characters themselves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scene_kernels {

// How a compiler is asked what it is and what it read. `plain` knows only the program itself and the files its row
// names.
enum class CompilerFamily : std::uint8_t { gcc = 1, clang = 2, plain = 3 };
enum class Launcher : std::uint8_t { none = 0, ccache = 1 };

struct SdkCompiler {
    std::string program;  // absolute (after expansion), or a name that is looked up on PATH
    CompilerFamily family = CompilerFamily::gcc;
    std::vector<std::string> args;   // options that this compiler alone gets, before all others (`{args}` holds them)
    std::vector<std::string> wraps;  // the files that a script used as compiler runs; empty: a script is refused
};

// One command, or one extraction. Which files a command reads decides how its closure is found.
struct SdkStep {
    std::string run;  // "compiler", or a name from the toolchain's `programs`; empty for `extract`
    std::vector<std::string> args;
    bool reads_sources = false;    // a depfile is asked for with -MD
    bool reads_libraries = false;  // a depfile is asked for with --dependency-file (through the driver with -Wl)
    std::string extract;           // section whose bytes become the output, such as ".text"
};

struct SdkToolchain {
    std::string name;
    std::vector<SdkCompiler> compilers;           // in order of preference; the first that is there is used
    std::map<std::string, std::string> programs;  // further programs by name, such as "linker"; paths or PATH names
    std::optional<Launcher> launcher;             // this row's default
    std::vector<SdkStep> image;                   // source -> kernel image
    std::vector<SdkStep> object;                  // source -> object
    std::vector<SdkStep> library;                 // objects -> orchestration library
    std::vector<SdkStep> program;                 // source -> host program (the packer)
    std::string machine;                          // ELF machine of its outputs ("x86_64", "aarch64"); empty: the host's
};

// How one kind of source is compiled on one platform.
struct SdkTarget {
    std::string toolchain;
    std::vector<std::string> args;
    std::vector<std::string> aic_args;  // only for images
    std::vector<std::string> aiv_args;
    std::vector<std::string> include_dirs;
};

// One runtime variant on one platform: what an orchestration gets beside the platform's own.
struct SdkRuntime {
    std::string name;
    std::optional<std::string> toolchain;         // instead of the orchestration target's
    std::vector<std::string> args;                // for orchestrations and the variant's sources
    std::vector<std::string> include_dirs;        // before the orchestration target's
    std::vector<std::string> image_include_dirs;  // for images of this variant, behind the image target's
    std::vector<std::string> sources;             // compiled once, linked into every orchestration library
};

struct SdkPlatform {
    std::string name;
    std::map<std::string, std::string> values;    // further placeholders, such as "arch"
    std::vector<std::string> requires_variables;  // names that must have a value for this platform
    SdkTarget image;
    SdkTarget orchestration;
    std::map<std::string, SdkRuntime> runtimes;
    std::string entry_symbol = "kernel_entry";  // what every kernel image must define
};

// A value that the user gives with `--set NAME=VALUE` or the environment.
struct SdkVariable {
    std::string name;
    std::string environment;  // the environment variable that is read where `--set` gives none; empty: none
    std::string description;
    std::optional<std::string> fallback;
    bool is_directory = true;  // a named root: its path never reaches a key
};

struct SdkLimits {
    int tensor_args_per_kernel = 32;
    int tensor_args_per_callable = 256;
    int kernels_per_callable = 1024;
    int name_bytes = 63;
};

// How the packer program is built: see generator/pack/.
struct SdkPacker {
    std::string toolchain;
    std::string header;  // what the packer includes, such as "callable.h"
    std::vector<std::string> args;
    std::vector<std::string> include_dirs;
};

struct Sdk {
    std::string path;       // the description, absolute and normal
    std::string directory;  // its folder; relative paths in it start there, and `{sdk}` stands for it
    std::string name;
    std::map<std::string, SdkVariable> variables;
    std::vector<std::string> environment;  // names of environment variables that commands may see
    SdkLimits limits;
    SdkPacker packer;
    std::map<std::string, SdkToolchain> toolchains;
    std::map<std::string, SdkPlatform> platforms;
    std::string default_platform;
    Launcher launcher = Launcher::none;
};

}  // namespace scene_kernels
