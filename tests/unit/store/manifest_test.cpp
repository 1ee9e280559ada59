#include "store/manifest.h"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace scene_kernels;

namespace {

Manifest image() {
    Manifest manifest;
    manifest.kind = ActionKind::image;
    manifest.key = Sha256::of("key");
    manifest.platform = "a2a3sim";
    manifest.outputs = {{"image.so", 12, Sha256::of("image")}, {"log.txt", 0, Sha256::of("")}};
    return manifest;
}

Manifest callable() {
    Manifest manifest = image();
    manifest.kind = ActionKind::callable;
    manifest.runtime = "host_build_graph";
    manifest.outputs = {{"callable.bin", 1000, Sha256::of("bytes")}};
    PackedLayout layout;
    layout.function_name = "build \"graph\"";
    layout.signature = {"in", "out"};
    layout.abi_token = Sha256::of("abi");
    layout.binary_offset = 100;
    layout.binary_size = 50;
    layout.children = {{3, "add", "aiv", 200, 300, 264, 236, 208}, {7, "mul", "aic", 500, 500, 600, 400, 992}};
    manifest.layout = layout;
    return manifest;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::string error_of(const std::string &text) {
    const Expected<Manifest> manifest = parse_manifest(text);
    return manifest ? "" : manifest.error().message;
}

}  // namespace

TEST_CASE("a manifest's text is deterministic and ends with a newline") {
    CHECK(to_json(image()) == R"({
  "schema": 2,
  "kind": "image",
  "key": "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683",
  "platform": "a2a3sim",
  "runtime": "",
  "uncacheable": "",
  "outputs": [
    {
      "name": "image.so",
      "size": 12,
      "sha256": "6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d"
    },
    {
      "name": "log.txt",
      "size": 0,
      "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    }
  ]
}
)");
}

TEST_CASE("manifests survive the way through text") {
    for (const Manifest &manifest : {image(), callable()}) {
        const Expected<Manifest> read = parse_manifest(to_json(manifest));
        REQUIRE_MESSAGE(read, error_of(to_json(manifest)));
        CHECK(*read == manifest);
    }
}

TEST_CASE("a reason with bytes that are no text is written all the same") {
    Manifest manifest = image();
    manifest.uncacheable = "caf\xe9.h";
    CHECK(parse_manifest(to_json(manifest)).value().uncacheable == "caf\xef\xbf\xbd.h");
}

TEST_CASE("every change that makes a manifest wrong is refused, with its place") {
    const std::string text = to_json(callable());
    const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> table = {
        {{"\"schema\": 2", "\"schema\": 1"}, "/schema"},
        {{"\"schema\": 2", "\"schema\": \"2\""}, "/schema"},
        {{"\"kind\": \"callable\"", "\"kind\": \"image\""}, "/callable"},
        {{"\"kind\": \"callable\"", "\"kind\": \"thing\""}, "/kind"},
        {{"\"kind\": \"callable\"", "\"kind\": 5"}, "/kind"},
        {{"\"key\": \"2", "\"key\": \"g"}, "/key"},
        {{"\"key\": \"2", "\"key\": \"22"}, "/key"},
        {{"\"platform\"", "\"plattform\""}, "/plattform"},
        {{"\"platform\": \"a2a3sim\"", "\"platform\": null"}, "/platform"},
        {{"callable.bin", "other.bin"}, "/outputs"},
        {{"callable.bin", "a/b"}, "/outputs/0/name"},
        {{"callable.bin", ".."}, "/outputs/0/name"},
        {{"callable.bin", ""}, "/outputs/0/name"},
        {{"callable.bin", "artifact.json"}, "/outputs/0/name"},
        {{"callable.bin", "a\\u0000b"}, "/outputs/0/name"},
        {{"\"size\": 1000", "\"size\": -1"}, "/outputs/0/size"},
        {{"\"size\": 1000", "\"size\": 1e3"}, "/outputs/0/size"},
        {{"\"size\": 1000", "\"size\": 18446744073709551616"}, "/outputs/0/size"},
        {{"\"size\": 1000", "\"size\": 999"}, "/callable/children/1/offset"},
        {{"\"binary_offset\": 100", "\"binary_offset\": 951"}, "/callable/binary_offset"},
        {{"\"binary_offset\": 100", "\"binary_offset\": 18446744073709551615"}, "/callable/binary_offset"},
        {{"\"binary_size\": 50", "\"binary_size\": 18446744073709551615"}, "/callable/binary_offset"},
        {{"\"func_id\": 3", "\"func_id\": 2147483648"}, "/callable/children/0/func_id"},
        {{"\"func_id\": 3", "\"func_id\": -3"}, "/callable/children/0/func_id"},
        {{"\"core_type\": \"aiv\"", "\"core_type\": \"aix\""}, "/callable/children/0/core_type"},
        {{"\"code_offset\": 264", "\"code_offset\": 199"}, "/callable/children/0/code_offset"},
        {{"\"code_size\": 236", "\"code_size\": 237"}, "/callable/children/0/code_offset"},
        {{"\"resolved_address_offset\": 992", "\"resolved_address_offset\": 993"},
         "/callable/children/1/resolved_address_offset"},
        {{"\"resolved_address_offset\": 208", "\"resolved_address_offset\": 199"},
         "/callable/children/0/resolved_address_offset"},
        {{"\"in\",", "1,"}, "/callable/signature"},
        {{"\"children\": [", "\"childs\": ["}, "/callable/childs"},
    };
    for (const auto &row : table) {
        CAPTURE(row.first.second);
        const std::string message = error_of(replaced(text, row.first.first, row.first.second));
        CAPTURE(message);
        CHECK(message.starts_with(row.second + " "));
    }
}

TEST_CASE("names and members are not taken twice, and something must be there") {
    Manifest manifest = image();
    manifest.outputs[1].name = "image.so";
    CHECK(error_of(to_json(manifest)).starts_with("/outputs names \"image.so\" twice"));
    manifest.outputs.clear();
    CHECK(error_of(to_json(manifest)).starts_with("/outputs must name"));
}

TEST_CASE("what is no manifest at all is refused without harm") {
    CHECK(error_of("") == "is no JSON");
    CHECK(error_of("{") == "is no JSON");
    CHECK(error_of(std::string(1000, '\0')) == "is no JSON");
    CHECK(error_of(std::string(100000, '[')) == "is no JSON");
    CHECK(error_of("[]") == "is no object");
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    CHECK(error_of(deep) == "is no object");
    CHECK(error_of("null") == "is no object");
    CHECK(error_of("{\"outputs\": {\"a\": 1}}") != "");
    CHECK(error_of("{\"outputs\": [[]]}") != "");
    const std::string text = to_json(callable());
    for (std::size_t size = 0; size + 1 < text.size(); ++size) {
        CHECK_FALSE(parse_manifest(text.substr(0, size)));
    }
}
