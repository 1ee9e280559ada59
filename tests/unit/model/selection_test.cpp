#include "model/selection.h"

#include <doctest/doctest.h>

#include "fixture.h"

namespace scene_kernels {

namespace {

bool selects(std::string_view expression, const Scene &scene) {
    const auto parsed = SelectExpression::parse(expression);
    REQUIRE_MESSAGE(parsed.has_value(), parsed.error().message);
    return parsed->matches(scene, scene.callables.front());
}

std::string error_of(std::string_view expression) {
    const auto parsed = SelectExpression::parse(expression);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().kind == ErrorKind::input);
    return parsed.error().message;
}

Scene sample() {
    Scene scene;
    scene.name = "paged_Attention";
    scene.labels = {"st", "Needs[1]", "a/b::c"};
    scene.callables.push_back({"decode-16.v2", {}, {}});
    return scene;
}

std::string repeated(std::string_view part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += part;
    }
    return text;
}

}  // namespace

TEST_CASE("words, prefixes and labels") {
    const Scene scene = sample();
    const std::pair<const char *, bool> expressions[] = {{"", true},
                                                         {" \t ", true},
                                                         {"attention", true},
                                                         {"PAGED", true},
                                                         {"Code-16.V2", true},
                                                         {"softmax", false},
                                                         {"st", true},
                                                         {"ST", false},
                                                         {"Needs[1]", true},
                                                         {"needs[1]", false},
                                                         {"Needs", false},
                                                         {"a/b::c", true},
                                                         {"scene:paged_Attention", true},
                                                         {"scene:paged", false},
                                                         {"scene:paged_attention", false},
                                                         {"callable:decode-16.v2", true},
                                                         {"callable:paged_Attention", false},
                                                         {"label:st", true},
                                                         {"label:s", false},
                                                         {"android", false},
                                                         {"notable", false}};
    for (const auto &row : expressions) {
        CAPTURE(row.first);
        CHECK(selects(row.first, scene) == row.second);
    }
}

TEST_CASE("and, or and not, for every combination of two words") {
    for (const bool first : {false, true}) {
        for (const bool second : {false, true}) {
            const Scene scene = sample();
            const std::string a = first ? "paged" : "none";
            const std::string b = second ? "st" : "nothing";
            CHECK(selects(a + " and " + b, scene) == (first && second));
            CHECK(selects(a + " or " + b, scene) == (first || second));
            CHECK(selects("not " + a, scene) == !first);
            CHECK(selects("not " + a + " and " + b, scene) == (!first && second));
            CHECK(selects("not (" + a + " and " + b + ")", scene) == !(first && second));
            CHECK(selects("not not " + a + " or not(" + b + ")", scene) == (first || !second));
        }
    }
}

TEST_CASE("and binds more tightly than or, and parentheses more tightly than both") {
    const Scene scene = sample();
    for (int bits = 0; bits < 8; ++bits) {
        const auto word = [bits](int bit) { return (bits & bit) != 0 ? "paged" : "none"; };
        const bool a = (bits & 1) != 0;
        const bool b = (bits & 2) != 0;
        const bool c = (bits & 4) != 0;
        const std::string left = std::string(word(1)) + " or " + word(2) + " and " + word(4);
        CHECK(selects(left, scene) == (a || (b && c)));
        const std::string grouped = "(" + std::string(word(1)) + " or " + word(2) + ") and " + word(4);
        CHECK(selects(grouped, scene) == ((a || b) && c));
        const std::string right = std::string(word(1)) + " and " + word(2) + " or " + word(4);
        CHECK(selects(right, scene) == ((a && b) || c));
    }
}

