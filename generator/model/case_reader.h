// Reads the cases of a descriptor: platforms, manual marks and skip conditions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/fields.h"
#include "model/scene.h"
#include "model/scene_reader.h"
#include "model/sdk.h"

namespace scene_kernels {

class CaseReader {
public:
    // `runtime` is the scene's; empty where that is not known.
    CaseReader(Problems &problems, const Sdk &sdk, NameChecker &checker, const std::string &runtime)
        : m_problems(problems), m_sdk(sdk), m_checker(checker), m_runtime(runtime) {}

    // One element of "cases"; its name must differ from those read before.
    [[nodiscard]] Case read(const JsonValue &value);

private:
    [[nodiscard]] std::string read_case_name(const JsonValue &value);
    [[nodiscard]] std::vector<std::string> read_platforms(const JsonValue &value, const ListRule &rule);
    void check_runtime(const JsonValue &platforms);
    void read_manual(const JsonValue &value, Case &result);
    [[nodiscard]] Skip read_skip(const JsonValue &value);
    [[nodiscard]] SkipCondition read_condition(const JsonValue &value);
    void read_environment(const JsonValue &value, SkipCondition &condition);

    Problems &m_problems;
    const Sdk &m_sdk;
    NameChecker &m_checker;
    const std::string &m_runtime;
    NamesInUse m_names;
};

}  // namespace scene_kernels
