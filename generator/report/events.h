// `events` in a graph directory: what `build` processes tell the `warm` that waits for Ninja, one JSON text per line.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "build/action_runner.h"
#include "os/filesystem.h"

namespace scene_kernels {

struct Event {
    std::string action;
    BuildResult result = BuildResult::failed;
    int commands = 0;
    double seconds = 0;
    std::string reason;
    std::string not_kept;
};

[[nodiscard]] std::string events_path(const std::string &graph_directory);
// One line, with its newline; appended with a single write, so that lines of several processes do not mix.
[[nodiscard]] std::string event_line(const std::string &action, const BuildOutcome &outcome);
// The last event of each action. Lines that are damaged are skipped.
[[nodiscard]] std::map<std::string, Event> parse_events(std::string_view text);

}  // namespace scene_kernels
