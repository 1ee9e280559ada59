#include "model/scene_reader.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/strings.h"
#include "model/case_reader.h"
#include "model/description_file.h"
#include "model/load.h"
#include "model/names.h"
#include "model/printable.h"
#include "model/shapes.h"

namespace scene_kernels {

namespace {

constexpr std::pair<std::string_view, CoreType> k_core_types[] = {{"aic", CoreType::aic}, {"aiv", CoreType::aiv}};
constexpr std::pair<std::string_view, ArgDirection> k_directions[] = {{"in", ArgDirection::in},
                                                                      {"out", ArgDirection::out},
                                                                      {"inout", ArgDirection::inout},
                                                                      {"scalar", ArgDirection::scalar}};

// A non-empty list; nothing but problems where it is none.
const std::vector<JsonValue> &elements_of(Problems &problems, const JsonValue &value) {
    if (expect_kind(problems, value, JsonKind::array) && value.elements.empty()) {
        problems.add(value, "must have at least one element");
    }
    return value.elements;
}

std::string stem_of(std::string_view path) {
    const std::string_view name = path_name(path);
    return std::string(name.substr(0, std::max<std::size_t>(1, name.rfind('.'))));
}

}  // namespace

std::string NameChecker::read_name(const JsonValue &value, std::string_view what) {
    std::string name = read_text(m_problems, value);
    if (name.empty()) {
        return name;
    }
    if (!is_name(name)) {
        m_problems.add(value,
                       fmt::format("{} is no valid {}; it must match [A-Za-z0-9_][A-Za-z0-9_.-]*", quoted(name), what));
        return "";
    }
    check_length(value, name, what);
    return name;
}

std::string NameChecker::read_identifier(const JsonValue &value, std::string_view what, bool may_be_empty) {
    std::string name = read_text(m_problems, value, may_be_empty);
    if (name.empty()) {
        return name;
    }
    if (!is_identifier(name)) {
        m_problems.add(value, fmt::format("{} is no valid {}; it must be a C identifier", quoted(name), what));
        return "";
    }
    check_length(value, name, what);
    return name;
}

void NameChecker::claim(const JsonValue &value, const std::string &name, std::string_view what, NamesInUse &names) {
    if (name.empty()) {
        return;
    }
    const auto [first, is_new] = names.emplace(name, value.offset);
    if (!is_new) {
        m_problems.add(value,
                       fmt::format("{} {} is already used at {}", what, quoted(name), m_problems.place(first->second)));
    }
}

void NameChecker::check_length(const JsonValue &value, const std::string &name, std::string_view what) {
    const auto limit = static_cast<std::size_t>(m_sdk.limits.name_bytes);
    if (name.size() > limit) {
        m_problems.add(value, fmt::format("the {} is {} bytes long; SDK \"{}\" has room for {}", what, name.size(),
                                          m_sdk.name, limit));
    }
}

SceneReader::SceneReader(FileSystem &files, Problems &problems, const Sdk &sdk, const std::string &path)
    : m_problems(problems),
      m_sdk(sdk),
      m_names(problems, sdk),
      m_paths(files, problems, std::string(path_parent(path))),
      m_path(path) {}

Scene SceneReader::read(const JsonValue &root) {
    Scene scene;
    scene.path = m_path;
    scene.directory = path_parent(m_path);
    const Fields fields(m_problems, root, k_scene_shape);
    if (const JsonValue *schema = fields.find("$schema")) {
        static_cast<void>(read_text(m_problems, *schema));
    }
    if (const JsonValue *name = fields.find("name")) {
        scene.name = m_names.read_name(*name, "scene name");
    }
    if (const JsonValue *runtime = fields.find("runtime")) {
        scene.runtime = read_runtime(*runtime);
    }
    if (const JsonValue *labels = fields.find("labels")) {
        scene.labels = read_labels(*labels);
    }
    if (const JsonValue *callables = fields.find("callables")) {
        NamesInUse names;
        for (const JsonValue &value : elements_of(m_problems, *callables)) {
            scene.callables.push_back(read_callable(value));
            const JsonMember *const name = find_member(value, "name");
            m_names.claim(name == nullptr ? value : name->value, scene.callables.back().name, "callable name", names);
        }
    }
    if (const JsonValue *cases = fields.find("cases")) {
        CaseReader reader(m_problems, m_sdk, m_names, scene.runtime);
        for (const JsonValue &value : elements_of(m_problems, *cases)) {
            scene.cases.push_back(reader.read(value));
        }
    }
    return scene;
}

std::string SceneReader::read_runtime(const JsonValue &value) {
    std::string runtime = read_text(m_problems, value);
    std::set<std::string> offered;
    for (const auto &[name, platform] : m_sdk.platforms) {
        for (const auto &[variant, details] : platform.runtimes) {
            offered.insert(variant);
        }
    }
    if (runtime.empty() || offered.contains(runtime)) {
        return runtime;
    }
    m_problems.add(value, unknown_name("runtime", runtime, {offered.begin(), offered.end()}));
    return "";
}

std::vector<std::string> SceneReader::read_labels(const JsonValue &value) {
    std::vector<std::string> labels;
    for (const JsonValue *label : read_text_values(m_problems, value, {.distinct = true})) {
        if (!is_selection_word(label->string)) {
            m_problems.add(*label, fmt::format("{} is no valid label; it must match {}", quoted(label->string),
                                               k_selection_word_pattern));
        }
        labels.push_back(label->string);
    }
    return labels;
}

Callable SceneReader::read_callable(const JsonValue &value) {
    Callable callable;
    const Fields fields(m_problems, value, k_callable_shape);
    if (const JsonValue *name = fields.find("name")) {
        callable.name = m_names.read_name(*name, "callable name");
    }
    if (const JsonValue *orchestration = fields.find("orchestration")) {
        callable.orchestration = read_orchestration(*orchestration);
    }
    if (const JsonValue *incores = fields.find("incores")) {
        NamesInUse names;
        NamesInUse func_ids;
        for (const JsonValue &incore : elements_of(m_problems, *incores)) {
            callable.incores.push_back(read_incore(incore, names, func_ids));
        }
        if (callable.incores.size() > static_cast<std::size_t>(m_sdk.limits.kernels_per_callable)) {
            m_problems.add(*incores,
                           fmt::format("has {} kernels; SDK \"{}\" takes at most {} per callable",
                                       callable.incores.size(), m_sdk.name, m_sdk.limits.kernels_per_callable));
        }
    }
    return callable;
}

Orchestration SceneReader::read_orchestration(const JsonValue &value) {
    Orchestration orchestration;
    const Fields fields(m_problems, value, k_orchestration_shape);
    if (const JsonValue *source = fields.find("source")) {
        orchestration.source = m_paths.source(*source);
    }
    if (const JsonValue *name = fields.find("function_name")) {
        orchestration.function_name = m_names.read_identifier(*name, "function name", false);
    }
    if (const JsonValue *name = fields.find("config_name")) {
        orchestration.config_name = m_names.read_identifier(*name, "config name", true);
    }
    if (const JsonValue *signature = fields.find("signature")) {
        orchestration.signature = read_signature(*signature, m_sdk.limits.tensor_args_per_callable, "callable");
    }
    if (const JsonValue *directories = fields.find("extra_include_dirs")) {
        orchestration.extra_include_dirs = read_texts(m_problems, *directories);
    }
    if (const JsonValue *inputs = fields.find("extra_inputs")) {
        orchestration.extra_inputs = read_files(*inputs);
    }
    return orchestration;
}

Incore SceneReader::read_incore(const JsonValue &value, NamesInUse &names, NamesInUse &func_ids) {
    Incore incore;
    const Fields fields(m_problems, value, k_incore_shape);
    if (const JsonValue *func_id = fields.find("func_id")) {
        incore.func_id = read_integer(m_problems, *func_id, 0, std::numeric_limits<std::int32_t>::max());
        if (func_id->kind == JsonKind::integer && func_id->integer == incore.func_id) {
            m_names.claim(*func_id, std::to_string(incore.func_id), "func_id", func_ids);
        }
    }
    if (const JsonValue *type = fields.find("core_type")) {
        incore.core_type = read_choice(m_problems, *type, "core type", k_core_types);
    }
    if (const JsonValue *source = fields.find("source")) {
        incore.source = m_paths.source(*source);
    }
    read_incore_name(fields, incore, names);
    if (const JsonValue *signature = fields.find("signature")) {
        incore.signature = read_signature(*signature, m_sdk.limits.tensor_args_per_kernel, "kernel");
    }
    if (const JsonValue *directories = fields.find("extra_include_dirs")) {
        incore.extra_include_dirs = read_texts(m_problems, *directories);
    }
    if (const JsonValue *inputs = fields.find("extra_inputs")) {
        incore.extra_inputs = read_files(*inputs);
    }
    return incore;
}

void SceneReader::read_incore_name(const Fields &fields, Incore &incore, NamesInUse &names) {
    if (const JsonValue *name = fields.find("name")) {
        incore.name = m_names.read_name(*name, "kernel name");
        m_names.claim(*name, incore.name, "kernel name", names);
        return;
    }
    if (incore.source.empty()) {
        return;
    }
    const JsonValue &source = *fields.find("source");
    incore.name = stem_of(incore.source);
    if (!is_name(incore.name)) {
        m_problems.add(source, "the file's name gives no valid kernel name; add a \"name\" to this kernel");
        return;
    }
    m_names.check_length(source, incore.name, "kernel name (from the file's name)");
    m_names.claim(source, incore.name, "without a \"name\" this kernel is called after its file, and kernel name",
                  names);
}

std::vector<ArgDirection> SceneReader::read_signature(const JsonValue &value, int limit, std::string_view per) {
    std::vector<ArgDirection> signature;
    if (!expect_kind(m_problems, value, JsonKind::array)) {
        return signature;
    }
    for (const JsonValue &direction : value.elements) {
        if (m_problems.full()) {
            return signature;
        }
        signature.push_back(read_choice(m_problems, direction, "direction", k_directions));
    }
    const auto scalars = std::count(signature.begin(), signature.end(), ArgDirection::scalar);
    const auto tensors = std::ssize(signature) - scalars;
    if (tensors > limit) {
        m_problems.add(value, fmt::format("has {} tensor arguments; SDK \"{}\" takes at most {} per {}", tensors,
                                          m_sdk.name, limit, per));
    } else if (std::ssize(signature) > limit) {
        m_problems.add(value, fmt::format("has {} entries; SDK \"{}\" has room for {} per {}, scalars included",
                                          signature.size(), m_sdk.name, limit, per));
    }
    return signature;
}

std::vector<std::string> SceneReader::read_files(const JsonValue &value) {
    std::vector<std::string> paths;
    if (expect_kind(m_problems, value, JsonKind::array)) {
        for (const JsonValue &element : value.elements) {
            paths.push_back(m_paths.file(element));
        }
    }
    return paths;
}

Expected<Scene> load_scene(FileSystem &files, const std::string &path, const Sdk &sdk) {
    SK_TRY(const std::string text, read_description(files, path));
    SK_TRY(const JsonDocument document, parse_json(path, text));
    Problems problems(document);
    if (!check_schema_version(problems, document.root)) {
        return tl::unexpected<Error>(problems.error());
    }
    Scene scene = SceneReader(files, problems, sdk, path).read(document.root);
    if (!problems.none()) {
        return tl::unexpected<Error>(problems.error());
    }
    return scene;
}

}  // namespace scene_kernels
