#include "model/json_document.h"

#include <doctest/doctest.h>

#include "model/printable.h"

namespace scene_kernels {

namespace {

std::string error_of(const std::string &text) {
    const auto document = parse_json("f", text);
    return document ? "accepted" : document.error().message;
}

std::string repeated(const std::string &part, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += part;
    }
    return text;
}

}  // namespace

TEST_CASE("every value knows its place, with comments between the tokens") {
    const auto document = parse_json("f",
                                     "/* [ */ {\"a\\\"{\" /*:*/ : // , \"x\"\n [1, \"}\", /**/ {\"b\":true}, -2.5e3], "
                                     "\"n\":null}\n// end");
    REQUIRE(document.has_value());
    const JsonValue &root = document->root;
    REQUIRE(root.members.size() == 2);
    const std::string &text = document->text;
    CHECK(text[root.offset] == '{');
    CHECK(root.offset == 8);
    CHECK(root.members[0].key == "a\"{");
    CHECK(text.substr(root.members[0].key_offset, 6) == "\"a\\\"{\"");
    const std::vector<JsonValue> &list = root.members[0].value.elements;
    REQUIRE(list.size() == 4);
    CHECK(text.substr(list[0].offset, 1) == "1");
    CHECK(text.substr(list[1].offset, 3) == "\"}\"");
    CHECK(text.substr(list[2].offset, 4) == "{\"b\"");
    CHECK(text.substr(list[2].members[0].value.offset, 4) == "true");
    CHECK(text.substr(list[3].offset, 6) == "-2.5e3");
    CHECK(list[3].kind == JsonKind::number);
    CHECK(text.substr(root.members[1].value.offset, 4) == "null");
    CHECK(json_pointer(root, list[2].members[0].value.offset) == "/a\"{/2/b");
    CHECK(json_pointer(root, list[2].members[0].key_offset) == "/a\"{/2/b");
    CHECK(json_pointer(root, list[0].offset) == "/a\"{/0");
    CHECK(json_pointer(root, root.offset).empty());
}

TEST_CASE("integers keep their value, other numbers do not pass for integers") {
    const auto document = parse_json("f", "[9223372036854775807, -9223372036854775808, 9223372036854775808, 1.0, 1e2]");
    REQUIRE(document.has_value());
    const std::vector<JsonValue> &list = document->root.elements;
    CHECK(list[0].integer == 9223372036854775807);
    CHECK(list[1].integer == -9223372036854775807 - 1);
    CHECK(list[2].kind == JsonKind::number);
    CHECK(list[3].kind == JsonKind::number);
    CHECK(list[4].kind == JsonKind::number);
}

TEST_CASE("lines and columns count from 1, and columns count characters") {
    const std::string text = "\xEF\xBB\xBF{\r\n \"\xC3\xA4\xE2\x82\xAC\": 1}";
    CHECK(line_and_column(text, 3) == "1:1");
    CHECK(line_and_column(text, 7) == "2:2");
    CHECK(line_and_column(text, 15) == "2:7");
}

TEST_CASE("nesting is bounded before anything recurses") {
    const auto nested = [](std::size_t depth) { return repeated("[", depth) + repeated("]", depth); };
    CHECK(error_of(nested(64)) == "accepted");
    CHECK(error_of(nested(65)) == "f:1:65: nested deeper than 64 levels");
    CHECK(error_of(repeated("[", 1000000)) == "f:1:65: nested deeper than 64 levels");
    CHECK(error_of(repeated("{\"a\":", 65)) == "f:1:321: nested deeper than 64 levels");
}

TEST_CASE("the number of values is bounded") {
    CHECK(error_of("[0" + repeated(",0", k_max_json_values - 2) + "]") == "accepted");
    CHECK(error_of("[0" + repeated(",0", k_max_json_values - 1) + "]") == "f:1:2097152: more than 1048576 values");
}

TEST_CASE("keys that are given twice are found at every level") {
    const auto document = parse_json("f", R"({"a": {"b": 1, "b": 2}, "c": 1, "a": 3, "\u0061": 4})");
    REQUIRE(document.has_value());
    REQUIRE(document->repeated_keys.size() == 3);
    CHECK(document->repeated_keys[0].offset == 15);
    CHECK(document->repeated_keys[0].first_offset == 7);
    CHECK(document->repeated_keys[1].first_offset == 1);
    CHECK(document->repeated_keys[2].first_offset == 1);
}

TEST_CASE("text is shown without control characters, broken UTF-8, or end") {
    CHECK(printable("a\tb\x7f\xC2\x85") == "a\\u0009b\\u007f\\u0085");
    CHECK(printable("\xE2\x80\xA8\xC3\xA9") == "\\u2028\xC3\xA9");
    CHECK(printable("\xC3") == "\\xc3");
    CHECK(printable("abcdef", 3) == "abc...");
    CHECK(quoted("a\"b\\") == R"("a\"b\\")");
    CHECK(find_bad_utf8("\xF4\x90\x80\x80") == 0);  // beyond U+10FFFF
    CHECK(find_bad_utf8("a\xC0\x80") == 1);         // overlong
    CHECK(find_bad_utf8("\xE0\x9F\xBF") == 0);      // overlong
    CHECK(find_bad_utf8("ab\xF0\x9F\x98") == 2);    // cut off
    CHECK(find_bad_utf8("\xF0\x9F\x98\x80") == std::string::npos);
    CHECK(find_control("ab\nc") == 2);
    CHECK(find_control("a\xC2\x9B") == 1);
    CHECK(find_control("a\xC3\xA9") == std::string::npos);
}

}  // namespace scene_kernels
