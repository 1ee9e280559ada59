// What the parts of an SDK description say about each other (toolchains, variables, placeholders), noted while they are
// read and checked when all of them are known.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/problems.h"
#include "model/sdk.h"

namespace scene_kernels {

// Where a text stands decides which placeholders it may hold.
enum class TextPlace : std::uint8_t {
    step_argument,  // also {args}, {source}, ...
    general,        // {platform}, {sdk}, ... and the platform's own values
    fallback,       // {sdk} alone: it is read before any platform is chosen
};

class SdkReferences {
public:
    SdkReferences(Problems &problems, const Sdk &sdk) : m_problems(problems), m_sdk(sdk) {}

    // Texts that are noted from now on belong to this toolchain or platform; both empty: to every platform.
    void set_scope(const std::string &toolchain, const std::string &platform);
    // Notes the variables and placeholders in a text; reports malformed ones.
    void note_text(const JsonValue &value, TextPlace place);
    // Notes that a variable is required by name.
    void note_variable(const JsonValue &value, const std::string &name) { m_variables.push_back({&value, name}); }
    // Notes that `platform` (empty: every one) needs `toolchain` with these lists of steps: "image", "library", ...
    void note_toolchain(const JsonValue &value, const std::string &toolchain, const std::string &platform,
                        std::vector<std::string_view> steps);

    // Reports what does not hold. `default_platform` is null where it was not given.
    void check(const JsonValue *default_platform);

private:
    struct VariableUse {
        const JsonValue *where;
        std::string name;
    };
    struct PlaceholderUse {
        const JsonValue *where;
        std::string name;
        std::string toolchain;
        std::string platform;
    };
    struct ToolchainUse {
        const JsonValue *where;
        std::string toolchain;
        std::string platform;
        std::vector<std::string_view> steps;
    };

    void note_placeholder(const JsonValue &value, const std::string &name, TextPlace place, bool is_whole);
    void check_variables();
    void check_toolchains();
    void check_placeholders();
    [[nodiscard]] std::set<std::string> platforms_of(const PlaceholderUse &use) const;

    Problems &m_problems;
    const Sdk &m_sdk;
    std::string m_toolchain;
    std::string m_platform;
    std::vector<VariableUse> m_variables;
    std::vector<PlaceholderUse> m_placeholders;
    std::vector<ToolchainUse> m_toolchains;
};

// True for names that `values` may not define.
[[nodiscard]] bool is_reserved_placeholder(std::string_view name);

}  // namespace scene_kernels
