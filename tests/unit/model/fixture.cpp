#include "fixture.h"

#include <stdexcept>

namespace scene_kernels {

const std::string k_sdk_text = R"({
  "schema": 1, "name": "test", "default_platform": "a2a3sim",
  "variables": {"TOOLKIT": {"environment": "TOOLKIT_HOME", "kind": "directory", "description": "the toolkit"},
                "LEVEL": {"kind": "text", "default": "2"}},
  "environment": ["LICENSE_FILE"],
  "limits": {"tensor_args_per_kernel": 3, "tensor_args_per_callable": 4, "kernels_per_callable": 3, "name_bytes": 20},
  "packer": {"toolchain": "host", "header": "callable.h", "include_dirs": ["include"], "args": ["-std=c++17"]},
  "launcher": "ccache",
  "toolchains": {
    "host": {
      "compilers": [{"program": "g++", "family": "gcc", "args": ["-O{arch}"], "wraps": ["/usr/bin/g++-12"]}],
      "launcher": "none",
      "image": [{"run": "compiler", "args": ["{args}", "{include_dirs}", "{source}", "-o", "{output}"], "reads": ["sources", "libraries"]}],
      "object": [{"run": "compiler", "args": ["-c", "{args}", "{source}", "-o{output}"], "reads": ["sources"]}],
      "library": [{"run": "compiler", "args": ["{objects}", "-o", "{output}"], "reads": ["libraries"]}],
      "program": [{"run": "compiler", "args": ["{source}", "-o", "{output}", "-Wl,-rpath,$$ORIGIN"]}]
    },
    "device": {
      "compilers": [{"program": "${TOOLKIT}/bin/ccec", "family": "clang"}],
      "programs": {"linker": "${TOOLKIT}/bin/ld.lld"},
      "machine": "aicore",
      "image": [
        {"run": "compiler", "args": ["{source}", "-o", "{object}", "--level=${LEVEL}"], "reads": ["sources"]},
        {"run": "linker", "args": ["{object}", "-o", "{output}"]},
        {"extract": ".text"}
      ]
    }
  },
  "platforms": {
    "a2a3": {
      "values": {"arch": "a2a3"}, "requires": ["TOOLKIT"],
      "image": {"toolchain": "device", "args": ["-a"], "aic_args": ["-c"], "aiv_args": ["-v"], "include_dirs": ["{sdk}/i"]},
      "orchestration": {"toolchain": "host"},
      "runtimes": {"host_build_graph": {}},
      "entry_symbol": "entry"
    },
    "a2a3sim": {
      "values": {"arch": "a2a3"},
      "image": {"toolchain": "host"},
      "orchestration": {"toolchain": "host", "args": ["-DX={platform}"], "include_dirs": ["src/{arch}"]},
      "runtimes": {
        "host_build_graph": {"toolchain": "host", "args": ["-r"], "include_dirs": ["r"], "image_include_dirs": ["ri"], "sources": ["r/graph.cpp"]},
        "tensormap_and_ringbuffer": {}
      }
    }
  }
}
)";

const std::string k_scene_text = R"({
  // comments are allowed
  "schema": 1,
  "name": "add",
  "runtime": "host_build_graph",
  "labels": ["fast", "st.add[1]"],
  "callables": [
    {
      "name": "add_two",
      "orchestration": {"source": "orch/build.cpp", "function_name": "build_graph", "config_name": "config", "signature": ["in", "out"], "extra_include_dirs": ["$TOOLKIT/include"], "extra_inputs": ["orch/table.bin"]},
      "incores": [
        {"func_id": 0, "name": "first", "core_type": "aiv", "source": "aiv/add.cpp", "signature": ["in", "inout", "scalar"]},
        {"func_id": 7, "core_type": "aic", "source": "../shared/mul.cpp", "extra_include_dirs": ["inc"], "extra_inputs": ["orch/table.bin"]}
      ]
    }
  ],
  "cases": [
    {"name": "default", "platforms": ["a2a3sim", "a2a3"]},
    {"name": "big", "platforms": ["a2a3sim"], "manual": ["a2a3sim"], "skip": [{"when": {"platform": "a2a3sim", "os": ["linux"], "machine": "x86_64", "env": {"CI": "1", "GPU": true}, "missing_tool": "g++"}, "reason": "too slow"}]}
  ]
}
)";

std::string with(const std::string &text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) {
        throw std::invalid_argument("must occur exactly once: " + std::string(from));
    }
    std::string changed = text;
    return changed.replace(at, from.size(), to);
}

std::string first_line(const std::string &text) {
    return text.substr(0, text.find('\n'));
}

ModelFixture::ModelFixture() : sdk(parse_sdk(k_sdk_path, k_sdk_text).value()) {
    for (const char *path : {"/p/scenes/orch/build.cpp", "/p/scenes/orch/table.bin", "/p/scenes/aiv/add.cpp",
                             "/p/shared/mul.cpp", "/p/shared/bad name.cpp"}) {
        files.add(path, "");
    }
}

Expected<Scene> ModelFixture::load(const std::string &text) {
    files.add(k_scene_path, text);
    return load_scene(files, k_scene_path, sdk);
}

std::string ModelFixture::error_of(const std::string &text) {
    const auto scene = load(text);
    return scene ? "accepted" : scene.error().message;
}

}  // namespace scene_kernels
