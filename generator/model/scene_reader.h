// Turns a parsed descriptor into a Scene, reporting all that is wrong with it; the cases have their own reader.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/fields.h"
#include "model/scene.h"
#include "model/scene_paths.h"
#include "model/sdk.h"

namespace scene_kernels {

// Names that must differ from each other within one list, with where each was first given.
using NamesInUse = std::map<std::string, std::size_t>;

// The checks on names that callables, kernels and cases share.
class NameChecker {
public:
    NameChecker(Problems &problems, const Sdk &sdk) : m_problems(problems), m_sdk(sdk) {}

    // A name as is_name has it. `what` is for the message: "callable name".
    [[nodiscard]] std::string read_name(const JsonValue &value, std::string_view what);
    // A C identifier; empty only if `may_be_empty`.
    [[nodiscard]] std::string read_identifier(const JsonValue &value, std::string_view what, bool may_be_empty);
    // Reports a name that is in use already.
    void claim(const JsonValue &value, const std::string &name, std::string_view what, NamesInUse &names);
    // Reports names with more bytes than the SDK has room for.
    void check_length(const JsonValue &value, const std::string &name, std::string_view what);

private:
    Problems &m_problems;
    const Sdk &m_sdk;
};

class SceneReader {
public:
    SceneReader(FileSystem &files, Problems &problems, const Sdk &sdk, const std::string &path);

    // What could be read; complete only if `problems` has none.
    [[nodiscard]] Scene read(const JsonValue &root);

private:
    [[nodiscard]] std::string read_runtime(const JsonValue &value);
    [[nodiscard]] std::vector<std::string> read_labels(const JsonValue &value);
    [[nodiscard]] Callable read_callable(const JsonValue &value);
    [[nodiscard]] Orchestration read_orchestration(const JsonValue &value);
    [[nodiscard]] Incore read_incore(const JsonValue &value, NamesInUse &names, NamesInUse &func_ids);
    void read_incore_name(const Fields &fields, Incore &incore, NamesInUse &names);
    [[nodiscard]] std::vector<ArgDirection> read_signature(const JsonValue &value, int limit, std::string_view per);
    [[nodiscard]] std::vector<std::string> read_files(const JsonValue &value);

    Problems &m_problems;
    const Sdk &m_sdk;
    NameChecker m_names;
    ScenePaths m_paths;
    std::string m_path;
};

}  // namespace scene_kernels
