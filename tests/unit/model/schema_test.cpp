// The JSON schemas in docs/schema/ against the readers' key tables, and as checks of real descriptions.
#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "fixture.h"
#include "model/shapes.h"
#include "os/filesystem.h"

namespace scene_kernels {

namespace {

using Json = nlohmann::json;

Json read_json(const std::string &path) {
    return Json::parse(real_filesystem().read(std::string(SCENE_KERNELS_SOURCE_ROOT) + "/" + path).value(), nullptr,
                       true, true);
}

// As much of draft 2020-12 as the schemas use; another keyword fails the test instead of being passed over.
class SchemaChecker {
public:
    explicit SchemaChecker(const Json &root) : m_root(root) {}

    [[nodiscard]] bool accepts(const Json &value) const { return holds(m_root, value); }

private:
    [[nodiscard]] bool holds(const Json &schema, const Json &value) const {
        if (schema.is_boolean()) {
            return schema.get<bool>();
        }
        const auto &members = schema.items();
        return std::all_of(members.begin(), members.end(), [&](const auto &member) {
            return keyword_holds(schema, member.key(), member.value(), value);
        });
    }

    [[nodiscard]] bool keyword_holds(const Json &schema, const std::string &keyword, const Json &rule,
                                     const Json &value) const {
        static const std::set<std::string> k_notes{"$schema", "$defs", "title", "description", "default"};
        if (k_notes.contains(keyword)) {
            return true;
        }
        if (keyword == "$ref") {
            return holds(m_root.at(Json::json_pointer(rule.get<std::string>().substr(1))), value);
        }
        if (keyword == "const") {
            return value == rule;
        }
        if (keyword == "enum") {
            return std::find(rule.begin(), rule.end(), value) != rule.end();
        }
        const auto accepted = [&](const Json &alternative) { return holds(alternative, value); };
        if (keyword == "anyOf") {
            return std::any_of(rule.begin(), rule.end(), accepted);
        }
        if (keyword == "oneOf") {
            return std::count_if(rule.begin(), rule.end(), accepted) == 1;
        }
        if (keyword == "not") {
            return !holds(rule, value);
        }
        if (keyword == "type") {
            return rule == value.type_name() || (rule == "integer" && value.is_number_integer());
        }
        return kind_holds(schema, keyword, rule, value);
    }

    // Keywords that say something about values of one type only.
    [[nodiscard]] bool kind_holds(const Json &schema, const std::string &keyword, const Json &rule,
                                  const Json &value) const {
        if (keyword == "minimum" || keyword == "maximum") {
            return !value.is_number() || (keyword == "minimum" ? value >= rule : value <= rule);
        }
        if (keyword == "pattern") {
            return !value.is_string() ||
                   std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
        }
        if (keyword == "minLength" || keyword == "maxLength") {
            const std::size_t length = value.is_string() ? value.get<std::string>().size() : rule.get<std::size_t>();
            return keyword == "minLength" ? length >= rule : length <= rule;
        }
        if (keyword == "minItems" || keyword == "uniqueItems") {
            return !value.is_array() ||
                   (keyword == "minItems" ? value.size() >= rule
                                          : std::set<Json>(value.begin(), value.end()).size() == value.size());
        }
        if (keyword == "items") {
            return !value.is_array() ||
                   std::all_of(value.begin(), value.end(), [&](const Json &element) { return holds(rule, element); });
        }
        return !value.is_object() || object_holds(schema, keyword, rule, value);
    }

    [[nodiscard]] bool object_holds(const Json &schema, const std::string &keyword, const Json &rule,
                                    const Json &value) const {
        if (keyword == "minProperties") {
            return value.size() >= rule;
        }
        if (keyword == "required") {
            return std::all_of(rule.begin(), rule.end(), [&](const Json &key) { return value.contains(key); });
        }
        const auto &members = value.items();
        return std::all_of(members.begin(), members.end(), [&](const auto &member) {
            if (keyword == "propertyNames") {
                return holds(rule, member.key());
            }
            if (keyword == "properties") {
                return !rule.contains(member.key()) || holds(rule.at(member.key()), member.value());
            }
            REQUIRE_MESSAGE(keyword == "additionalProperties", "unknown keyword: ", keyword);
            const bool is_named = schema.contains("properties") && schema.at("properties").contains(member.key());
            return is_named || holds(rule, member.value());
        });
    }

