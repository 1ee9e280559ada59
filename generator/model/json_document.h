// A JSON text with comments as a tree in which every value knows where it stands; knows nothing of what the keys mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace scene_kernels {

// Bounds that keep a hostile text from exhausting stack or memory.
inline constexpr std::size_t k_max_json_depth = 64;
inline constexpr std::size_t k_max_json_values = std::size_t{1} << 20U;

enum class JsonKind : std::uint8_t { null, boolean, integer, number, string, array, object };

struct JsonMember;

// `offset` is where the value's first byte stands in the text. Only the field that `kind` names is set; a `number` is
// one that is no 64-bit signed integer, and its value is not kept because no description needs it.
struct JsonValue {
    JsonKind kind = JsonKind::null;
    bool boolean = false;
    std::size_t offset = 0;
    std::int64_t integer = 0;
    std::string string;
    std::vector<JsonValue> elements;
    std::vector<JsonMember> members;  // in the text's order; may hold a key twice, see JsonDocument::repeated_keys
};

struct JsonMember {
    std::string key;
    std::size_t key_offset = 0;
    JsonValue value;
};

struct RepeatedKey {
    std::size_t offset = 0;        // of the later one
    std::size_t first_offset = 0;  // of the first one
};

struct JsonDocument {
    std::string path;  // for messages
    std::string text;
    JsonValue root;
    std::vector<RepeatedKey> repeated_keys;
};

// Comments (// and /* */) and a byte order mark are allowed, otherwise strict JSON in UTF-8. The error is of kind input
// and reads "PATH:LINE:COLUMN: cause".
[[nodiscard]] Expected<JsonDocument> parse_json(const std::string &path, std::string_view text);

// The first member of an object with that key; nullptr if there is none, or `value` is no object.
[[nodiscard]] const JsonMember *find_member(const JsonValue &value, std::string_view key);

// "LINE:COLUMN" of a byte, both from 1; columns count characters, not bytes.
[[nodiscard]] std::string line_and_column(std::string_view text, std::size_t offset);

// The JSON pointer (RFC 6901) of the value or key that stands at `offset`; empty for the root. Control characters in
// keys are shown as escapes.
[[nodiscard]] std::string json_pointer(const JsonValue &root, std::size_t offset);

// "a string", "an object", ...
[[nodiscard]] const char *json_kind_text(JsonKind kind);

}  // namespace scene_kernels
