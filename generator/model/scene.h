// What a scene descriptor (`*.scene.json`) says, as plain values. docs/descriptors.md is the description for users.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scene_kernels {

enum class CoreType : std::uint8_t { aic = 1, aiv = 2 };  // cube, vector
enum class ArgDirection : std::uint8_t { scalar = 0, in = 1, out = 2, inout = 3 };

// "aic" and "aiv"; "scalar", "in", "out" and "inout".
[[nodiscard]] const char *to_text(CoreType type);
[[nodiscard]] const char *to_text(ArgDirection direction);

struct Incore {
    int func_id = 0;
    std::string name;  // defaults to the source's name without extension
    CoreType core_type = CoreType::aiv;
    std::string source;  // absolute and normal
    std::vector<ArgDirection> signature;
    std::vector<std::string> extra_include_dirs;  // as written; `$NAME` and `${NAME}` are not expanded yet
    std::vector<std::string> extra_inputs;        // absolute and normal; existing files
};

struct Orchestration {
    std::string source;  // absolute and normal
    std::string function_name;
    std::string config_name;
    std::vector<ArgDirection> signature;
    std::vector<std::string> extra_include_dirs;
    std::vector<std::string> extra_inputs;
};

struct Callable {
    std::string name;
    Orchestration orchestration;
    std::vector<Incore> incores;  // in the descriptor's order
};

// Every part that is given must hold for the condition to hold.
struct SkipCondition {
    std::vector<std::string> platforms;                     // empty: any
    std::vector<std::string> systems;                       // host OS: "linux", "darwin"; empty: any
    std::vector<std::string> machines;                      // host machine: "x86_64", ...; empty: any
    std::map<std::string, std::optional<std::string>> env;  // name -> value; nullopt: is set to anything
    std::vector<std::string> missing_tools;                 // holds if one of them is not on PATH
};

struct Skip {
    std::optional<SkipCondition> when;  // nothing: always
    std::string reason;
};

struct Case {
    std::string name;
    std::vector<std::string> platforms;
    bool manual = false;                        // on every platform
    std::vector<std::string> manual_platforms;  // or on these alone
    std::vector<Skip> skip;
};

struct Scene {
    std::string path;       // the descriptor, absolute and normal
    std::string directory;  // its folder
    std::string name;
    std::string runtime;
    std::vector<std::string> labels;
    std::vector<Callable> callables;
    std::vector<Case> cases;
};

}  // namespace scene_kernels
