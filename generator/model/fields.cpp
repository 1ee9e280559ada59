#include "model/fields.h"

#include <algorithm>
#include <cassert>
#include <set>

#include <fmt/format.h>

#include "model/printable.h"

namespace scene_kernels {

Fields::Fields(Problems &problems, const JsonValue &value, const ObjectShape &shape) : m_value(value), m_shape(shape) {
    if (!expect_kind(problems, value, JsonKind::object)) {
        return;
    }
    std::vector<std::string> valid;
    for (const KeyShape &key : shape.keys) {
        valid.emplace_back(key.name);
        if (key.required && find(key.name) == nullptr) {
            problems.add(value, fmt::format("the required key \"{}\" is missing", key.name));
        }
    }
    for (const JsonMember &member : value.members) {
        if (problems.full()) {
            return;
        }
        if (std::find(valid.begin(), valid.end(), member.key) == valid.end()) {
            problems.add(member, unknown_name("key", member.key, valid));
        }
    }
}

const JsonValue *Fields::find(std::string_view key) const {
    assert(std::any_of(m_shape.keys.begin(), m_shape.keys.end(), [key](const KeyShape &it) { return it.name == key; }));
    const JsonMember *const member = find_member(m_value, key);
    return member == nullptr ? nullptr : &member->value;
}

bool expect_kind(Problems &problems, const JsonValue &value, JsonKind kind) {
    if (value.kind == kind) {
        return true;
    }
    problems.add(value, fmt::format("must be {}, is {}", json_kind_text(kind), json_kind_text(value.kind)));
    return false;
}

std::string read_text(Problems &problems, const JsonValue &value, bool may_be_empty) {
    if (!expect_kind(problems, value, JsonKind::string)) {
        return "";
    }
    const std::string &text = value.string;
    if (text.empty() && !may_be_empty) {
        problems.add(value, "must not be empty");
    } else if (text.size() > k_max_text_bytes) {
        problems.add(value, fmt::format("is {} bytes long; at most {} are taken", text.size(), k_max_text_bytes));
        return "";
    } else if (find_control(text) != std::string::npos) {
        problems.add(value, fmt::format("{} holds a control character; none can be used here", quoted(text)));
        return "";
    }
    return text;
}

bool read_boolean(Problems &problems, const JsonValue &value) {
    return expect_kind(problems, value, JsonKind::boolean) && value.boolean;
}

int read_integer(Problems &problems, const JsonValue &value, int lowest, int highest) {
    const bool too_large = value.kind == JsonKind::number;
    if (!too_large && !expect_kind(problems, value, JsonKind::integer)) {
        return lowest;
    }
    if (too_large || value.integer < lowest || value.integer > highest) {
        problems.add(value, fmt::format("must be an integer from {} to {}", lowest, highest));
        return lowest;
    }
    return static_cast<int>(value.integer);
}

std::vector<const JsonValue *> read_text_values(Problems &problems, const JsonValue &value, const ListRule &rule) {
    std::vector<const JsonValue *> values;
    if (rule.or_single && value.kind == JsonKind::string) {
        if (!read_text(problems, value).empty()) {
            values.push_back(&value);
        }
        return values;
    }
    if (!expect_kind(problems, value, JsonKind::array)) {
        return values;
    }
    if (value.elements.empty() && !rule.may_be_empty) {
        problems.add(value, "must have at least one element");
    }
    std::set<std::string_view> seen;
    for (const JsonValue &element : value.elements) {
        if (read_text(problems, element).empty()) {
            continue;
        }
        if (rule.distinct && !seen.insert(element.string).second) {
            problems.add(element, quoted(element.string) + " is listed twice");
            continue;
        }
        values.push_back(&element);
    }
    return values;
}

std::vector<std::string> read_texts(Problems &problems, const JsonValue &value, const ListRule &rule) {
    std::vector<std::string> texts;
    for (const JsonValue *element : read_text_values(problems, value, rule)) {
        texts.push_back(element->string);
    }
    return texts;
}

}  // namespace scene_kernels
