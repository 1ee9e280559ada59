#include "plan/request.h"

#include <nlohmann/json.hpp>

#include "action/action_file.h"
#include "base/strings.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

using Json = nlohmann::ordered_json;

constexpr int k_request_version = 1;
constexpr const char *k_manual_texts[] = {"exclude", "include", "only"};
constexpr const char *k_launcher_texts[] = {"none", "ccache"};

// Paths are bytes; where they are no UTF-8, JSON cannot hold them as they are.
Expected<std::string> dumped(const Json &json) {
    try {
        return json.dump(2) + "\n";
    } catch (const nlohmann::json::exception &) {
        return input_error("a path or value on the command line is not valid UTF-8");
    }
}

}  // namespace

std::string Request::graph_directory() const {
    return path_join(path_join(build_dir, "scene-kernels"), graph_name);
}

const char *to_text(ManualMode mode) {
    return k_manual_texts[static_cast<int>(mode)];
}

std::optional<ManualMode> manual_mode_from_text(std::string_view text) {
    for (int i = 0; i < 3; ++i) {
        if (text == k_manual_texts[i]) {
            return static_cast<ManualMode>(i);
        }
    }
    return std::nullopt;
}

const char *to_text(Launcher launcher) {
    return k_launcher_texts[static_cast<int>(launcher)];
}

std::optional<Launcher> launcher_from_text(std::string_view text) {
    for (int i = 0; i < 2; ++i) {
        if (text == k_launcher_texts[i]) {
            return static_cast<Launcher>(i);
        }
    }
    return std::nullopt;
}

Expected<std::string> write_request(const Request &request) {
    const std::string graph = request.graph_directory();
    const auto portable = [&](const std::string &path) { return portable_path(path, request.source_root, graph); };
    Json scenes = Json::array();
    for (const std::string &scene : request.scenes) {
        scenes.push_back(portable(scene));
    }
    Json environment = Json::object();
    for (const auto &[name, value] : request.environment) {
        environment[name] = value ? Json(*value) : Json(nullptr);
    }
    Json set = Json::object();
    for (const auto &[name, value] : request.set) {
        set[name] = value;
    }
    const Json json{{"version", k_request_version},
                    {"source_root", portable(request.source_root)},
                    {"build_dir", portable(request.build_dir)},
                    {"graph_name", request.graph_name},
                    {"store", portable(request.store)},
                    {"sdk", portable(request.sdk)},
                    {"platform", request.platform},
                    {"scenes", scenes},
                    {"set", set},
                    {"select", request.select},
                    {"manual", to_text(request.manual)},
                    {"launcher", request.launcher ? Json(to_text(*request.launcher)) : Json(nullptr)},
                    {"allow_foreign_store", request.allow_foreign_store},
                    {"search_path", request.search_path},
                    {"environment", environment}};
    return dumped(json);
}

Expected<Request> read_request(std::string_view text, const std::string &graph_directory) {
    try {
        const Json json = Json::parse(text);
        if (json.at("version").get<int>() != k_request_version) {
            return input_error(graph_directory + "/request.json is of another version; run scene-kernels warm again");
        }
        const auto absolute = [&](const char *name) {
            return path_normal(path_join(graph_directory, json.at(name).get<std::string>()));
        };
        Request request;
        request.source_root = absolute("source_root");
        request.build_dir = absolute("build_dir");
        request.graph_name = json.at("graph_name").get<std::string>();
        request.store = absolute("store");
        request.sdk = absolute("sdk");
        request.platform = json.at("platform").get<std::string>();
        for (const Json &scene : json.at("scenes")) {
            request.scenes.push_back(path_normal(path_join(graph_directory, scene.get<std::string>())));
        }
        for (const auto &[name, value] : json.at("set").items()) {
            request.set.emplace(name, value.get<std::string>());
        }
        request.select = json.at("select").get<std::string>();
        request.manual = manual_mode_from_text(json.at("manual").get<std::string>()).value_or(ManualMode::exclude);
        if (!json.at("launcher").is_null()) {
            request.launcher = launcher_from_text(json.at("launcher").get<std::string>());
        }
        request.allow_foreign_store = json.at("allow_foreign_store").get<bool>();
        request.search_path = json.at("search_path").get<std::string>();
        for (const auto &[name, value] : json.at("environment").items()) {
            request.environment.emplace(
                name, value.is_null() ? std::nullopt : std::optional<std::string>(value.get<std::string>()));
        }
        return request;
    } catch (const nlohmann::json::exception &error) {
        return input_error(graph_directory + "/request.json is damaged (" + printable(error.what(), 200) +
                           "); run scene-kernels warm again");
    }
}

}  // namespace scene_kernels
