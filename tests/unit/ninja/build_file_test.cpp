#include "ninja/build_file.h"

#include <doctest/doctest.h>

using namespace scene_kernels;

TEST_CASE("one edge per action, parts as order-only inputs, selected callables as the default") {
    Scene scene;
    scene.name = "s";
    scene.callables.resize(2);
    ActionGraph graph;
    const auto add = [&graph](const std::string &name, ActionKind kind, std::vector<std::string> dependencies) {
        Action action;
        action.name = name;
        action.kind = kind;
        action.description = "D $" + name;
        action.dependencies = std::move(dependencies);
        graph.by_name.emplace(name, graph.actions.size());
        graph.actions.push_back(std::move(action));
    };
    add("image/a b:$.cpp.aiv", ActionKind::image, {});
    add("callable/s/c", ActionKind::callable, {"image/a b:$.cpp.aiv"});
    add("callable/s/d", ActionKind::callable, {"image/a b:$.cpp.aiv"});
    graph.callables = {{&scene, &scene.callables[0], 1}, {&scene, &scene.callables[1], 2}};
    const std::string text = write_build_file(graph, {"../bin/scene kernels", {0}});
    CHECK(text.find("scene_kernels = '../bin/scene kernels'\n") != std::string::npos);
    CHECK(text.find("build refs/image/a$ b$:$$.cpp.aiv: build\n") != std::string::npos);
    CHECK(text.find("  action = 'image/a b:$$.cpp.aiv'\n") != std::string::npos);
    CHECK(text.find("build refs/callable/s/c: build || $\n    refs/image/a$ b$:$$.cpp.aiv\n") != std::string::npos);
    CHECK(text.find("build warm-kernels: phony $\n    refs/callable/s/c\n") != std::string::npos);
    CHECK(text.find("build scene/s: phony $\n    refs/callable/s/c $\n    refs/callable/s/d\n") != std::string::npos);
    CHECK(write_build_file(graph, {"../bin/scene kernels", {0}}) == text);
}
