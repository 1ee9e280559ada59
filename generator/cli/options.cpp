#include "cli/options.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "model/load.h"
#include "os/environment.h"

namespace scene_kernels {

namespace {

// The nearest folder with a .git, upwards from `directory`; nothing outside of a work tree.
Expected<std::optional<std::string>> git_top_level(FileSystem &files, std::string directory) {
    for (;;) {
        SK_TRY(const auto present, files.stat(path_join(directory, ".git")));
        if (present) {
            return directory;
        }
        if (directory == "/") {
            return std::nullopt;
        }
        directory = std::string(path_parent(directory));
    }
}

// Absolute, with symlinks resolved as far as the path exists.
Expected<std::string> settled(FileSystem &files, const std::string &path) {
    std::string existing = path_normal(path_join(current_directory(), path));
    std::string rest;
    for (;;) {
        if (const auto real = files.real_path(existing)) {
            return rest.empty() ? *real : path_join(*real, rest);
        }
        if (existing == "/") {
            return input_error("cannot resolve " + path);
        }
        rest = rest.empty() ? std::string(path_name(existing)) : path_join(path_name(existing), rest);
        existing = std::string(path_parent(existing));
    }
}

Expected<void> refuse_newlines(const std::string &option, const std::string &path) {
    const bool bad = std::any_of(path.begin(), path.end(), [](char c) { return c == '\n' || c == '\r'; });
    if (bad) {
        return input_error(option + ": the path " + shell_quoted(path) +
                           " holds a newline, which Ninja cannot take; rename the folder");
    }
    return {};
}

Expected<std::map<std::string, std::string>> parse_set(const std::vector<std::string> &texts) {
    std::map<std::string, std::string> values;
    for (const std::string &text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            return input_error("--set " + text + ": expected NAME=VALUE");
        }
        const std::string name = text.substr(0, equals);
        if (!values.emplace(name, text.substr(equals + 1)).second) {
            return input_error("--set " + name + " is given twice");
        }
    }
    return values;
}

Expected<void> check_graph_name(const std::string &name) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
               c == '-';
    };
    if (name.empty() || name.front() == '.' || name.front() == '-' || !std::all_of(name.begin(), name.end(), allowed)) {
        return input_error("--graph-name " + shell_quoted(name) + ": expected letters, digits, '_', '.' and '-'");
    }
    return {};
}

}  // namespace

Expected<std::string> choose_source_root(FileSystem &files, const std::string &given) {
    if (given.empty()) {
        const std::string here = current_directory();
        SK_TRY(const auto top, git_top_level(files, here));
        return top.value_or(here);
    }
    SK_TRY(const std::string path, settled(files, given));
    SK_TRY(const auto present, files.stat(path));
    if (!present || present->type != FileType::directory) {
        return input_error("--source-root " + given + ": no such directory");
    }
    return path;
}

Expected<std::string> choose_store(FileSystem &files, const std::string &source_root, const std::string &given) {
    const std::string store = !given.empty() ? given : environment_variable("SCENE_KERNELS_STORE").value_or("");
    return settled(files, store.empty() ? path_join(source_root, "build/cache/kernels") : store);
}

void add_scene_options(CLI::App &command, SceneOptions &options, bool scenes) {
    command.add_option("--sdk", options.sdk, "SDK description (*.sdk.json); default: the built-in one")
        ->type_name("FILE");
    command.add_option("--platform", options.platform, "platform of the SDK; default: the SDK's own default")
        ->type_name("P");
    command
        .add_option("--source-root", options.source_root,
                    "where commands run and paths start; default: the git top level or the current directory")
        ->type_name("DIR");
    command.add_option("--build-dir", options.build_dir, "default: build/<platform> in the source root")
        ->type_name("DIR");
    command
        .add_option("--store", options.store,
                    "where artifacts are kept; default: $SCENE_KERNELS_STORE or build/cache/kernels")
        ->type_name("DIR");
    command.add_option("--set", options.set, "value of an SDK variable")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command.add_option("--graph-name", options.graph_name, "tells graphs in one build directory apart")
        ->type_name("NAME");
    command.add_option("--launcher", options.launcher, "compiler launcher: ccache or none; default: the SDK's")
        ->type_name("L");
    command.add_flag("--allow-foreign-store", options.allow_foreign_store,
                     "use a store that belongs to another user (who can then run code in your tests)");
    command.add_option("--select", options.select, "only what EXPR matches: and, or, not, names, labels")
        ->type_name("EXPR");
    command.add_option("--manual", options.manual, "manual cases: exclude, include or only")->type_name("M");
    // Of an option that is given twice the last counts, so that scripts can append to a command line.
    for (CLI::Option *option : command.get_options()) {
        if (option->get_name() != "--set" && option->get_items_expected_max() == 1 && option->get_name() != "--help") {
            option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
        }
    }
    if (scenes) {
        command.add_option("SCENE", options.scenes, "descriptors, or folders searched for *.scene.json")->required();
    }
}

Expected<Request> make_request(FileSystem &files, const SceneOptions &options, const std::string &data_directory) {
    Request request;
    SK_CHECK(check_graph_name(options.graph_name));
    request.graph_name = options.graph_name;
    SK_TRY(request.source_root, choose_source_root(files, options.source_root));
    SK_TRY(request.sdk,
           settled(files, options.sdk.empty() ? path_join(data_directory, "sdk/scene.sdk.json") : options.sdk));
    request.platform = options.platform;
    if (request.platform.empty()) {
        SK_TRY(const Sdk sdk, load_sdk(files, request.sdk));
        request.platform = sdk.default_platform;
    }
    SK_TRY(request.build_dir,
           settled(files, options.build_dir.empty() ? path_join(request.source_root, "build/" + request.platform)
                                                    : options.build_dir));
    SK_TRY(request.store, choose_store(files, request.source_root, options.store));
    for (const std::string &scene : options.scenes) {
        SK_TRY(std::string path, settled(files, scene));
        request.scenes.push_back(std::move(path));
    }
    for (const auto &[name, path] : {std::pair<std::string, std::string>{"--source-root", request.source_root},
                                     {"--build-dir", request.build_dir},
                                     {"--store", request.store},
                                     {"--sdk", request.sdk}}) {
        SK_CHECK(refuse_newlines(name, path));
    }
    SK_TRY(request.set, parse_set(options.set));
    request.select = options.select;
    const auto manual = manual_mode_from_text(options.manual);
    if (!manual) {
        return input_error("--manual " + options.manual + ": expected exclude, include or only");
    }
    request.manual = *manual;
    if (!options.launcher.empty()) {
        request.launcher = launcher_from_text(options.launcher);
        if (!request.launcher) {
            return input_error("--launcher " + options.launcher + ": expected ccache or none");
        }
    }
    request.allow_foreign_store = options.allow_foreign_store;
    request.search_path = environment_variable("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
    return request;
}

Expected<int> parse_jobs(const std::string &text) {
    int jobs = 0;
    const char *const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, jobs);
    constexpr int k_most = 4096;
    if (error != std::errc{} || stop != end || jobs < 1 || jobs > k_most) {
        return input_error("-j " + shell_quoted(text) + ": expected a whole number from 1 to " +
                           std::to_string(k_most));
    }
    return jobs;
}

}  // namespace scene_kernels
