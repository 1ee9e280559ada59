// What a good descriptor reads as, and everything about bad ones that a single edit cannot show.
#include <cstdlib>
#include <filesystem>

#include <doctest/doctest.h>

#include "base/strings.h"
#include "fixture.h"

namespace scene_kernels {

TEST_CASE("every field of a descriptor is read") {
    ModelFixture fixture;
    const auto loaded = fixture.load(k_scene_text);
    REQUIRE_MESSAGE(loaded.has_value(), loaded.error().message);
    const Scene &scene = *loaded;
    CHECK(scene.path == k_scene_path);
    CHECK(scene.directory == "/p/scenes");
    CHECK(scene.name == "add");
    CHECK(scene.runtime == "host_build_graph");
    CHECK(scene.labels == std::vector<std::string>{"fast", "st.add[1]"});
    REQUIRE(scene.callables.size() == 1);
    const Callable &callable = scene.callables[0];
    CHECK(callable.name == "add_two");
    const Orchestration &orchestration = callable.orchestration;
    CHECK(orchestration.source == "/p/scenes/orch/build.cpp");
    CHECK(orchestration.function_name == "build_graph");
    CHECK(orchestration.config_name == "config");
    CHECK(orchestration.signature == std::vector{ArgDirection::in, ArgDirection::out});
    CHECK(orchestration.extra_include_dirs == std::vector<std::string>{"$TOOLKIT/include"});
    CHECK(orchestration.extra_inputs == std::vector<std::string>{"/p/scenes/orch/table.bin"});
    REQUIRE(callable.incores.size() == 2);
    const Incore &first = callable.incores[0];
    CHECK(first.func_id == 0);
    CHECK(first.name == "first");
    CHECK(first.core_type == CoreType::aiv);
    CHECK(first.source == "/p/scenes/aiv/add.cpp");
    CHECK(first.signature == std::vector{ArgDirection::in, ArgDirection::inout, ArgDirection::scalar});
    const Incore &second = callable.incores[1];
    CHECK(second.func_id == 7);
    CHECK(second.name == "mul");
    CHECK(second.core_type == CoreType::aic);
    CHECK(second.source == "/p/shared/mul.cpp");
    CHECK(second.signature.empty());
    CHECK(second.extra_include_dirs == std::vector<std::string>{"inc"});
    CHECK(second.extra_inputs == std::vector<std::string>{"/p/scenes/orch/table.bin"});
}

TEST_CASE("every field of a case is read") {
    ModelFixture fixture;
    const auto scene = fixture.load(k_scene_text);
    REQUIRE(scene.has_value());
    REQUIRE(scene->cases.size() == 2);
    CHECK(scene->cases[0].name == "default");
    CHECK(scene->cases[0].platforms == std::vector<std::string>{"a2a3sim", "a2a3"});
    CHECK_FALSE(scene->cases[0].manual);
    const Case &big = scene->cases[1];
    CHECK_FALSE(big.manual);
    CHECK(big.manual_platforms == std::vector<std::string>{"a2a3sim"});
    REQUIRE(big.skip.size() == 1);
    CHECK(big.skip[0].reason == "too slow");
    REQUIRE(big.skip[0].when.has_value());
    const SkipCondition &when = *big.skip[0].when;
    CHECK(when.platforms == std::vector<std::string>{"a2a3sim"});
    CHECK(when.systems == std::vector<std::string>{"linux"});
    CHECK(when.machines == std::vector<std::string>{"x86_64"});
    CHECK(when.env == std::map<std::string, std::optional<std::string>>{{"CI", "1"}, {"GPU", std::nullopt}});
    CHECK(when.missing_tools == std::vector<std::string>{"g++"});
}

TEST_CASE("forms that a descriptor may also have") {
    ModelFixture fixture;
    CHECK(fixture.error_of("\xEF\xBB\xBF" + k_scene_text) == "accepted");
    CHECK(fixture.error_of(with(k_scene_text, R"("schema": 1,)", R"("$schema": "scene.schema.json", "schema": 1,)")) ==
          "accepted");
    const auto manual = fixture.load(with(k_scene_text, R"("manual": ["a2a3sim"])", R"("manual": true)"));
    REQUIRE(manual.has_value());
    CHECK(manual->cases[1].manual);
    const auto always = fixture.load(with(
        k_scene_text,
        R"({"when": {"platform": "a2a3sim", "os": ["linux"], "machine": "x86_64", "env": {"CI": "1", "GPU": true}, "missing_tool": "g++"}, "reason")",
        R"({"reason")"));
    REQUIRE(always.has_value());
    CHECK_FALSE(always->cases[1].skip[0].when.has_value());
    CHECK(fixture.error_of(with(k_scene_text, R"("config_name": "config")", R"("config_name": "")")) == "accepted");
}

TEST_CASE("all problems of a descriptor are told at once, in the file's order") {
    ModelFixture fixture;
    std::string text = with(k_scene_text, R"("core_type": "aic")", R"("core_type": "aix")");
    text = with(text, R"("runtime": "host_build_graph")", R"("runtime": "none")");
    text = with(text, R"("config_name")", R"("configname")");
    CHECK(
        fixture.error_of(text) ==
        "/p/scenes/add.scene.json:5:14: at /runtime: unknown runtime \"none\" (valid: host_build_graph, "
        "tensormap_and_ringbuffer)\n"
        "/p/scenes/add.scene.json:10:85: at /callables/0/orchestration/configname: unknown key \"configname\"; did you "
        "mean \"config_name\"? (valid: source, function_name, config_name, signature, extra_include_dirs, "
        "extra_inputs)\n"
        "/p/scenes/add.scene.json:13:37: at /callables/0/incores/1/core_type: unknown core type \"aix\"; did you mean "
        "\"aic\"? (valid: aic, aiv)");
}

TEST_CASE("no more than twenty problems are shown, and the rest counted") {
    ModelFixture fixture;
    std::string labels;
    for (int i = 0; i < 25; ++i) {
        labels += std::string(i == 0 ? "" : ", ") + "\"bad label " + std::to_string(i) + "\"";
    }
    const std::vector<std::string> lines =
        split(fixture.error_of(with(k_scene_text, R"("fast", "st.add[1]")", labels)), '\n');
    REQUIRE(lines.size() == 21);
    CHECK(lines[19].starts_with("/p/scenes/add.scene.json:6:308: at /labels/19: "));
    CHECK(lines[20] == "/p/scenes/add.scene.json: 5 more problems");
}

TEST_CASE("a flood of problems is cut off") {
    ModelFixture fixture;
    std::string labels = "1";
    for (int i = 0; i < 3000; ++i) {
        labels += ",1";
    }
    const std::vector<std::string> lines =
        split(fixture.error_of(with(k_scene_text, R"("fast", "st.add[1]")", labels)), '\n');
    REQUIRE(lines.size() == 21);
    CHECK(lines[20] == "/p/scenes/add.scene.json: at least 480 more problems");
}

TEST_CASE("a second callable: names differ, kernels may be shared") {
    ModelFixture fixture;
    const std::size_t begin = k_scene_text.find("    {\n      \"name\": \"add_two\"");
    const std::size_t end = k_scene_text.find("\n  ],\n  \"cases\"");
    const std::string callable = k_scene_text.substr(begin, end - begin);
    std::string text = k_scene_text;
    text.insert(end, ",\n" + callable);
    CHECK(fixture.error_of(text) ==
          "/p/scenes/add.scene.json:17:15: at /callables/1/name: callable name \"add_two\" is already used at 9:15");
    text = k_scene_text;
    text.insert(end, ",\n" + with(callable, "add_two", "add_three"));
    CHECK(fixture.error_of(text) == "accepted");
    text.replace(text.rfind("aiv/add.cpp"), 11, "./aiv//add.cpp");
    CHECK(fixture.error_of(text) ==
          "/p/scenes/add.scene.json:20:71: at /callables/1/incores/0/source: \"./aiv//add.cpp\" is the same file as "
          "\"aiv/add.cpp\" at 12:71; spell it in one way");
}

TEST_CASE("more kernels than the SDK takes") {
    ModelFixture fixture;
    const std::string more =
        R"("extra_inputs": ["orch/table.bin"]},
        {"func_id": 8, "name": "k8", "core_type": "aic", "source": "../shared/mul.cpp"},
        {"func_id": 9, "name": "k9", "core_type": "aic", "source": "../shared/mul.cpp"}
      ])";
    const std::string text = with(k_scene_text, R"("extra_inputs": ["orch/table.bin"]}
      ])",
                                  more);
    CHECK(fixture.error_of(text) ==
          "/p/scenes/add.scene.json:11:18: at /callables/0/incores: has 4 kernels; SDK \"test\" takes at most 3 per "
          "callable");
}