TEST_CASE("mistakes in an expression are told with their column") {
    // clang-format off
    const std::pair<std::string, std::string> mistakes[] = {
        {R"x(a and)x", R"x(column 6: expected a word, "not" or "(", found the end)x"},
        {R"x(a b)x", R"x(column 3: expected "and", "or" or the end, found "b")x"},
        {R"x((a)x", R"x(column 3: expected "and", "or" or ")", found the end)x"},
        {R"x((a b))x", R"x(column 4: expected "and", "or" or ")", found "b")x"},
        {R"x(a))x", R"x(column 2: expected "and", "or" or the end, found ")")x"},
        {R"x(())x", R"x(column 2: expected a word, "not" or "(", found ")")x"},
        {R"x(or a)x", R"x(column 1: expected a word, "not" or "(", found "or")x"},
        {R"x(a or and b)x", R"x(column 6: expected a word, "not" or "(", found "and")x"},
        {R"x(not)x", R"x(column 4: expected a word, "not" or "(", found the end)x"},
        {R"x(a & b)x", R"x(column 3: "&" cannot be part of a word; letters, digits and any of _ . + / : [ ] - can)x"},
        {R"x((é)x", R"x(column 2: "é" cannot be part of a word; letters, digits and any of _ . + / : [ ] - can)x"},
        {R"x(a and scene:)x", R"x(column 13: expected a name behind "scene:")x"},
    };
    // clang-format on
    for (const auto &[expression, message] : mistakes) {
        CHECK(error_of(expression) == "selection \"" + expression + "\": " + message);
    }
    CHECK(error_of(std::string_view("a\0b", 3)) ==
          R"(selection "a\u0000b": column 2: "\u0000" cannot be part of a word; letters, digits and any of _ . + / : )"
          "[ ] - can");
}

TEST_CASE("length and nesting of an expression are bounded") {
    const Scene scene = sample();
    CHECK(selects(repeated("(", 99) + "st" + repeated(")", 99), scene));
    CHECK(error_of(repeated("(", 100) + "st" + repeated(")", 100))
              .ends_with("column 101: nested deeper than 100 levels"));
    CHECK(error_of(repeated("not ", 1000) + "st").ends_with("column 401: nested deeper than 100 levels"));
    CHECK(selects("none" + repeated(" or none", 500) + " or st", scene));
    CHECK(error_of(repeated("a", 4097)) == "selection: is 4097 bytes long; at most 4096 are taken");
}

namespace {

// A scene with one case on one platform, and a context that has nothing set.
struct SkipFixture {
    Scene scene = sample();
    SelectionContext context;
    std::vector<std::string> asked;  // names of variables and tools, in order

    SkipFixture() {
        Case only;
        only.name = "default";
        only.platforms = {"a2a3sim"};
        scene.runtime = "r";
        scene.cases = {only};
        context.platform = "a2a3sim";
        context.system = "linux";
        context.machine = "x86_64";
        context.environment = [this](const std::string &name) -> std::optional<std::string> {
            asked.push_back(name);
            return name == "SET" ? std::optional<std::string>("yes") : std::nullopt;
        };
        context.has_tool = [this](const std::string &name) {
            asked.push_back(name);
            return name == "g++";
        };
    }
    [[nodiscard]] Case &only() { return scene.cases[0]; }
    [[nodiscard]] std::string reason(const std::string &select = "") {
        const auto found = skip_reason(scene, scene.callables[0], SelectExpression::parse(select).value(), context);
        static const char *const k_kinds[] = {"platform", "manual", "condition", "select"};
        return found ? std::string(k_kinds[static_cast<int>(found->kind)]) + " | " + found->text : "applies";
    }
    // The same for the case with one skip condition.
    [[nodiscard]] bool is_skipped(const SkipCondition &when) {
        only().skip = {{when, "because"}};
        const std::string text = reason();
        CHECK((text == "applies" || text == "condition | case default: because"));
        return text != "applies";
    }
};

}  // namespace

TEST_CASE("platforms decide first, the selection last") {
    SkipFixture fixture;
    CHECK(fixture.reason() == "applies");
    CHECK(fixture.reason("none") == "select | not selected");
    fixture.only().skip = {{std::nullopt, "broken since May"}};
    CHECK(fixture.reason("none") == "condition | case default: broken since May");
    fixture.context.platform = "a5";
    fixture.only().platforms = {"a2a3sim", "a2a3"};
    CHECK(fixture.reason("none") == "platform | no case lists platform a5 (they list: a2a3, a2a3sim)");
}

TEST_CASE("manual cases") {
    struct Row {
        bool manual;
        std::vector<std::string> platforms;
        ManualMode mode;
        const char *reason;
    };
    const Row rows[] = {{false, {}, ManualMode::exclude, "applies"},
                        {false, {}, ManualMode::include, "applies"},
                        {false, {}, ManualMode::only, "manual | not manual"},
                        {true, {}, ManualMode::exclude, "manual | manual"},
                        {true, {}, ManualMode::include, "applies"},
                        {true, {}, ManualMode::only, "applies"},
                        {false, {"a2a3sim"}, ManualMode::exclude, "manual | manual"},
                        {false, {"a2a3sim"}, ManualMode::only, "applies"},
                        {false, {"a2a3"}, ManualMode::exclude, "applies"},
                        {false, {"a2a3"}, ManualMode::only, "manual | not manual"}};
    for (const Row &row : rows) {
        SkipFixture fixture;
        fixture.only().manual = row.manual;
        fixture.only().manual_platforms = row.platforms;
        fixture.context.manual = row.mode;
        CHECK(fixture.reason() == row.reason);
    }
}

// Conditions are written in the order platforms, systems, machines, environment, missing tools.
TEST_CASE("each part of a skip condition holds or does not") {
    SkipFixture fixture;
    CHECK(fixture.is_skipped({{"a5", "a2a3sim"}, {}, {}, {}, {}}));
    CHECK_FALSE(fixture.is_skipped({{"a5"}, {}, {}, {}, {}}));
    CHECK(fixture.is_skipped({{}, {"darwin", "linux"}, {}, {}, {}}));
    CHECK_FALSE(fixture.is_skipped({{}, {"darwin"}, {}, {}, {}}));
    CHECK(fixture.is_skipped({{}, {}, {"x86_64"}, {}, {}}));
    CHECK_FALSE(fixture.is_skipped({{}, {}, {"aarch64"}, {}, {}}));
    CHECK(fixture.is_skipped({{}, {}, {}, {{"SET", std::nullopt}}, {}}));
    CHECK(fixture.is_skipped({{}, {}, {}, {{"SET", "yes"}}, {}}));
    CHECK_FALSE(fixture.is_skipped({{}, {}, {}, {{"SET", "no"}}, {}}));
    CHECK_FALSE(fixture.is_skipped({{}, {}, {}, {{"UNSET", std::nullopt}}, {}}));
    CHECK_FALSE(fixture.is_skipped({{}, {}, {}, {{"UNSET", ""}}, {}}));
    CHECK_FALSE(fixture.is_skipped({{}, {}, {}, {{"SET", "yes"}, {"UNSET", std::nullopt}}, {}}));
    CHECK_FALSE(fixture.is_skipped({{}, {}, {}, {}, {"g++"}}));
    CHECK(fixture.is_skipped({{}, {}, {}, {}, {"g++", "ccec"}}));
    CHECK_FALSE(fixture.is_skipped({{"a2a3sim"}, {}, {"aarch64"}, {}, {}}));
    CHECK(fixture.is_skipped({{"a2a3sim"}, {}, {}, {{"SET", "yes"}}, {"ccec"}}));
    CHECK_FALSE(fixture.is_skipped({{}, {}, {}, {{"SET", "yes"}}, {"g++"}}));
}

TEST_CASE("variables and tools are asked for only where the answer matters") {
    SkipFixture fixture;
    CHECK_FALSE(fixture.is_skipped({{"a5"}, {}, {}, {{"SET", "yes"}}, {"ccec"}}));
    CHECK(fixture.asked.empty());
    CHECK_FALSE(fixture.is_skipped({{}, {}, {}, {{"A", "1"}, {"B", "1"}}, {"ccec"}}));
    CHECK(fixture.asked == std::vector<std::string>{"A"});
    fixture.asked.clear();
    CHECK(fixture.is_skipped({{}, {}, {}, {{"SET", "yes"}}, {"g++", "ccec", "ld"}}));
    CHECK(fixture.asked == std::vector<std::string>{"SET", "g++", "ccec"});
}

TEST_CASE("one case that applies is enough, and else every case says why it does not") {
    SkipFixture fixture;
    fixture.scene.cases.resize(3, fixture.scene.cases[0]);
    fixture.scene.cases[0].manual = true;
    fixture.scene.cases[1].name = "big";
    fixture.scene.cases[1].skip = {{SkipCondition{{}, {"darwin"}, {}, {}, {}}, "no"}, {std::nullopt, "too big"}};
    CHECK(fixture.reason() == "applies");
    fixture.scene.cases[2].platforms = {"a5"};
    CHECK(fixture.reason() == "condition | case default: manual; case big: too big");
    fixture.scene.cases[1].manual = true;
    CHECK(fixture.reason() == "manual | manual");
}

}  // namespace scene_kernels
