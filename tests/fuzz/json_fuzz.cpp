// Any bytes as JSON with comments: every value and key stands where the tree says, and the pointer to it leads back.
#include "fuzz_check.h"
#include "model/json_document.h"

namespace scene_kernels {

namespace {

constexpr const char *k_path = "/scenes/x.json";

char first_byte_of(JsonKind kind) {
    switch (kind) {
        case JsonKind::null:
            return 'n';
        case JsonKind::string:
            return '"';
        case JsonKind::array:
            return '[';
        case JsonKind::object:
            return '{';
        default:
            return '\0';  // several are possible
    }
}

class TreeChecker {
public:
    explicit TreeChecker(const JsonDocument &document) : m_document(document) {}

    void visit(const JsonValue &value, std::size_t depth) {
        check(depth <= k_max_json_depth, "the bound on nesting");
        check(value.offset >= m_least && value.offset < m_document.text.size(), "values stand in order");
        m_least = value.offset;
        const char first = first_byte_of(value.kind);
        check(first == '\0' || m_document.text[value.offset] == first, "a value is where the tree says");
        for (const JsonValue &element : value.elements) {
            visit(element, depth + 1);
        }
        for (const JsonMember &member : value.members) {
            check(member.key_offset >= m_least && m_document.text[member.key_offset] == '"', "a key is where it says");
            m_least = member.key_offset;
            check(
                json_pointer(m_document.root, member.key_offset) == json_pointer(m_document.root, member.value.offset),
                "key and value have one pointer");
            check(find_member(value, member.key) != nullptr, "a key is found");
            visit(member.value, depth + 1);
        }
    }

private:
    const JsonDocument &m_document;
    std::size_t m_least = 0;
};

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const auto document = parse_json(k_path, text_of(data, size));
    if (!document) {
        check_error(document.error(), ErrorKind::input);
        check_places(document.error(), k_path);
        return 0;
    }
    TreeChecker(*document).visit(document->root, 0);
    for (const RepeatedKey &key : document->repeated_keys) {
        check(key.first_offset < key.offset, "a repeated key comes later");
    }
    return 0;
}
