// Which descriptors are found, in which order, and what is said when some of them are broken.
#include <doctest/doctest.h>

#include "base/strings.h"
#include "fixture.h"

namespace scene_kernels {

namespace {

std::string scene_named(const std::string &name) {
    return with(k_scene_text, R"("name": "add",)", "\"name\": \"" + name + "\",");
}

struct SearchFixture : ModelFixture {
    // A descriptor with the sources that it names beside it.
    void add_scene(const std::string &path, const std::string &name) {
        files.add(path, scene_named(name));
        const std::string folder(path_parent(path));
        for (const char *source : {"orch/build.cpp", "orch/table.bin", "aiv/add.cpp", "../shared/mul.cpp"}) {
            files.add(path_normal(folder + "/" + source), "");
        }
    }
    [[nodiscard]] std::vector<std::string> names_of(const SceneSet &set) const {
        std::vector<std::string> names;
        for (const Scene &scene : set.scenes) {
            names.push_back(scene.name);
        }
        return names;
    }
};

}  // namespace

TEST_CASE("folders are searched, except hidden ones, build trees, caches and links") {
    SearchFixture fixture;
    fixture.add_scene("/s/z/b.scene.json", "beta");
    fixture.add_scene("/s/y/x/a.scene.json", "alpha");
    fixture.add_scene("/s/.hidden/c.scene.json", "hidden");
    fixture.add_scene("/s/build/c.scene.json", "built");
    fixture.add_scene("/s/cache/c.scene.json", "cached");
    fixture.files.add("/s/cache/CACHEDIR.TAG", "");
    fixture.add_scene("/elsewhere/c.scene.json", "linked");
    REQUIRE(fixture.files.write_link("/s/link", "/elsewhere").has_value());
    fixture.files.add("/s/.lock.scene.json", "not JSON");
    fixture.files.add("/s/notes.json", "not JSON");
    const auto set = load_scenes(fixture.files, {"/s"}, fixture.sdk);
    REQUIRE_MESSAGE(set.has_value(), set.error().message);
    CHECK(fixture.names_of(*set) == std::vector<std::string>{"alpha", "beta"});
    CHECK(set->directories == std::vector<std::string>{"/s", "/s/shared", "/s/y", "/s/y/shared", "/s/y/x", "/s/y/x/aiv",
                                                       "/s/y/x/orch", "/s/z", "/s/z/aiv", "/s/z/orch"});
}

TEST_CASE("an argument is searched whatever it is called") {
    SearchFixture fixture;
    fixture.add_scene("/s/build/c.scene.json", "built");
    fixture.files.add("/s/build/CACHEDIR.TAG", "");
    fixture.add_scene("/s/.hidden/c.scene.json", "hidden");
    REQUIRE(fixture.files.write_link("/s/link", "/s/.hidden").has_value());
    const auto set = load_scenes(fixture.files, {"/s/build", "/s/.hidden/"}, fixture.sdk);
    REQUIRE_MESSAGE(set.has_value(), set.error().message);
    CHECK(fixture.names_of(*set) == std::vector<std::string>{"built", "hidden"});
    const auto linked = load_scenes(fixture.files, {"/s/link"}, fixture.sdk);
    REQUIRE_MESSAGE(linked.has_value(), linked.error().message);
    CHECK(linked->scenes[0].path == "/s/link/c.scene.json");
}

TEST_CASE("a descriptor that is given twice counts once, and a linked descriptor counts") {
    SearchFixture fixture;
    fixture.add_scene("/s/a.scene.json", "alpha");
    const auto set = load_scenes(fixture.files, {"/s", "/s/a.scene.json", "/s/./a.scene.json"}, fixture.sdk);
    REQUIRE_MESSAGE(set.has_value(), set.error().message);
    CHECK(set->scenes.size() == 1);
    fixture.files.add("/data/text", scene_named("omega"));
    REQUIRE(fixture.files.write_link("/s/o.scene.json", "/data/text").has_value());
    const auto both = load_scenes(fixture.files, {"/s"}, fixture.sdk);
    REQUIRE_MESSAGE(both.has_value(), both.error().message);
    CHECK(fixture.names_of(*both) == std::vector<std::string>{"alpha", "omega"});
}

TEST_CASE("everything that is wrong is said at once") {
    SearchFixture fixture;
    fixture.add_scene("/s/a.scene.json", "same");
    fixture.add_scene("/s/b.scene.json", "same");
    fixture.files.add("/s/c.scene.json", "{");
    fixture.files.add_directory("/empty");
    const auto set = load_scenes(fixture.files, {"/s", "/empty", "/none"}, fixture.sdk);
    REQUIRE_FALSE(set.has_value());
    CHECK(set.error().kind == ErrorKind::input);
    CHECK(set.error().message ==
          "/empty: no *.scene.json in this folder or below it\n"
          "/none: no such file or folder\n"
          "/s/c.scene.json:1:2: the text ends too early; a value or a closing bracket is missing\n"
          "/s/b.scene.json: scene name \"same\" is already used by /s/a.scene.json; rename one of them");
    CHECK(load_scenes(fixture.files, {}, fixture.sdk).error().message ==
          "no descriptor or folder of descriptors was given");
}

TEST_CASE("the number of broken descriptors that are told about is bounded") {
    SearchFixture fixture;
    for (int i = 0; i < 60; ++i) {
        fixture.files.add("/s/" + std::to_string(100 + i) + ".scene.json", "[]");
    }
    const auto lines = split(load_scenes(fixture.files, {"/s"}, fixture.sdk).error().message, '\n');
    REQUIRE(lines.size() == 51);
    CHECK(lines[0] == "/s/100.scene.json:1:1: must be an object, is a list");
    CHECK(lines[50] == "10 more");
}

}  // namespace scene_kernels
