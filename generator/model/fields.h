// Reads the fields of JSON objects against a table of their keys, and values of the simple kinds; what does not fit
// goes to Problems and reads as an empty value, so that one pass finds everything.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/json_document.h"
#include "model/problems.h"

namespace scene_kernels {

struct KeyShape {
    std::string_view name;
    bool required = false;
};

// The keys that one kind of object may have. `name` is that of its definition in the JSON schema.
struct ObjectShape {
    std::string_view name;
    std::span<const KeyShape> keys;
};

// Longest text that is read: what Linux takes as a path.
inline constexpr std::size_t k_max_text_bytes = 4095;

// One object. Reports unknown keys, missing keys and values that are no object when constructed.
class Fields {
public:
    Fields(Problems &problems, const JsonValue &value, const ObjectShape &shape);

    // The key's value, or nullptr where it is not given. `key` is one of the shape's.
    [[nodiscard]] const JsonValue *find(std::string_view key) const;
    // False where `value` was no object at all.
    [[nodiscard]] bool is_object() const { return m_value.kind == JsonKind::object; }
    [[nodiscard]] const JsonValue &value() const { return m_value; }

private:
    const JsonValue &m_value;
    [[maybe_unused]] const ObjectShape &m_shape;  // for an assertion
};

// Each reports a value of another kind. True if `value` is of `kind`.
bool expect_kind(Problems &problems, const JsonValue &value, JsonKind kind);

// Text without control characters, of at most k_max_text_bytes, and not empty unless `may_be_empty`.
[[nodiscard]] std::string read_text(Problems &problems, const JsonValue &value, bool may_be_empty = false);
[[nodiscard]] bool read_boolean(Problems &problems, const JsonValue &value);
// An integer within [lowest, highest]; `lowest` where it is not.
[[nodiscard]] int read_integer(Problems &problems, const JsonValue &value, int lowest, int highest);

// The checks that a list of texts may ask for.
struct ListRule {
    bool may_be_empty = true;
    bool distinct = false;
    bool or_single = false;  // a text alone stands for a list of it
};
// The elements as values, checked for being texts; those that are none are left out.
[[nodiscard]] std::vector<const JsonValue *> read_text_values(Problems &problems, const JsonValue &value,
                                                              const ListRule &rule = {});
[[nodiscard]] std::vector<std::string> read_texts(Problems &problems, const JsonValue &value,
                                                  const ListRule &rule = {});

// One of a table's names; the first row's value where it is none of them. `what` is for the message: "core type".
template <typename Value, std::size_t Size>
[[nodiscard]] Value read_choice(Problems &problems, const JsonValue &value, std::string_view what,
                                const std::pair<std::string_view, Value> (&table)[Size]) {
    const std::string word = read_text(problems, value);
    std::vector<std::string> valid;
    for (const auto &[name, choice] : table) {
        if (word == name) {
            return choice;
        }
        valid.emplace_back(name);
    }
    if (!word.empty()) {
        problems.add(value, unknown_name(what, word, valid));
    }
    return table[0].second;
}

template <typename Map>
[[nodiscard]] std::vector<std::string> keys_of(const Map &map) {
    std::vector<std::string> keys;
    for (const auto &entry : map) {
        keys.push_back(entry.first);
    }
    return keys;
}

}  // namespace scene_kernels
