#include "action/action_file.h"

#include <limits>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

using Json = nlohmann::ordered_json;

constexpr int k_action_file_version = 1;

// Words of commands are bytes; JSON strings are UTF-8. Latin-1 keeps every byte as one code point.
std::string to_utf8(const std::string &bytes) {
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0U | (byte >> 6U));
            text += static_cast<char>(0x80U | (byte & 0x3FU));
        }
    }
    return text;
}

std::string to_bytes(const std::string &text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x80 || i + 1 == text.size()) {
            bytes += text[i];
        } else {
            const auto low = static_cast<unsigned char>(text[++i]);
            bytes += static_cast<char>(((byte & 0x03U) << 6U) | (low & 0x3FU));
        }
    }
    return bytes;
}

Json list_json(const std::vector<std::string> &words) {
    Json list = Json::array();
    for (const std::string &word : words) {
        list.push_back(to_utf8(word));
    }
    return list;
}

std::vector<std::string> list_of(const Json &list) {
    std::vector<std::string> words;
    for (const Json &word : list) {
        words.push_back(to_bytes(word.get<std::string>()));
    }
    return words;
}

std::string text_of(const Json &value) {
    return to_bytes(value.get<std::string>());
}

// What is read is used as it is, also where it says which parts to take. So everything that could lead astray throws.
void require(bool holds, const char *what) {
    if (!holds) {
        throw std::out_of_range(what);
    }
}

template <typename Number>
Number number_of(const Json &value, Number least, Number most) {
    require(value.is_number_integer() && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX),
            "what must be a whole number is none");
    const auto number = value.get<std::int64_t>();
    require(number >= static_cast<std::int64_t>(least) && number <= static_cast<std::int64_t>(most),
            "a number out of its range");
    return static_cast<Number>(number);
}

CompilerFamily family_of(const Json &value) {
    return number_of(value, CompilerFamily::gcc, CompilerFamily::plain);
}

Digest digest_of(const Json &value) {
    const std::optional<Digest> digest = Digest::from_hex(value.get<std::string>());
    require(digest.has_value(), "what must be a digest is none");
    return *digest;
}

tl::unexpected<Error> damaged(const std::exception &error) {
    return failure("actions.jsonl is damaged (" + printable(error.what(), 200) + "); run scene-kernels warm again");
}

Json step_json(const ActionStep &step) {
    return Json{{"argv", list_json(step.argv)},      {"family", static_cast<int>(step.family)},
                {"compiler", step.is_compiler},      {"sources", step.reads_sources},
                {"libraries", step.reads_libraries}, {"assembler", step.asks_assembler},
                {"extract", step.extract},           {"library_directories", list_json(step.library_directories)}};
}

ActionStep step_of(const Json &json) {
    ActionStep step;
    step.argv = list_of(json.at("argv"));
    step.family = family_of(json.at("family"));
    step.is_compiler = json.at("compiler").get<bool>();
    step.reads_sources = json.at("sources").get<bool>();
    step.reads_libraries = json.at("libraries").get<bool>();
    step.asks_assembler = json.at("assembler").get<bool>();
    step.extract = text_of(json.at("extract"));
    step.library_directories = list_of(json.at("library_directories"));
    require(!step.argv.empty() || !step.extract.empty(), "a step without a command");
    return step;
}

Json signature_json(const std::vector<ArgDirection> &signature) {
    Json list = Json::array();
    for (const ArgDirection direction : signature) {
        list.push_back(static_cast<int>(direction));
    }
    return list;
}

std::vector<ArgDirection> signature_of(const Json &json) {
    std::vector<ArgDirection> signature;
    for (const Json &direction : json) {
        signature.push_back(number_of(direction, ArgDirection::scalar, ArgDirection::inout));
    }
    return signature;
}

Json pack_json(const PackSpec &pack) {
    Json children = Json::array();
    for (const PackChild &child : pack.children) {
        children.push_back(Json{{"func_id", child.func_id},
                                {"name", to_utf8(child.name)},
                                {"core_type", static_cast<int>(child.core_type)},
                                {"signature", signature_json(child.signature)},
                                {"dependency", child.dependency}});
    }
    return Json{
        {"function", pack.function_name}, {"config", pack.config_name}, {"signature", signature_json(pack.signature)},
        {"children", children},           {"library", pack.library},    {"packer", pack.packer}};
}

// `parts`: how many dependencies the action has.
PackSpec pack_of(const Json &json, std::size_t parts) {
    require(parts > 0, "a callable without parts");
    PackSpec pack;
    pack.function_name = json.at("function").get<std::string>();
    pack.config_name = json.at("config").get<std::string>();
    pack.signature = signature_of(json.at("signature"));
    for (const Json &item : json.at("children")) {
        PackChild child;
        child.func_id = number_of(item.at("func_id"), 0, std::numeric_limits<int>::max());
        child.name = text_of(item.at("name"));
        child.core_type = number_of(item.at("core_type"), CoreType::aic, CoreType::aiv);
        child.signature = signature_of(item.at("signature"));
        child.dependency = number_of(item.at("dependency"), std::size_t{0}, parts - 1);
        pack.children.push_back(std::move(child));
    }
    pack.library = number_of(json.at("library"), std::size_t{0}, parts - 1);
    pack.packer = number_of(json.at("packer"), std::size_t{0}, parts - 1);
    return pack;
}

