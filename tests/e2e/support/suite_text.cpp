#include "support/suite_text.h"

#include <nlohmann/json.hpp>

namespace scene_kernels::e2e {

using nlohmann::json;

namespace {

json step(const std::vector<std::string> &args, const std::vector<std::string> &reads) {
    return {{"run", "compiler"}, {"args", args}, {"reads", reads}};
}

json host_toolchain(const SuiteShape &shape) {
    json compiler = {{"program", "/usr/bin/g++"}, {"family", "gcc"}};
    if (shape.gated) {
        compiler = {{"program", "{sdk}/tools/cxx"}, {"family", "gcc"}, {"wraps", {E2E_REAL_COMPILER}}};
    }
    const json compile =
        step({"-c", "-O1", "-fPIC", "{args}", "{include_dirs}", "{source}", "-o", "{object}"}, {"sources"});
    const json compile_object =
        step({"-c", "-O1", "-fPIC", "{args}", "{include_dirs}", "{source}", "-o", "{output}"}, {"sources"});
    return {{"compilers", {compiler}},
            {"launcher", shape.launcher},
            {"image", {compile, step({"-shared", "{args}", "{object}", "-o", "{output}"}, {"libraries"})}},
            {"object", {compile_object}},
            {"library", {step({"-shared", "{args}", "{objects}", "-o", "{output}"}, {"libraries"})}},
            {"program", {compile, step({"{args}", "{object}", "-o", "{output}"}, {"libraries"})}}};
}

json platform(const std::string &macro) {
    const std::vector<std::string> args = {"-std=c++17", macro};
    const std::vector<std::string> folders = {"before", "include"};
    return {{"image",
             {{"toolchain", "host"},
              {"args", args},
              {"aic_args", {"-DTINY_AIC"}},
              {"aiv_args", {"-DTINY_AIV"}},
              {"include_dirs", folders}}},
            {"orchestration", {{"toolchain", "host"}, {"args", args}, {"include_dirs", folders}}},
            {"runtimes", {{"host_build_graph", {{"sources", {"runtime/runtime.cpp"}}}}}}};
}

json incore(int func_id, const std::string &source) {
    return {{"func_id", func_id},
            {"core_type", func_id % 2 == 0 ? "aiv" : "aic"},
            {"source", source},
            {"signature", {"in", "out"}}};
}

}  // namespace

std::string tiny_sdk(const SuiteShape &shape) {
    const json sdk = {
        {"schema", 1},
        {"name", "tiny"},
        {"default_platform", "sim"},
        {"limits",
         {{"tensor_args_per_kernel", 32},
          {"tensor_args_per_callable", 256},
          {"kernels_per_callable", 1024},
          {"name_bytes", 63}}},
        {"packer",
         {{"toolchain", "host"}, {"header", "callable.h"}, {"include_dirs", {"include"}}, {"args", {"-std=c++17"}}}},
        {"toolchains", {{"host", host_toolchain(shape)}}},
        {"platforms", {{"sim", platform("-DTINY_SIM")}, {"other", platform("-DTINY_OTHER")}}}};
    return sdk.dump(2) + "\n";
}

std::string scene_text(const std::string &name, int kernels) {
    json incores = json::array();
    for (int kernel = 0; kernel < kernels; ++kernel) {
        incores.push_back(incore(kernel, "kernels/" + name + "_k" + std::to_string(kernel) + ".cpp"));
    }
    incores.push_back(incore(100, "../../kernels/common.cpp"));
    const json callable = {{"name", name},
                           {"orchestration",
                            {{"source", "orchestration/" + name + "_orch.cpp"},
                             {"function_name", "build_" + name},
                             {"signature", {"in", "out"}}}},
                           {"incores", incores}};
    const json scene = {{"schema", 1},
                        {"name", name},
                        {"runtime", "host_build_graph"},
                        {"callables", {callable}},
                        {"cases", {{{"name", "default"}, {"platforms", {"sim", "other"}}}}}};
    return scene.dump(2) + "\n";
}

std::string kernel_text(const std::string &value) {
    return "#include \"all.h\"\n#include \"sub/deep.h\"\n"
           "// a comment\n"
           "extern \"C\" void kernel_entry(long *args) {\n"
           "    for (long i = 0; i < 16; ++i) {\n"
           "        args[i] += i * ALL_VALUE + DEEP_VALUE + " +
           value +
           ";\n"
           "    }\n"
           "}\n";
}

std::string orchestration_text(int index) {
    const std::string number = std::to_string(index);
    return "#include \"orch.h\"\n"
           "// a comment\n"
           "extern \"C\" int tiny_runtime(int value);\n"
           "extern \"C\" int build_s" +
           number + "(void *) {\n    return tiny_runtime(ORCH_VALUE + " + number + ");\n}\n";
}

}  // namespace scene_kernels::e2e
