#include "report/events.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace scene_kernels {

namespace {

using Json = nlohmann::ordered_json;

BuildResult result_of(const std::string &text) {
    for (const BuildResult result : {BuildResult::hit, BuildResult::built, BuildResult::uncacheable}) {
        if (text == to_text(result)) {
            return result;
        }
    }
    return text == to_text(BuildResult::interrupted) ? BuildResult::interrupted : BuildResult::failed;
}

}  // namespace

std::string events_path(const std::string &graph_directory) {
    return path_join(graph_directory, "events");
}

std::string event_line(const std::string &action, const BuildOutcome &outcome) {
    const Json json{{"action", action},           {"result", to_text(outcome.result)}, {"commands", outcome.commands},
                    {"seconds", outcome.seconds}, {"reason", outcome.reason},          {"not_kept", outcome.not_kept}};
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::map<std::string, Event> parse_events(std::string_view text) {
    std::map<std::string, Event> events;
    for (const std::string &line : split(text, '\n')) {
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object()) {
            continue;
        }
        try {
            const Json &commands = json.at("commands");
            if (!commands.is_number_integer()) {
                continue;  // the library would convert any number, also one that does not fit
            }
            Event event;
            event.action = json.at("action").get<std::string>();
            event.result = result_of(json.at("result").get<std::string>());
            event.commands = commands.get<int>();
            event.seconds = json.at("seconds").get<double>();
            event.reason = json.at("reason").get<std::string>();
            event.not_kept = json.at("not_kept").get<std::string>();
            events[event.action] = std::move(event);
        } catch (const nlohmann::json::exception &) {
            continue;
        }
    }
    return events;
}

}  // namespace scene_kernels
