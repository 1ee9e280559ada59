#include <fmt/format.h>

#include "base/strings.h"
#include "model/names.h"
#include "model/printable.h"
#include "model/sdk_reader.h"

namespace scene_kernels {

namespace {

constexpr std::pair<std::string_view, Launcher> k_launchers[] = {{"none", Launcher::none},
                                                                 {"ccache", Launcher::ccache}};

}  // namespace

std::string SdkTexts::text(const JsonValue &value, TextPlace place, bool may_be_empty) {
    std::string text = read_text(m_problems, value, may_be_empty);
    if (!text.empty()) {
        m_references.note_text(value, place);
    }
    return text;
}

std::vector<std::string> SdkTexts::texts(const JsonValue *value, TextPlace place) {
    std::vector<std::string> texts;
    if (value == nullptr) {
        return texts;
    }
    for (const JsonValue *element : read_text_values(m_problems, *value)) {
        if (m_problems.full()) {
            break;
        }
        m_references.note_text(*element, place);
        texts.push_back(element->string);
    }
    return texts;
}

std::string SdkTexts::program(const JsonValue &value) {
    std::string program = text(value);
    const bool may_be_absolute = is_absolute(program) || program.starts_with("${") || program.starts_with("{");
    if (!may_be_absolute && program.find('/') != std::string::npos) {
        m_problems.add(value,
                       fmt::format("{} is neither absolute nor a name to look up on PATH; a path relative to this "
                                   "file starts with {{sdk}}/",
                                   quoted(program)));
    }
    return program;
}

std::string SdkTexts::name(const JsonValue &value, std::string_view what) {
    std::string name = read_text(m_problems, value);
    if (!name.empty() && !is_name(name)) {
        m_problems.add(value, fmt::format("{} is no valid {}", quoted(name), what));
        return "";
    }
    return name;
}

std::string SdkTexts::identifier(const JsonValue &value, std::string_view what) {
    std::string name = read_text(m_problems, value);
    if (!name.empty() && !is_identifier(name)) {
        m_problems.add(value, fmt::format("{} is no valid {}", quoted(name), what));
        return "";
    }
    return name;
}

void SdkTexts::members(const JsonValue *value, std::string_view what, bool (*is_valid)(std::string_view),
                       const std::function<void(const std::string &, const JsonMember &)> &read) {
    if (value == nullptr || !expect_kind(m_problems, *value, JsonKind::object)) {
        return;
    }
    for (const JsonMember &member : value->members) {
        if (m_problems.full()) {
            return;
        }
        if (!is_valid(member.key)) {
            m_problems.add(member, fmt::format("{} is no valid {}", quoted(member.key), what));
            continue;
        }
        read(member.key, member);
    }
}

Launcher SdkTexts::launcher(const JsonValue &value) {
    return read_choice(m_problems, value, "launcher", k_launchers);
}

}  // namespace scene_kernels