Json action_json(const Action &action) {
    Json steps = Json::array();
    for (const ActionStep &step : action.steps) {
        steps.push_back(step_json(step));
    }
    Json environment = Json::object();
    for (const auto &[name, value] : action.environment) {
        environment[name] = to_utf8(value);
    }
    Json json{{"name", to_utf8(action.name)},
              {"kind", to_text(action.kind)},
              {"description", to_utf8(action.description)},
              {"platform", action.platform},
              {"runtime", action.runtime},
              {"recipe", action.recipe.hex()},
              {"error", to_utf8(action.error)},
              {"steps", steps},
              {"dependencies", list_json(action.dependencies)},
              {"source", to_utf8(action.source)},
              {"inputs", list_json(action.inputs)},
              {"named_files", list_json(action.named_files)},
              {"users", list_json(action.users)},
              {"entry", action.entry_symbol},
              {"machine", action.machine},
              {"fingerprint", action.fingerprint.hex()},
              {"family", static_cast<int>(action.family)},
              {"compiler", to_utf8(action.compiler)},
              {"launcher", static_cast<int>(action.launcher)},
              {"environment", environment}};
    if (action.pack) {
        json["pack"] = pack_json(*action.pack);
    }
    return json;
}

Action action_of(const Json &json) {
    Action action;
    action.name = text_of(json.at("name"));
    const std::optional<ActionKind> kind = action_kind_from_text(json.at("kind").get<std::string>());
    require(kind.has_value(), "an unknown kind of action");
    action.kind = *kind;
    action.description = text_of(json.at("description"));
    action.platform = json.at("platform").get<std::string>();
    action.runtime = json.at("runtime").get<std::string>();
    action.recipe = digest_of(json.at("recipe"));
    action.error = text_of(json.at("error"));
    for (const Json &step : json.at("steps")) {
        action.steps.push_back(step_of(step));
    }
    action.dependencies = list_of(json.at("dependencies"));
    action.source = text_of(json.at("source"));
    action.inputs = list_of(json.at("inputs"));
    action.named_files = list_of(json.at("named_files"));
    action.users = list_of(json.at("users"));
    action.entry_symbol = json.at("entry").get<std::string>();
    action.machine = json.at("machine").get<std::string>();
    action.fingerprint = digest_of(json.at("fingerprint"));
    action.family = family_of(json.at("family"));
    action.compiler = text_of(json.at("compiler"));
    action.launcher = number_of(json.at("launcher"), Launcher::none, Launcher::ccache);
    for (const auto &[name, value] : json.at("environment").items()) {
        action.environment.emplace(name, text_of(value));
    }
    if (json.contains("pack")) {
        action.pack = pack_of(json.at("pack"), action.dependencies.size());
    }
    require(action.pack.has_value() == (action.kind == ActionKind::callable), "what only a callable has");
    return action;
}

std::string line_start(const std::string &name) {
    const std::string text = Json{{"name", to_utf8(name)}}.dump();
    return text.substr(0, text.size() - 1);
}

std::string_view line_at(std::string_view text, std::size_t start) {
    return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

std::string portable_path(const std::string &path, const std::string &source_root, const std::string &graph_directory) {
    if (path_is_inside(path, source_root) && path_is_inside(graph_directory, source_root)) {
        return path_relative(path, graph_directory);
    }
    return path;
}

std::string write_action_file(const ActionFileHeader &header, const std::vector<Action> &actions,
                              const std::string &graph_directory) {
    const auto portable = [&](const std::string &path) {
        return to_utf8(portable_path(path, header.source_root, graph_directory));
    };
    Json roots = Json::array();
    for (const Root &root : header.roots) {
        roots.push_back(Json{{"name", root.name}, {"path", portable(root.path)}});
    }
    std::string text = Json{{"version", k_action_file_version},
                            {"source_root", portable(header.source_root)},
                            {"roots", roots},
                            {"store", portable(header.store)},
                            {"allow_foreign_store", header.allow_foreign_store},
                            {"search_path", to_utf8(header.search_path)}}
                           .dump();
    text += '\n';
    for (const Action &action : actions) {
        text += action_json(action).dump();
        text += '\n';
    }
    return text;
}

Expected<ActionFileHeader> read_action_header(std::string_view text, const std::string &graph_directory) {
    try {
        const Json json = Json::parse(line_at(text, 0));
        if (json.at("version").get<int>() != k_action_file_version) {
            return failure("actions.jsonl was written by another version; run scene-kernels warm again");
        }
        const auto absolute = [&graph_directory](const Json &path) {
            return path_normal(path_join(graph_directory, text_of(path)));
        };
        ActionFileHeader header;
        header.source_root = absolute(json.at("source_root"));
        for (const Json &root : json.at("roots")) {
            header.roots.push_back({root.at("name").get<std::string>(), absolute(root.at("path"))});
        }
        header.store = absolute(json.at("store"));
        header.allow_foreign_store = json.at("allow_foreign_store").get<bool>();
        header.search_path = text_of(json.at("search_path"));
        return header;
    } catch (const std::exception &error) {
        return damaged(error);
    }
}

Expected<std::optional<Action>> read_action(std::string_view text, const std::string &name) {
    const std::string start = "\n" + line_start(name) + ",";
    const std::size_t found = text.find(start);
    if (found == std::string_view::npos) {
        return std::nullopt;
    }
    try {
        return action_of(Json::parse(line_at(text, found + 1)));
    } catch (const std::exception &error) {
        return damaged(error);
    }
}

std::vector<std::string> action_names(std::string_view text) {
    std::vector<std::string> names;
    const std::string_view start = "{\"name\":";
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
        const std::string_view line = line_at(text, at + 1);
        if (line.substr(0, start.size()) != start) {
            continue;
        }
        const Json json = Json::parse(line, nullptr, false);
        if (json.is_object() && json.at("name").is_string()) {
            names.push_back(text_of(json.at("name")));
        }
    }
    return names;
}

}  // namespace scene_kernels
