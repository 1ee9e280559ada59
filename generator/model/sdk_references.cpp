#include "model/sdk_references.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/strings.h"
#include "model/fields.h"
#include "model/printable.h"
#include "model/template_text.h"

namespace scene_kernels {

namespace {

// Stand for lists of arguments and so for whole arguments only.
constexpr std::array<std::string_view, 3> k_list_placeholders{"args", "include_dirs", "objects"};
constexpr std::array<std::string_view, 3> k_step_placeholders{"source", "object", "output"};
constexpr std::array<std::string_view, 4> k_general_placeholders{"platform", "runtime", "core_type", "sdk"};

template <typename Range>
bool contains(const Range &range, std::string_view name) {
    return std::find(range.begin(), range.end(), name) != range.end();
}

// The toolchain's list of steps with that key.
const std::vector<SdkStep> &steps_of(const SdkToolchain &toolchain, std::string_view key) {
    if (key == "image") {
        return toolchain.image;
    }
    if (key == "object") {
        return toolchain.object;
    }
    return key == "library" ? toolchain.library : toolchain.program;
}

}  // namespace

bool is_reserved_placeholder(std::string_view name) {
    return contains(k_list_placeholders, name) || contains(k_step_placeholders, name) ||
           contains(k_general_placeholders, name);
}

void SdkReferences::set_scope(const std::string &toolchain, const std::string &platform) {
    m_toolchain = toolchain;
    m_platform = platform;
}

void SdkReferences::note_toolchain(const JsonValue &value, const std::string &toolchain, const std::string &platform,
                                   std::vector<std::string_view> steps) {
    m_toolchains.push_back({&value, toolchain, platform, std::move(steps)});
}

void SdkReferences::note_text(const JsonValue &value, TextPlace place) {
    const auto pieces = split_template(value.string);
    if (!pieces) {
        m_problems.add(value, pieces.error().message);
        return;
    }
    for (const TemplatePiece &piece : *pieces) {
        if (piece.part == TemplatePart::placeholder) {
            note_placeholder(value, piece.text, place, pieces->size() == 1);
        } else if (piece.part == TemplatePart::variable && place == TextPlace::fallback) {
            m_problems.add(value, "a default may not refer to variables; {sdk} is allowed");
        } else if (piece.part == TemplatePart::variable) {
            m_variables.push_back({&value, piece.text});
        }
    }
}

void SdkReferences::note_placeholder(const JsonValue &value, const std::string &name, TextPlace place, bool is_whole) {
    if (place == TextPlace::fallback) {
        if (name != "sdk") {
            m_problems.add(value, fmt::format("{{{}}} is not known here; only {{sdk}} is", name));
        }
        return;
    }
    const bool is_list = contains(k_list_placeholders, name);
    if (is_list || contains(k_step_placeholders, name)) {
        if (place != TextPlace::step_argument) {
            m_problems.add(value, fmt::format("{{{}}} is allowed in the \"args\" of a step only", name));
        } else if (is_list && !is_whole) {
            m_problems.add(value,
                           fmt::format("{{{}}} stands for several arguments and must be an argument of its own", name));
        }
        return;
    }
    if (!contains(k_general_placeholders, name)) {
        m_placeholders.push_back({&value, name, m_toolchain, m_platform});
    }
}

void SdkReferences::check(const JsonValue *default_platform) {
    if (default_platform != nullptr && !m_sdk.default_platform.empty() &&
        !m_sdk.platforms.contains(m_sdk.default_platform)) {
        m_problems.add(*default_platform, unknown_name("platform", m_sdk.default_platform, keys_of(m_sdk.platforms)));
    }
    check_variables();
    check_toolchains();
    check_placeholders();
}

void SdkReferences::check_variables() {
    const std::vector<std::string> declared = keys_of(m_sdk.variables);
    for (const VariableUse &use : m_variables) {
        if (!m_sdk.variables.contains(use.name) && !m_problems.full()) {
            m_problems.add(*use.where, unknown_name("variable", use.name, declared));
        }
    }
}

void SdkReferences::check_toolchains() {
    const std::vector<std::string> defined = keys_of(m_sdk.toolchains);
    for (const ToolchainUse &use : m_toolchains) {
        if (m_problems.full()) {
            return;
        }
        const auto toolchain = m_sdk.toolchains.find(use.toolchain);
        if (toolchain == m_sdk.toolchains.end()) {
            m_problems.add(*use.where, unknown_name("toolchain", use.toolchain, defined));
            continue;
        }
        for (const std::string_view key : use.steps) {
            if (steps_of(toolchain->second, key).empty()) {
                m_problems.add(*use.where, fmt::format("toolchain {} has no \"{}\" steps, which are needed here",
                                                       quoted(use.toolchain), key));
            }
        }
    }
}

// The platforms for which a text is expanded: its own, those that use its toolchain, or all.
std::set<std::string> SdkReferences::platforms_of(const PlaceholderUse &use) const {
    if (!use.platform.empty()) {
        return {use.platform};
    }
    std::set<std::string> all;
    for (const auto &[name, platform] : m_sdk.platforms) {
        all.insert(name);
    }
    if (use.toolchain.empty()) {
        return all;
    }
    std::set<std::string> users;
    for (const ToolchainUse &toolchain : m_toolchains) {
        if (toolchain.toolchain == use.toolchain) {
            if (toolchain.platform.empty()) {
                return all;
            }
            users.insert(toolchain.platform);
        }
    }
    return users.empty() ? all : users;
}

void SdkReferences::check_placeholders() {
    for (const PlaceholderUse &use : m_placeholders) {
        if (m_problems.full()) {
            return;
        }
        std::vector<std::string> valid(k_general_placeholders.begin(), k_general_placeholders.end());
        std::vector<std::string> lacking;
        bool is_known = false;
        for (const std::string &name : platforms_of(use)) {
            const auto platform = m_sdk.platforms.find(name);
            if (platform == m_sdk.platforms.end()) {
                continue;
            }
            for (const auto &[key, value] : platform->second.values) {
                if (!contains(valid, key)) {
                    valid.push_back(key);
                }
            }
            const bool has = platform->second.values.contains(use.name);
            is_known = is_known || has;
            if (!has) {
                lacking.push_back(quoted(name));
            }
        }
        if (!is_known) {
            m_problems.add(*use.where, unknown_name("placeholder", use.name, valid));
        } else if (!lacking.empty()) {
            m_problems.add(*use.where, fmt::format("{{{}}} is used here, but not among the \"values\" of platform {}",
                                                   use.name, join(lacking, ", ")));
        }
    }
}

}  // namespace scene_kernels
