#include "plan/request.h"

#include <doctest/doctest.h>

using namespace scene_kernels;

TEST_CASE("a request survives the way through the file, and a copied graph directory asks for the copy") {
    Request request;
    request.source_root = "/src";
    request.build_dir = "/src/build/sim";
    request.graph_name = "g";
    request.store = "/shared/store";
    request.sdk = "/src/sdk/x.sdk.json";
    request.platform = "sim";
    request.scenes = {"/src/scenes", "/elsewhere/x.scene.json"};
    request.set = {{"ROOT", "/opt"}};
    request.select = "a and not b";
    request.manual = ManualMode::only;
    request.launcher = Launcher::ccache;
    request.search_path = "/usr/bin";
    request.environment = {{"CI", "1"}, {"UNSET", std::nullopt}};
    const auto text = write_request(request);
    REQUIRE(text);
    const auto same = read_request(*text, request.graph_directory());
    REQUIRE(same);
    CHECK(*write_request(*same) == *text);
    CHECK(same->environment == request.environment);

    const auto copy = read_request(*text, "/copy/build/sim/scene-kernels/g");
    REQUIRE(copy);
    CHECK(copy->source_root == "/copy");
    CHECK(copy->graph_directory() == "/copy/build/sim/scene-kernels/g");
    CHECK(copy->scenes == std::vector<std::string>{"/copy/scenes", "/elsewhere/x.scene.json"});
    CHECK(copy->store == "/shared/store");

    CHECK_FALSE(read_request("{}", "/g"));
    CHECK_FALSE(read_request("{\"version\": 2}", "/g"));
    CHECK_FALSE(read_request("", "/g"));
}