// On the real file system: the one in memory folds ".." as text.
TEST_CASE("\"..\" behind a symbolic link is refused, because normal paths would name another file") {
    FileSystem &files = real_filesystem();
    std::string pattern = (std::filesystem::temp_directory_path() / "model_test.XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    const std::string root = files.real_path(pattern).value();
    for (const char *path : {"scenes/orch/build.cpp", "scenes/orch/table.bin", "scenes/aiv/add.cpp", "scenes/mul.cpp",
                             "shared/mul.cpp", "other/mul.cpp", "other/deep/x.cpp"}) {
        const std::string file = root + "/" + path;
        REQUIRE(files.create_directories(std::string(path_parent(file))).has_value());
        REQUIRE(files.write(file, "").has_value());
    }
    REQUIRE(files.write_link(root + "/scenes/link", root + "/other/deep").has_value());
    const Sdk sdk = parse_sdk(k_sdk_path, k_sdk_text).value();
    const auto error_of = [&](std::string_view source) {
        const std::string path = root + "/scenes/add.scene.json";
        REQUIRE(files.write(path, with(k_scene_text, "../shared/mul.cpp", source)).has_value());
        const auto scene = load_scene(files, path, sdk);
        return scene ? "accepted" : scene.error().message.substr(root.size());
    };
    CHECK(error_of("orch/../mul.cpp") == "accepted");
    CHECK(error_of("link/x.cpp") == "accepted");
    CHECK(error_of("link/../mul.cpp") ==
          "/scenes/add.scene.json:13:54: at /callables/0/incores/1/source: \"..\" in \"link/../mul.cpp\" leads across "
          "a symbolic link; name the file without that link");
    REQUIRE(files.remove_all(root).has_value());
}

TEST_CASE("what is no descriptor at all") {
    ModelFixture fixture;
    const std::string at = std::string(k_scene_path) + ":";
    const std::string empty = "the file holds no JSON value: it is empty, or white space and comments only";
    CHECK(fixture.error_of("") == at + "1:1: " + empty);
    CHECK(fixture.error_of("\n // nothing\n") == at + "3:1: " + empty);
    CHECK(fixture.error_of("[]") == at + "1:1: must be an object, is a list");
    CHECK(fixture.error_of("  7 // seven") == at + "1:3: must be an object, is an integer");
    CHECK(fixture.error_of("null") == at + "1:1: must be an object, is null");
    CHECK(first_line(fixture.error_of("{}")) == at + "1:1: the required key \"schema\" is missing");
    CHECK(fixture.error_of("{\"a\": \"\xC3\x28\"}") ==
          at + "1:8: byte 0xc3 is not valid UTF-8 here; save the file as UTF-8");
    CHECK(fixture.error_of("// \xED\xA0\x80\n{}") ==
          at + "1:4: byte 0xed is not valid UTF-8 here; save the file as UTF-8");
    CHECK(fixture.error_of(std::string("{}\0x", 4)) == at + "1:3: a NUL byte; the file is no text");
    fixture.files.add("/p/folder.scene.json/x", "");
    CHECK(load_scene(fixture.files, "/p/folder.scene.json", fixture.sdk).error().message ==
          "/p/folder.scene.json: is a directory, must be a file");
    CHECK(load_scene(fixture.files, "/p/none.scene.json", fixture.sdk).error().message ==
          "/p/none.scene.json: no such file");
}

TEST_CASE("a file beyond the size limit is not read") {
    ModelFixture fixture;
    fixture.files.add(k_scene_path, std::string(k_max_description_bytes + 1, ' '));
    const int reads = fixture.files.reads;
    const auto scene = load_scene(fixture.files, k_scene_path, fixture.sdk);
    CHECK(scene.error().message == "/p/scenes/add.scene.json: has 16777217 bytes; at most 16777216 are read");
    CHECK(scene.error().kind == ErrorKind::input);
    CHECK(fixture.files.reads == reads);
}

TEST_CASE("hostile keys cannot write control characters to a terminal") {
    ModelFixture fixture;
    const std::string message = fixture.error_of(with(k_scene_text, R"("name": "add",)", R"("\u001b[2J/~": 1,)"));
    CHECK(message.find('\x1b') == std::string::npos);
    CHECK(message.find(R"(at /\u001b[2J~1~0: unknown key "\\u001b[2J/~")") == std::string::npos);
    CHECK(message.find(R"(at /\u001b[2J~1~0: unknown key "\u001b[2J/~")") != std::string::npos);
}

}  // namespace scene_kernels
