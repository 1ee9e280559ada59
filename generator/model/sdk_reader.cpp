#include "model/sdk_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "model/description_file.h"
#include "model/load.h"
#include "model/names.h"
#include "model/printable.h"
#include "model/shapes.h"
#include "model/toolchain_reader.h"

namespace scene_kernels {

namespace {

constexpr std::pair<std::string_view, bool> k_variable_kinds[] = {{"directory", true}, {"text", false}};
// Beyond any real SDK, and small enough that sums of them cannot overflow.
constexpr int k_largest_limit = 1'000'000;

}  // namespace

SdkReader::SdkReader(Problems &problems, const std::string &path)
    : m_problems(problems), m_references(problems, m_sdk), m_texts(problems, m_references) {
    m_sdk.path = path;
    m_sdk.directory = path_parent(path);
}

Sdk SdkReader::read(const JsonValue &root) {
    const Fields fields(m_problems, root, k_sdk_shape);
    if (const JsonValue *schema = fields.find("$schema")) {
        static_cast<void>(read_text(m_problems, *schema));
    }
    if (const JsonValue *name = fields.find("name")) {
        m_sdk.name = m_texts.name(*name, "SDK name");
    }
    read_variables(fields.find("variables"));
    if (const JsonValue *environment = fields.find("environment")) {
        read_environment(*environment);
    }
    if (const JsonValue *limits = fields.find("limits")) {
        read_limits(*limits);
    }
    if (const JsonValue *packer = fields.find("packer")) {
        read_packer(*packer);
    }
    if (const JsonValue *launcher = fields.find("launcher")) {
        m_sdk.launcher = m_texts.launcher(*launcher);
    }
    ToolchainReader toolchains(m_problems, m_references, m_texts);
    m_texts.members(fields.find("toolchains"), "toolchain name", is_name,
                    [this, &toolchains](const std::string &name, const JsonMember &member) {
                        m_sdk.toolchains[name] = toolchains.read(name, member.value);
                    });
    m_texts.members(fields.find("platforms"), "platform name", is_name,
                    [this](const std::string &name, const JsonMember &member) { read_platform(name, member.value); });
    const JsonValue *const default_platform = fields.find("default_platform");
    if (default_platform != nullptr) {
        m_sdk.default_platform = m_texts.name(*default_platform, "platform name");
    }
    for (const std::string_view key : {"toolchains", "platforms"}) {
        const JsonValue *const value = fields.find(key);
        if (value != nullptr && value->kind == JsonKind::object && value->members.empty()) {
            m_problems.add(*value, "must have at least one member");
        }
    }
    m_references.check(default_platform);
    return std::move(m_sdk);
}

void SdkReader::read_variables(const JsonValue *value) {
    m_texts.members(value, "variable name", is_identifier, [this](const std::string &name, const JsonMember &member) {
        SdkVariable &variable = m_sdk.variables[name];
        variable.name = name;
        const Fields fields(m_problems, member.value, k_variable_shape);
        if (const JsonValue *environment = fields.find("environment")) {
            variable.environment = m_texts.identifier(*environment, "name of an environment variable");
        }
        if (const JsonValue *description = fields.find("description")) {
            variable.description = read_text(m_problems, *description, true);
        }
        if (const JsonValue *fallback = fields.find("default")) {
            variable.fallback = m_texts.text(*fallback, TextPlace::fallback, true);
        }
        if (const JsonValue *kind = fields.find("kind")) {
            variable.is_directory = read_choice(m_problems, *kind, "kind of variable", k_variable_kinds);
        }
    });
}

void SdkReader::read_environment(const JsonValue &value) {
    for (const JsonValue *name : read_text_values(m_problems, value, {.distinct = true})) {
        m_sdk.environment.push_back(m_texts.identifier(*name, "name of an environment variable"));
    }
}

void SdkReader::read_limits(const JsonValue &value) {
    const Fields fields(m_problems, value, k_limits_shape);
    const std::pair<std::string_view, int *> limits[] = {
        {"tensor_args_per_kernel", &m_sdk.limits.tensor_args_per_kernel},
        {"tensor_args_per_callable", &m_sdk.limits.tensor_args_per_callable},
        {"kernels_per_callable", &m_sdk.limits.kernels_per_callable},
        {"name_bytes", &m_sdk.limits.name_bytes}};
    for (const auto &[key, limit] : limits) {
        if (const JsonValue *given = fields.find(key)) {
            *limit = read_integer(m_problems, *given, 1, k_largest_limit);
        }
    }
}

void SdkReader::read_packer(const JsonValue &value) {
    m_references.set_scope("", "");
    const Fields fields(m_problems, value, k_packer_shape);
    if (const JsonValue *toolchain = fields.find("toolchain")) {
        m_sdk.packer.toolchain = m_texts.name(*toolchain, "toolchain name");
        if (!m_sdk.packer.toolchain.empty()) {
            m_references.note_toolchain(*toolchain, m_sdk.packer.toolchain, "", {"program"});
        }
    }
    if (const JsonValue *header = fields.find("header")) {
        m_sdk.packer.header = read_text(m_problems, *header);
        // It ends up between quotes in an #include.
        if (m_sdk.packer.header.find_first_of("\"<>\\") != std::string::npos) {
            m_problems.add(*header,
                           quoted(m_sdk.packer.header) + " is no name of a header; quotes, < > and \\ are not allowed");
        }
    }
    m_sdk.packer.args = m_texts.texts(fields.find("args"));
    m_sdk.packer.include_dirs = m_texts.texts(fields.find("include_dirs"));
}

void SdkReader::read_platform(const std::string &name, const JsonValue &value) {
    m_references.set_scope("", name);
    SdkPlatform platform;
    platform.name = name;
    const Fields fields(m_problems, value, k_platform_shape);
    read_values(fields.find("values"), platform);
    if (const JsonValue *required = fields.find("requires")) {
        read_requires(*required, platform);
    }
    if (const JsonValue *image = fields.find("image")) {
        platform.image = read_target(*image, k_image_target_shape, name);
    }
    if (const JsonValue *orchestration = fields.find("orchestration")) {
        platform.orchestration = read_target(*orchestration, k_orchestration_target_shape, name);
    }
    m_texts.members(fields.find("runtimes"), "runtime name", is_name,
                    [this, &platform](const std::string &runtime, const JsonMember &member) {
                        platform.runtimes[runtime] = read_runtime(runtime, member.value, platform.name);
                    });
    if (const JsonValue *symbol = fields.find("entry_symbol")) {
        platform.entry_symbol = m_texts.identifier(*symbol, "symbol");
    }
    m_sdk.platforms[name] = std::move(platform);
}

void SdkReader::read_values(const JsonValue *value, SdkPlatform &platform) {
    m_texts.members(value, "name of a value", is_identifier,
                    [this, &platform](const std::string &name, const JsonMember &member) {
                        if (is_reserved_placeholder(name)) {
                            m_problems.add(member, fmt::format("{{{}}} is defined already; choose another name", name));
                        }
                        const std::string text = read_text(m_problems, member.value, true);
                        // Values are put in place of placeholders; what they hold is not expanded again.
                        if (text.find_first_of("{}$") != std::string::npos) {
                            m_problems.add(member.value, "a value may hold no placeholders or variables");
                        }
                        platform.values[name] = text;
                    });
}

void SdkReader::read_requires(const JsonValue &value, SdkPlatform &platform) {
    for (const JsonValue *name : read_text_values(m_problems, value, {.distinct = true})) {
        m_references.note_variable(*name, name->string);
        platform.requires_variables.push_back(name->string);
    }
}

SdkTarget SdkReader::read_target(const JsonValue &value, const ObjectShape &shape, const std::string &platform) {
    SdkTarget target;
    const Fields fields(m_problems, value, shape);
    const bool is_image = &shape == &k_image_target_shape;
    if (const JsonValue *toolchain = fields.find("toolchain")) {
        target.toolchain = m_texts.name(*toolchain, "toolchain name");
        if (!target.toolchain.empty()) {
            m_references.note_toolchain(
                *toolchain, target.toolchain, platform,
                is_image ? std::vector<std::string_view>{"image"} : std::vector<std::string_view>{"object", "library"});
        }
    }
    target.args = m_texts.texts(fields.find("args"));
    if (is_image) {
        target.aic_args = m_texts.texts(fields.find("aic_args"));
        target.aiv_args = m_texts.texts(fields.find("aiv_args"));
    }
    target.include_dirs = m_texts.texts(fields.find("include_dirs"));
    return target;
}

SdkRuntime SdkReader::read_runtime(const std::string &name, const JsonValue &value, const std::string &platform) {
    SdkRuntime runtime;
    runtime.name = name;
    const Fields fields(m_problems, value, k_runtime_shape);
    if (const JsonValue *toolchain = fields.find("toolchain")) {
        runtime.toolchain = m_texts.name(*toolchain, "toolchain name");
        if (!runtime.toolchain->empty()) {
            m_references.note_toolchain(*toolchain, *runtime.toolchain, platform, {"object", "library"});
        }
    }
    runtime.args = m_texts.texts(fields.find("args"));
    runtime.include_dirs = m_texts.texts(fields.find("include_dirs"));
    runtime.image_include_dirs = m_texts.texts(fields.find("image_include_dirs"));
    runtime.sources = m_texts.texts(fields.find("sources"));
    return runtime;
}

Expected<Sdk> parse_sdk(const std::string &path, std::string_view text) {
    SK_TRY(const JsonDocument document, parse_json(path, text));
    Problems problems(document);
    if (!check_schema_version(problems, document.root)) {
        return tl::unexpected<Error>(problems.error());
    }
    Sdk sdk = SdkReader(problems, path).read(document.root);
    if (!problems.none()) {
        return tl::unexpected<Error>(problems.error());
    }
    return sdk;
}

Expected<Sdk> load_sdk(FileSystem &files, const std::string &path) {
    SK_TRY(const std::string text, read_description(files, path));
    return parse_sdk(path, text);
}

}  // namespace scene_kernels
