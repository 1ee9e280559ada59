// What the user asked for, in full: enough to plan again later without the command line (`request.json` in the graph
// directory). Decisions that depend on the caller's surroundings (PATH, environment) are made once, here, and recorded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/sdk.h"
#include "model/selection.h"
#include "os/filesystem.h"

namespace scene_kernels {

struct Request {
    std::string source_root;  // absolute, no symlinks
    std::string build_dir;    // absolute
    std::string graph_name = "default";
    std::string store;                // absolute
    std::string sdk;                  // absolute
    std::string platform;             // empty: the SDK's default
    std::vector<std::string> scenes;  // absolute: descriptors or folders
    std::map<std::string, std::string> set;
    std::string select;
    ManualMode manual = ManualMode::exclude;
    std::optional<Launcher> launcher;
    bool allow_foreign_store = false;
    std::string search_path;                                        // the caller's PATH
    std::map<std::string, std::optional<std::string>> environment;  // what was asked of it so far, with the answers

    [[nodiscard]] std::string graph_directory() const;
};

// Paths inside the source root are written relative to the graph directory, so that a copied checkout plans itself.
[[nodiscard]] Expected<std::string> write_request(const Request &request);
[[nodiscard]] Expected<Request> read_request(std::string_view text, const std::string &graph_directory);

[[nodiscard]] const char *to_text(ManualMode mode);
[[nodiscard]] std::optional<ManualMode> manual_mode_from_text(std::string_view text);
[[nodiscard]] const char *to_text(Launcher launcher);
[[nodiscard]] std::optional<Launcher> launcher_from_text(std::string_view text);

}  // namespace scene_kernels
