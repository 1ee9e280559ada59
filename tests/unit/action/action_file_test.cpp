#include "action/action_file.h"

#include <doctest/doctest.h>

using namespace scene_kernels;

namespace {

Action full_action() {
    Action action;
    action.name = "callable/sc\xc3\xa9ne/\xff \"x\"";  // bytes that are no UTF-8 survive
    action.kind = ActionKind::callable;
    action.description = "PACK x";
    action.platform = "sim";
    action.runtime = "r";
    action.recipe = Sha256::of("recipe");
    action.error = "none";
    action.steps.resize(2);
    action.steps[0].argv = {"/usr/bin/g++", std::string("-o") + k_output_token, "a\nb"};
    action.steps[0].family = CompilerFamily::clang;
    action.steps[0].is_compiler = true;
    action.steps[0].reads_sources = true;
    action.steps[0].library_directories = {"/lib"};
    action.steps[1].extract = ".text";
    action.dependencies = {"image/a", "library/c", "packer/b"};
    action.source = "a/b.cpp";
    action.inputs = {"x.bin"};
    action.users = {"s/c: kernel k"};
    action.entry_symbol = "kernel_entry";
    action.machine = "aarch64";
    action.fingerprint = Sha256::of("fingerprint");
    action.family = CompilerFamily::gcc;
    action.compiler = "/usr/bin/g++";
    action.launcher = Launcher::ccache;
    action.environment = {{"NAME", "value"}};
    action.pack = PackSpec{};
    action.pack->function_name = "build";
    action.pack->signature = {ArgDirection::in, ArgDirection::scalar};
    action.pack->children = {{3, "k", CoreType::aic, {ArgDirection::inout}, 0}};
    action.pack->library = 1;
    action.pack->packer = 2;
    return action;
}

}  // namespace

TEST_CASE("an action survives the way through the file") {
    const Action action = full_action();
    Action other;
    other.name = "image/a";
    const std::string text = write_action_file({}, {other, action}, "/src/build/g");
    const auto read = read_action(text, action.name);
    REQUIRE(read);
    REQUIRE(*read);
    // Written again, every field that the file holds is the same.
    CHECK(write_action_file({}, {other, **read}, "/src/build/g") == text);
    CHECK((*read)->steps[0].argv == action.steps[0].argv);
    CHECK((*read)->pack->children[0].core_type == CoreType::aic);
    CHECK(action_names(text) == std::vector<std::string>{"image/a", action.name});
    CHECK_FALSE(read_action(text, "image/b").value());
}

TEST_CASE("a copied graph directory leads to the copied checkout") {
    ActionFileHeader header;
    header.source_root = "/src";
    header.store = "/src/build/cache";
    header.roots = {{"sdk", "/opt/sdk"}, {"inner", "/src/sdk"}};
    header.search_path = "/usr/bin:/bin";
    const std::string text = write_action_file(header, {}, "/src/build/g");
    const auto copied = read_action_header(text, "/copy/build/g");
    REQUIRE(copied);
    CHECK(copied->source_root == "/copy");
    CHECK(copied->store == "/copy/build/cache");
    CHECK(copied->roots[0].path == "/opt/sdk");
    CHECK(copied->roots[1].path == "/copy/sdk");
    CHECK_FALSE(read_action_header("{\"version\":99}", "/g"));
    CHECK_FALSE(read_action_header("nonsense", "/g"));
}

TEST_CASE("an action that would lead astray is damage") {
    const Action action = full_action();
    const std::string text = write_action_file({}, {action}, "/src/build/g");
    const auto error_with = [&](const std::string &from, const std::string &to) {
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        std::string changed = text;
        const auto read = read_action(changed.replace(at, from.size(), to), action.name);
        return read ? std::string("accepted") : read.error().message;
    };
    CHECK(
        error_with("\"packer\":2", "\"packer\":3").starts_with("actions.jsonl is damaged (a number out of its range)"));
    CHECK(error_with("\"launcher\":1", "\"launcher\":2").find("out of its range") != std::string::npos);
    CHECK(error_with("\"core_type\":1", "\"core_type\":1.5").find("whole number") != std::string::npos);
    CHECK(error_with("\"kind\":\"callable\"", "\"kind\":\"image\"").find("only a callable") != std::string::npos);
    CHECK(error_with(action.recipe.hex(), "x").find("digest") != std::string::npos);
    CHECK(action_names("header\n{\"name\":5}\n{\"name\":\"a\"}\n") == std::vector<std::string>{"a"});
}
