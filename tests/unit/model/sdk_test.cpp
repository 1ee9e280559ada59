// What a good SDK description reads as; texts stay as they are written.
#include <doctest/doctest.h>

#include "fixture.h"
#include "model/template_text.h"

namespace scene_kernels {

namespace {

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the general part of an SDK description") {
    const Sdk sdk = parse_sdk(k_sdk_path, k_sdk_text).value();
    CHECK(sdk.path == k_sdk_path);
    CHECK(sdk.directory == "/p/sdk");
    CHECK(sdk.name == "test");
    CHECK(sdk.default_platform == "a2a3sim");
    CHECK(sdk.environment == Texts{"LICENSE_FILE"});
    CHECK(sdk.launcher == Launcher::ccache);
    CHECK(sdk.limits.tensor_args_per_kernel == 3);
    CHECK(sdk.limits.tensor_args_per_callable == 4);
    CHECK(sdk.limits.kernels_per_callable == 3);
    CHECK(sdk.limits.name_bytes == 20);
    CHECK(sdk.packer.toolchain == "host");
    CHECK(sdk.packer.header == "callable.h");
    CHECK(sdk.packer.args == Texts{"-std=c++17"});
    CHECK(sdk.packer.include_dirs == Texts{"include"});
    REQUIRE(sdk.variables.size() == 2);
    const SdkVariable &toolkit = sdk.variables.at("TOOLKIT");
    CHECK(toolkit.name == "TOOLKIT");
    CHECK(toolkit.environment == "TOOLKIT_HOME");
    CHECK(toolkit.description == "the toolkit");
    CHECK_FALSE(toolkit.fallback.has_value());
    CHECK(toolkit.is_directory);
    CHECK(sdk.variables.at("LEVEL").fallback == "2");
    CHECK(sdk.variables.at("LEVEL").environment.empty());
    CHECK_FALSE(sdk.variables.at("LEVEL").is_directory);
}

TEST_CASE("toolchains of an SDK description") {
    const Sdk sdk = parse_sdk(k_sdk_path, k_sdk_text).value();
    REQUIRE(sdk.toolchains.size() == 2);
    const SdkToolchain &host = sdk.toolchains.at("host");
    CHECK(host.name == "host");
    CHECK(host.launcher == Launcher::none);
    CHECK(host.machine.empty());
    REQUIRE(host.compilers.size() == 1);
    CHECK(host.compilers[0].program == "g++");
    CHECK(host.compilers[0].family == CompilerFamily::gcc);
    CHECK(host.compilers[0].args == Texts{"-O{arch}"});
    CHECK(host.compilers[0].wraps == Texts{"/usr/bin/g++-12"});
    REQUIRE(host.image.size() == 1);
    CHECK(host.image[0].run == "compiler");
    CHECK(host.image[0].args == Texts{"{args}", "{include_dirs}", "{source}", "-o", "{output}"});
    CHECK(host.image[0].reads_sources);
    CHECK(host.image[0].reads_libraries);
    CHECK(host.object[0].reads_sources);
    CHECK_FALSE(host.object[0].reads_libraries);
    CHECK_FALSE(host.library[0].reads_sources);
    CHECK(host.library[0].reads_libraries);
    CHECK_FALSE(host.program[0].reads_sources);
    const SdkToolchain &device = sdk.toolchains.at("device");
    CHECK_FALSE(device.launcher.has_value());
    CHECK(device.machine == "aicore");
    CHECK(device.compilers[0].family == CompilerFamily::clang);
    CHECK(device.programs == std::map<std::string, std::string>{{"linker", "${TOOLKIT}/bin/ld.lld"}});
    REQUIRE(device.image.size() == 3);
    CHECK(device.image[1].run == "linker");
    CHECK(device.image[2].run.empty());
    CHECK(device.image[2].extract == ".text");
    CHECK(device.object.empty());
}

TEST_CASE("platforms of an SDK description") {
    const Sdk sdk = parse_sdk(k_sdk_path, k_sdk_text).value();
    REQUIRE(sdk.platforms.size() == 2);
    const SdkPlatform &device = sdk.platforms.at("a2a3");
    CHECK(device.name == "a2a3");
    CHECK(device.values == std::map<std::string, std::string>{{"arch", "a2a3"}});
    CHECK(device.requires_variables == Texts{"TOOLKIT"});
    CHECK(device.image.toolchain == "device");
    CHECK(device.image.args == Texts{"-a"});
    CHECK(device.image.aic_args == Texts{"-c"});
    CHECK(device.image.aiv_args == Texts{"-v"});
    CHECK(device.image.include_dirs == Texts{"{sdk}/i"});
    CHECK(device.entry_symbol == "entry");
    const SdkPlatform &sim = sdk.platforms.at("a2a3sim");
    CHECK(sim.entry_symbol == "kernel_entry");
    CHECK(sim.orchestration.toolchain == "host");
    CHECK(sim.orchestration.args == Texts{"-DX={platform}"});
    CHECK(sim.orchestration.include_dirs == Texts{"src/{arch}"});
    REQUIRE(sim.runtimes.size() == 2);
    const SdkRuntime &graph = sim.runtimes.at("host_build_graph");
    CHECK(graph.name == "host_build_graph");
    CHECK(graph.toolchain == "host");
    CHECK(graph.args == Texts{"-r"});
    CHECK(graph.include_dirs == Texts{"r"});
    CHECK(graph.image_include_dirs == Texts{"ri"});
    CHECK(graph.sources == Texts{"r/graph.cpp"});
    CHECK_FALSE(sim.runtimes.at("tensormap_and_ringbuffer").toolchain.has_value());
}

TEST_CASE("limits, variables and environment have defaults") {
    std::string text = with(
        k_sdk_text,
        R"(  "limits": {"tensor_args_per_kernel": 3, "tensor_args_per_callable": 4, "kernels_per_callable": 3, "name_bytes": 20},
)",
        "");
    text = with(text, R"("launcher": "ccache",)", "");
    const Sdk sdk = parse_sdk(k_sdk_path, text).value();
    CHECK(sdk.limits.tensor_args_per_kernel == 32);
    CHECK(sdk.limits.tensor_args_per_callable == 256);
    CHECK(sdk.limits.kernels_per_callable == 1024);
    CHECK(sdk.limits.name_bytes == 63);
    CHECK(sdk.launcher == Launcher::none);
}

