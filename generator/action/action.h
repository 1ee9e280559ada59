// One step of the graph that yields one artifact, with everything that is known about it before it runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "action/kinds.h"
#include "base/sha256.h"
#include "model/scene.h"
#include "model/sdk.h"

namespace scene_kernels {

// Tokens inside a command's words that `build` replaces when it knows where it works. U+0002 occurs in no path or
// option: descriptions refuse control characters.
inline constexpr const char *k_output_token = "\x02output\x02";
inline constexpr const char *k_object_token = "\x02object\x02";
inline constexpr const char *k_objects_token = "\x02objects\x02";  // a word of its own; becomes one word per object
inline constexpr const char *k_depfile_token =
    "\x02"
    "depfile\x02";
inline constexpr const char *k_link_depfile_token =
    "\x02"
    "linkdep\x02";
inline constexpr const char *k_assembler_depfile_token =
    "\x02"
    "asmdep\x02";

struct ActionStep {
    std::vector<std::string> argv;      // argv[0] is an absolute path
    std::vector<std::string> key_argv;  // the same as keys hold it; not serialized
    CompilerFamily family = CompilerFamily::plain;
    bool is_compiler = false;  // else a declared program, such as a linker
    bool reads_sources = false;
    bool reads_libraries = false;
    bool asks_assembler = false;                   // the assembler was asked for a depfile too
    std::string extract;                           // not a command: this section of the image becomes the output
    std::vector<std::string> library_directories;  // command paths, searched by the linker in this order
    std::vector<std::string> named_files;          // absolute: what its options name; not serialized
    std::vector<std::string> absent_files;         // absolute: what they may name and is not there; not serialized
};

// One kernel of a packed callable; `dependency` is its place in Action::dependencies.
struct PackChild {
    int func_id = 0;
    std::string name;
    CoreType core_type = CoreType::aiv;
    std::vector<ArgDirection> signature;
    std::size_t dependency = 0;
};

// What the packer is told beside the bytes.
struct PackSpec {
    std::string function_name;
    std::string config_name;
    std::vector<ArgDirection> signature;
    std::vector<PackChild> children;
    std::size_t library = 0;  // places in Action::dependencies
    std::size_t packer = 0;
};

struct Action {
    std::string name;  // "<kind>/<...>": also the name of its ref below refs/
    ActionKind kind = ActionKind::image;
    std::string description;  // for Ninja's status line: "AIV vector_example/add"
    std::string platform;
    std::string runtime;  // empty where nothing depends on it
    Digest recipe;        // see recipe.h
    std::string error;    // why it cannot be built at all (an unset variable, say); empty if it can
    std::vector<ActionStep> steps;
    std::vector<std::string> dependencies;  // names of the actions whose outputs it uses; order matters
    std::string source;                     // logical path of the source; empty for libraries and callables
    std::vector<std::string> inputs;        // logical paths of further files that count by content
    std::vector<std::string> named_files;   // logical paths of files that its options name: they count likewise
    std::vector<std::string> users;         // "scene/callable: kernel name", for messages; sorted
    std::string entry_symbol;               // what the output must define; empty: nothing is checked
    std::string machine;                    // ELF machine of the output; empty: the host's
    Digest fingerprint;                     // of the toolchain
    CompilerFamily family = CompilerFamily::plain;
    std::string compiler;  // absolute path; empty for callables
    Launcher launcher = Launcher::none;
    std::map<std::string, std::string> environment;  // allowed variables that are set: name -> value
    std::optional<PackSpec> pack;
};

}  // namespace scene_kernels
