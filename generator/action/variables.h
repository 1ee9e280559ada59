// Values of an SDK's variables and of environment variables in `extra_include_dirs`, and the roots that they make.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "action/expand.h"
#include "action/roots.h"
#include "base/error.h"
#include "model/scene.h"
#include "model/sdk.h"

namespace scene_kernels {

using EnvironmentLookup = std::function<std::optional<std::string>(const std::string &name)>;

class Variables {
public:
    // `set` holds what `--set NAME=VALUE` gave; `environment` is asked where a variable names one.
    Variables(const Sdk &sdk, std::map<std::string, std::string> set, EnvironmentLookup environment);

    // Names in `set` that the SDK does not declare, with the nearest one; and variables that `platform` requires but
    // that have no value. Kind input.
    [[nodiscard]] Expected<void> check(const SdkPlatform &platform) const;

    // The value of a declared variable; of an undeclared one, the environment's.
    [[nodiscard]] std::optional<std::string> value(const std::string &name) const;
    [[nodiscard]] bool is_directory(const std::string &name) const;

    // The roots of all directory variables that have a value, and of every undeclared name that `scenes` use in
    // extra_include_dirs. Relative values start at `source_root`.
    [[nodiscard]] std::vector<Root> roots(const std::vector<Scene> &scenes, const std::string &source_root) const;

    // For Expander: directories are spelled by `roots`, other values as they are. `roots` outlives the result.
    [[nodiscard]] VariableLookup lookup(const Roots &roots) const;

private:
    [[nodiscard]] Error unset(const std::string &name) const;

    const Sdk *m_sdk;
    std::map<std::string, std::string> m_set;
    EnvironmentLookup m_environment;
};

}  // namespace scene_kernels
