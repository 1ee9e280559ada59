// A small SDK description, a descriptor and their files in memory, from which the tests of generator/model start.
#pragma once

#include <string>
#include <string_view>

#include "memory_filesystem.h"
#include "model/load.h"

namespace scene_kernels {

inline constexpr const char *k_sdk_path = "/p/sdk/test.sdk.json";
inline constexpr const char *k_scene_path = "/p/scenes/add.scene.json";

// Valid texts; tests change one place in them.
extern const std::string k_sdk_text;
extern const std::string k_scene_text;

// `text` with the only occurrence of `from` replaced by `to`. Throws where it does not occur exactly once.
[[nodiscard]] std::string with(const std::string &text, std::string_view from, std::string_view to);
[[nodiscard]] std::string first_line(const std::string &text);

struct ModelFixture {
    FakeClock clock;
    MemoryFileSystem files{clock};
    Sdk sdk;

    // Has the sources that k_scene_text names.
    ModelFixture();
    // Writes `text` to k_scene_path and loads it.
    [[nodiscard]] Expected<Scene> load(const std::string &text);
    // The error's text of the same; "accepted" where there is none.
    [[nodiscard]] std::string error_of(const std::string &text);
};

}  // namespace scene_kernels
