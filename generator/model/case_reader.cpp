#include "model/case_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"
#include "model/names.h"
#include "model/printable.h"
#include "model/shapes.h"

namespace scene_kernels {

namespace {

const std::vector<std::string> k_systems{"darwin", "linux"};

constexpr ListRule k_one_or_more{.may_be_empty = false, .distinct = true, .or_single = true};

}  // namespace

Case CaseReader::read(const JsonValue &value) {
    Case result;
    const Fields fields(m_problems, value, k_case_shape);
    if (const JsonValue *name = fields.find("name")) {
        result.name = read_case_name(*name);
        m_checker.claim(*name, result.name, "case name", m_names);
    }
    if (const JsonValue *platforms = fields.find("platforms")) {
        result.platforms = read_platforms(*platforms, {.may_be_empty = false, .distinct = true});
        check_runtime(*platforms);
    }
    if (const JsonValue *manual = fields.find("manual")) {
        read_manual(*manual, result);
    }
    if (const JsonValue *skips = fields.find("skip")) {
        if (expect_kind(m_problems, *skips, JsonKind::array)) {
            for (const JsonValue &skip : skips->elements) {
                result.skip.push_back(read_skip(skip));
            }
        }
    }
    return result;
}

std::string CaseReader::read_case_name(const JsonValue &value) {
    std::string name = read_text(m_problems, value);
    if (!name.empty() && !is_selection_word(name)) {
        m_problems.add(
            value, fmt::format("{} is no valid case name; it must match {}", quoted(name), k_selection_word_pattern));
        return "";
    }
    return name;
}

std::vector<std::string> CaseReader::read_platforms(const JsonValue &value, const ListRule &rule) {
    std::vector<std::string> platforms;
    for (const JsonValue *platform : read_text_values(m_problems, value, rule)) {
        if (m_problems.full()) {
            break;
        }
        if (!m_sdk.platforms.contains(platform->string)) {
            m_problems.add(*platform, unknown_name("platform", platform->string, keys_of(m_sdk.platforms)));
            continue;
        }
        platforms.push_back(platform->string);
    }
    return platforms;
}

void CaseReader::check_runtime(const JsonValue &platforms) {
    for (const JsonValue &value : platforms.elements) {
        const auto platform = m_sdk.platforms.find(value.string);
        if (m_runtime.empty() || platform == m_sdk.platforms.end() || platform->second.runtimes.contains(m_runtime)) {
            continue;
        }
        m_problems.add(value, fmt::format("platform {} does not offer this scene's runtime {} (it offers: {})",
                                          quoted(value.string), quoted(m_runtime),
                                          join(keys_of(platform->second.runtimes), ", ")));
    }
}

void CaseReader::read_manual(const JsonValue &value, Case &result) {
    if (value.kind == JsonKind::boolean) {
        result.manual = value.boolean;
        return;
    }
    if (value.kind != JsonKind::array) {
        m_problems.add(value,
                       fmt::format("must be true, false or a list of platforms, is {}", json_kind_text(value.kind)));
        return;
    }
    result.manual_platforms = read_platforms(value, {.may_be_empty = false, .distinct = true});
    for (const JsonValue &element : value.elements) {
        const std::string &name = element.string;
        const bool listed = std::find(result.platforms.begin(), result.platforms.end(), name) != result.platforms.end();
        if (!listed && m_sdk.platforms.contains(name)) {
            m_problems.add(element, fmt::format("platform {} is not one of this case's \"platforms\"", quoted(name)));
        }
    }
}

Skip CaseReader::read_skip(const JsonValue &value) {
    Skip skip;
    const Fields fields(m_problems, value, k_skip_shape);
    if (const JsonValue *when = fields.find("when")) {
        skip.when = read_condition(*when);
    }
    if (const JsonValue *reason = fields.find("reason")) {
        skip.reason = read_text(m_problems, *reason);
    }
    return skip;
}

SkipCondition CaseReader::read_condition(const JsonValue &value) {
    SkipCondition condition;
    const Fields fields(m_problems, value, k_when_shape);
    if (fields.is_object() && value.members.empty()) {
        m_problems.add(value, "must have at least one part; leave \"when\" out to skip always");
    }
    if (const JsonValue *platform = fields.find("platform")) {
        condition.platforms = read_platforms(*platform, k_one_or_more);
    }
    if (const JsonValue *systems = fields.find("os")) {
        for (const JsonValue *system : read_text_values(m_problems, *systems, k_one_or_more)) {
            if (std::find(k_systems.begin(), k_systems.end(), system->string) == k_systems.end()) {
                m_problems.add(*system, unknown_name("operating system", system->string, k_systems));
            }
            condition.systems.push_back(system->string);
        }
    }
    if (const JsonValue *machine = fields.find("machine")) {
        condition.machines = read_texts(m_problems, *machine, k_one_or_more);
    }
    if (const JsonValue *environment = fields.find("env")) {
        read_environment(*environment, condition);
    }
    if (const JsonValue *tools = fields.find("missing_tool")) {
        for (const JsonValue *tool : read_text_values(m_problems, *tools, k_one_or_more)) {
            if (tool->string.find('/') != std::string::npos) {
                m_problems.add(*tool, quoted(tool->string) + " is a path; give the name of a program on PATH");
            }
            condition.missing_tools.push_back(tool->string);
        }
    }
    return condition;
}

void CaseReader::read_environment(const JsonValue &value, SkipCondition &condition) {
    if (!expect_kind(m_problems, value, JsonKind::object)) {
        return;
    }
    if (value.members.empty()) {
        m_problems.add(value, "must name at least one environment variable");
    }
    for (const JsonMember &variable : value.members) {
        if (!is_identifier(variable.key)) {
            m_problems.add(variable, quoted(variable.key) + " is no valid name of an environment variable");
        }
        if (variable.value.kind == JsonKind::string) {
            condition.env[variable.key] = read_text(m_problems, variable.value, true);
        } else if (variable.value.kind == JsonKind::boolean && variable.value.boolean) {
            condition.env[variable.key] = std::nullopt;
        } else {
            m_problems.add(variable.value, "must be a string, or true for \"is set\"");
        }
    }
}

}  // namespace scene_kernels