TEST_CASE("an SDK description is loaded from a file") {
    ModelFixture fixture;
    fixture.files.add(k_sdk_path, k_sdk_text);
    CHECK(load_sdk(fixture.files, k_sdk_path).value().name == "test");
    CHECK(load_sdk(fixture.files, "/p/none.sdk.json").error().message == "/p/none.sdk.json: no such file");
    CHECK(load_sdk(fixture.files, "/p/none.sdk.json").error().kind == ErrorKind::input);
    CHECK(parse_sdk(k_sdk_path, "3").error().message == "/p/sdk/test.sdk.json:1:1: must be an object, is an integer");
    CHECK(parse_sdk(k_sdk_path, "{\"toolchains\": {}, \"platforms\": {}}").error().message ==
          "/p/sdk/test.sdk.json:1:1: the required key \"schema\" is missing\n"
          "/p/sdk/test.sdk.json:1:1: the required key \"name\" is missing\n"
          "/p/sdk/test.sdk.json:1:1: the required key \"packer\" is missing\n"
          "/p/sdk/test.sdk.json:1:1: the required key \"default_platform\" is missing\n"
          "/p/sdk/test.sdk.json:1:16: at /toolchains: must have at least one member\n"
          "/p/sdk/test.sdk.json:1:33: at /platforms: must have at least one member");
}

TEST_CASE("a toolchain may use the values that every platform with it has") {
    const std::string text = with(k_sdk_text, R"("values": {"arch": "a2a3"}, "requires")",
                                  R"("values": {"arch": "a2a3", "soc": "x"}, "requires")");
    // `device` is used by a2a3 alone, `host` and the packer by both platforms.
    CHECK(parse_sdk(k_sdk_path, with(text, "--level=${LEVEL}", "--level={soc}")).has_value());
    for (const auto &[from, to] : {std::pair{"-O{arch}", "-O{soc}"}, std::pair{"-std=c++17", "-std={soc}"}}) {
        const auto sdk = parse_sdk(k_sdk_path, with(text, from, to));
        REQUIRE_FALSE(sdk.has_value());
        CHECK(
            sdk.error().message.ends_with("{soc} is used here, but not among the \"values\" of platform \"a2a3sim\""));
    }
}

TEST_CASE("a text is split into literals, placeholders and variables") {
    const auto pieces = split_template("-I{sdk}/$$x{{y}}${HOME_1}{arch}").value();
    REQUIRE(pieces.size() == 5);
    CHECK(pieces[0].text == "-I");
    CHECK(pieces[1].part == TemplatePart::placeholder);
    CHECK(pieces[1].text == "sdk");
    CHECK(pieces[2].part == TemplatePart::literal);
    CHECK(pieces[2].text == "/$x{y}");
    CHECK(pieces[3].part == TemplatePart::variable);
    CHECK(pieces[3].text == "HOME_1");
    CHECK(pieces[4].text == "arch");
    CHECK(split_template("").value().empty());
    const std::string odd = "${a} {b} $$ }{";
    const auto again = split_template(escaped_for_template(odd)).value();
    REQUIRE(again.size() == 1);
    CHECK(again[0].text == odd);
}

}  // namespace scene_kernels