    const Json &m_root;
};

// The same keys, and the same ones required, in the schema's definitions and in the readers' tables.
void check_keys(const Json &schema, std::span<const ObjectShape *const> shapes) {
    std::set<std::string> objects;
    for (const auto &[name, definition] : schema.at("$defs").items()) {
        if (definition.contains("properties")) {
            objects.insert(name);
        }
    }
    for (const ObjectShape *shape : shapes) {
        const std::string name(shape->name);
        CAPTURE(name);
        REQUIRE(objects.erase(name) == 1);
        const Json &definition = schema.at("$defs").at(name);
        CHECK(definition.at("additionalProperties") == false);
        std::set<std::string> keys;
        std::set<std::string> required;
        for (const KeyShape &key : shape->keys) {
            keys.emplace(key.name);
            if (key.required) {
                required.emplace(key.name);
            }
        }
        std::set<std::string> schema_keys;
        for (const auto &[key, value] : definition.at("properties").items()) {
            schema_keys.insert(key);
        }
        CHECK(schema_keys == keys);
        CHECK(definition.value("required", Json::array()).get<std::set<std::string>>() == required);
    }
    CHECK(objects.empty());
}

Json as_json(const std::string &text) {
    return Json::parse(text, nullptr, true, true);
}

}  // namespace

TEST_CASE("the schemas know the same keys as the readers") {
    check_keys(read_json("docs/schema/scene.schema.json"), k_scene_shapes);
    check_keys(read_json("docs/schema/sdk.schema.json"), k_sdk_shapes);
}

TEST_CASE("the SDK schema accepts what the reader accepts") {
    const Json schema = read_json("docs/schema/sdk.schema.json");
    const SchemaChecker checker(schema);
    CHECK(checker.accepts(as_json(k_sdk_text)));
    const std::string path = std::string(SCENE_KERNELS_SOURCE_ROOT) + "/kernels/sdk/scene.sdk.json";
    CHECK(checker.accepts(read_json("kernels/sdk/scene.sdk.json")));
    const auto sdk = load_sdk(real_filesystem(), path);
    REQUIRE_MESSAGE(sdk.has_value(), sdk.error().message);
    CHECK(sdk->name == "scene");
    CHECK(sdk->platforms.contains(sdk->default_platform));
}

TEST_CASE("the SDK schema refuses what the reader refuses") {
    const Json schema = read_json("docs/schema/sdk.schema.json");
    const SchemaChecker checker(schema);
    const std::pair<const char *, const char *> edits[] = {
        {R"("schema": 1)", R"("schema": 2)"},
        {R"("name": "test", )", ""},
        {R"("kind": "text")", R"("kind": "txt")"},
        {R"("kernels_per_callable": 3)", R"("kernels_per_callable": 0)"},
        {R"("header": "callable.h")", R"("header": "a>b")"},
        {R"("family": "gcc")", R"("family": "gnu")"},
        {R"({"extract": ".text"})", R"({"extract": ".text", "args": []})"},
        {R"({"extract": ".text"})", R"({"extract": ".text", "run": "linker"})"},
        {R"({"extract": ".text"})", "{}"},
        {R"("programs": {"linker")", R"("programs": {"compiler")"},
        {R"("a2a3": {)", R"("a2 a3": {)"},
        {R"("launcher": "ccache")", R"("launcher": "cache")"},
        {R"("reads": ["sources", "libraries"])", R"("reads": ["sources", "sources"])"}};
    for (const auto &edit : edits) {
        CAPTURE(edit.second);
        const std::string text = with(k_sdk_text, edit.first, edit.second);
        CHECK_FALSE(checker.accepts(as_json(text)));
        CHECK_FALSE(parse_sdk(k_sdk_path, text).has_value());
    }
}

TEST_CASE("the descriptor schema accepts and refuses what the reader does") {
    const Json schema = read_json("docs/schema/scene.schema.json");
    const SchemaChecker checker(schema);
    CHECK(checker.accepts(as_json(k_scene_text)));
    const std::pair<const char *, const char *> edits[] = {
        {R"("name": "add",)", R"("name": "-add",)"},
        {R"("name": "add",)", R"("nmae": "add",)"},
        {R"("fast")", R"("fast one")"},
        {R"("func_id": 7)", R"("func_id": -1)"},
        {R"("func_id": 7)", R"("func_id": 7.5)"},
        {R"("func_id": 7)", R"("func_id": 2147483648)"},
        {R"("core_type": "aic")", R"("core_type": "aix")"},
        {R"("function_name": "build_graph")", R"("function_name": "build-graph")"},
        {R"("config_name": "config")", R"("config_name": "a b")"},
        {R"("signature": ["in", "out"])", R"("signature": ["in", "otu"])"},
        {R"("source": "orch/build.cpp")", R"("source": "/p/shared/mul.cpp")"},
        {R"("platforms": ["a2a3sim", "a2a3"])", R"("platforms": [])"},
        {R"("manual": ["a2a3sim"])", R"("manual": "yes")"},
        {R"("manual": ["a2a3sim"])", R"("manual": [])"},
        {R"("os": ["linux"])", R"("os": "linus")"},
        {R"("GPU": true)", R"("GPU": false)"},
        {R"("missing_tool": "g++")", R"("missing_tool": "/usr/bin/g++")"},
        {R"(, "reason": "too slow")", ""}};
    for (const auto &edit : edits) {
        CAPTURE(edit.second);
        ModelFixture fixture;
        const std::string text = with(k_scene_text, edit.first, edit.second);
        CHECK_FALSE(checker.accepts(as_json(text)));
        CHECK(fixture.error_of(text) != "accepted");
    }
}

}  // namespace scene_kernels
