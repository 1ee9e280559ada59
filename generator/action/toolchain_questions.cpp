#include "action/toolchain_questions.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace scene_kernels {

namespace {

std::string first_line(const std::string &text) {
    return text.substr(0, text.find('\n'));
}

// Without what would make the compiler write, or stop before it links.
std::vector<std::string> question(const ToolchainQuery &query, const std::vector<std::string> &more) {
    std::vector<std::string> argv = {query.compiler};
    for (const std::string &option : query.args) {
        if (option != "-c" && option != "-S" && option != "-E") {
            argv.push_back(option);
        }
    }
    argv.insert(argv.end(), more.begin(), more.end());
    return argv;
}

Expected<void> ask_version(ToolchainInventory &inventory, bool with_machine) {
    SK_TRY(const ProcessResult version, inventory.run({inventory.query().compiler, "--version"}));
    inventory.answer().version = first_line(version.output);
    if (with_machine) {
        SK_TRY(const ProcessResult machine, inventory.run(question(inventory.query(), {"-dumpmachine"})));
        inventory.answer().machine = first_line(machine.output);
    }
    return {};
}

// "programs: =/a:/b" of -print-search-dirs.
struct SearchDirs {
    std::string install;
    std::vector<std::string> programs;
    std::vector<std::string> libraries;
};

Expected<SearchDirs> ask_search_dirs(ToolchainInventory &inventory) {
    SK_TRY(const ProcessResult shown, inventory.run(question(inventory.query(), {"-print-search-dirs"})));
    SearchDirs dirs;
    for (const std::string &line : split(shown.output, '\n')) {
        const auto value_of = [&line](std::string_view key) -> std::optional<std::string> {
            return line.substr(0, key.size()) == key ? std::optional(line.substr(key.size())) : std::nullopt;
        };
        if (const auto install = value_of("install: ")) {
            dirs.install = *install;
        } else if (const auto programs = value_of("programs: =")) {
            dirs.programs = split(*programs, ':');
        } else if (const auto libraries = value_of("libraries: =")) {
            dirs.libraries = split(*libraries, ':');
        }
    }
    std::erase(dirs.programs, "");
    std::erase(dirs.libraries, "");
    if (dirs.libraries.empty()) {
        return failure(inventory.prefix() + "cannot be identified: " + inventory.query().compiler +
                       " -print-search-dirs does not list directories");
    }
    return dirs;
}

std::vector<std::string> in_each(const ToolchainInventory &inventory, const std::vector<std::string> &directories,
                                 const std::string &name) {
    std::vector<std::string> candidates;
    for (const std::string &directory : directories) {
        candidates.push_back(inventory.absolute(path_join(directory, name)));
    }
    return candidates;
}

// The value of the last option that starts with `prefix`.
std::string last_value(const std::vector<std::string> &args, std::string_view prefix) {
    std::string value;
    for (const std::string &option : args) {
        if (option.substr(0, prefix.size()) == prefix) {
            value = option.substr(prefix.size());
        }
    }
    return value;
}

// Options that put what cannot be seen between the query and what runs.
Expected<void> refuse_opaque_options(const ToolchainInventory &inventory) {
    for (const std::string &option : inventory.query().args) {
        if (option.substr(0, 1) == "@") {
            return input_error(inventory.prefix() + "the option " + option +
                               " is a response file, whose content would not be noticed; write its options out");
        }
        if (option == "-wrapper" || option.substr(0, 9) == "-wrapper=" || option.substr(0, 9) == "--wrapper") {
            return input_error(inventory.prefix() + "the option " + option +
                               " runs every step through another program; remove it");
        }
    }
    return {};
}

// A GCC program: what -print-prog-name says, which is a bare name where it is left to the search path.
Expected<std::optional<std::string>> gcc_program(ToolchainInventory &inventory, const SearchDirs &dirs,
                                                 const std::string &name) {
    SK_TRY(const ProcessResult shown, inventory.run(question(inventory.query(), {"-print-prog-name=" + name})));
    const std::string said = first_line(shown.output);
    std::vector<std::string> candidates = in_each(inventory, dirs.programs, name);
    if (said.find('/') != std::string::npos) {
        const std::string path = inventory.absolute(said);
        const auto found = std::find(candidates.begin(), candidates.end(), path);
        if (found != candidates.end()) {
            SK_CHECK(inventory.first_of(std::vector<std::string>(candidates.begin(), found)));
        }
        return std::optional<std::string>(path);
    }
    for (std::string &candidate : inventory.on_search_path(name)) {
        candidates.push_back(std::move(candidate));
    }
    return inventory.first_of(candidates);
}

struct GccProgram {
    const char *name;
    bool required;
};
// cc1 or cc1plus is checked apart; the others depend on how GCC was built.
constexpr std::array<GccProgram, 6> k_gcc_programs = {
    {{"cc1plus", false}, {"cc1", false}, {"collect2", true}, {"as", true}, {"lto1", false}, {"lto-wrapper", false}}};

// collect2 takes the first of these that it finds; GCC 12 says "ld" for some of them when asked.
Expected<std::string> gcc_linker(ToolchainInventory &inventory, const SearchDirs &dirs) {
    for (const char *name : {"real-ld", "collect-ld"}) {
        SK_TRY(const auto found, inventory.first_of(in_each(inventory, dirs.programs, name)));
        if (found) {
            return *found;
        }
    }
    std::string name = last_value(inventory.query().args, "-fuse-ld=");
    name = name.empty() ? "ld" : "ld." + name;
    SK_TRY(const auto found, gcc_program(inventory, dirs, name));
    if (!found) {
        return failure(inventory.prefix() + "cannot be identified: its linker " + name + " is not found along PATH (" +
                       inventory.query().search_path + ")");
    }
    return *found;
}

Expected<void> add_specs(ToolchainInventory &inventory, const SearchDirs &dirs) {
    std::vector<std::string> places = dirs.libraries;
    places.insert(places.end(), dirs.programs.begin(), dirs.programs.end());
    if (!dirs.install.empty()) {
        places.push_back(dirs.install);
        places.emplace_back(path_parent(path_tidy(dirs.install)));
    }
    for (const std::string &place : in_each(inventory, places, "specs")) {
        SK_TRY(const bool there, inventory.exists(place));
        SK_CHECK(there ? inventory.add_file("specs", place) : inventory.add_absent(place));
    }
    const std::vector<std::string> &args = inventory.query().args;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::size_t equals = args[i].find('=');
        std::string name;
        if (args[i].substr(0, equals) == "-specs" || args[i].substr(0, equals) == "--specs") {
            name = equals != std::string::npos ? args[i].substr(equals + 1) : i + 1 < args.size() ? args[i + 1] : "";
        } else {
            continue;
        }
        std::vector<std::string> candidates = {inventory.absolute(name)};
        for (std::string &candidate : in_each(inventory, dirs.libraries, name)) {
            candidates.push_back(std::move(candidate));
        }
        SK_TRY(const auto found, inventory.first_of(candidates, false));
        if (!found) {
            return input_error(inventory.prefix() + "the specs file \"" + name + "\" is not found");
        }
        SK_CHECK(inventory.add_file("specs option", *found));
    }
    return {};
}

// -fplugin=PATH, and for Clang -fpass-plugin=PATH and -load PATH.
Expected<void> add_plugins(ToolchainInventory &inventory, const std::string &default_directory) {
    std::vector<std::string> words = inventory.query().args;
    std::erase(words, "-Xclang");
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string path = last_value({words[i]}, "-fplugin=") + last_value({words[i]}, "-fpass-plugin=");
        if (words[i] == "-load" && i + 1 < words.size()) {
            path = words[i + 1];
        }
        if (path.empty()) {
            continue;
        }
        if (path.find('/') == std::string::npos && path.find('.') == std::string::npos && !default_directory.empty()) {
            path = path_join(default_directory, path + ".so");
        }
        SK_CHECK(inventory.add_plugin("plugin", inventory.absolute(path)));
    }
    return {};
}

// GNU ld has a list of its own, behind what the driver passes: SEARCH_DIR("=/usr/lib").
Expected<void> add_linker_directories(ToolchainInventory &inventory, const std::string &linker) {
    SK_TRY(const ProcessResult shown, inventory.run({linker, "--verbose"}, true));
    constexpr std::string_view k_before = "SEARCH_DIR(\"";
    const std::string &text = shown.output;
    for (std::size_t at = text.find(k_before); at != std::string::npos; at = text.find(k_before, at)) {
        at += k_before.size();
        std::string directory = text.substr(at, text.find('"', at) - at);
        if (directory.substr(0, 1) == "=") {
            directory.erase(0, 1);  // the linker's sysroot, which a driver without --sysroot does not set
        }
        inventory.answer().library_directories.push_back(std::move(directory));
    }
    return {};
}

}  // namespace

std::optional<std::vector<std::string>> parse_shown_command(std::string_view line) {
    if (line.substr(0, 2) != " \"") {
        return std::nullopt;
    }
    std::vector<std::string> words;
    bool quoted = false;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '"') {
            quoted = !quoted;
            if (quoted) {
                words.emplace_back();
            }
        } else if (quoted) {
            i += line[i] == '\\' && i + 1 < line.size() ? 1U : 0U;
            words.back().push_back(line[i]);
        }
    }
    return quoted || words.empty() ? std::nullopt : std::optional(std::move(words));
}

Expected<void> ask_gcc(ToolchainInventory &inventory) {
    SK_CHECK(refuse_opaque_options(inventory));
    SK_CHECK(ask_version(inventory, true));
    SK_TRY(const SearchDirs dirs, ask_search_dirs(inventory));
    bool any_compiler = false;
    for (const auto &[name, required] : k_gcc_programs) {
        SK_TRY(const auto found, gcc_program(inventory, dirs, name));
        if (found) {
            any_compiler = any_compiler || std::string_view(name).substr(0, 3) == "cc1";
            SK_CHECK(inventory.add_program(name, *found));
        } else if (required) {
            return failure(inventory.prefix() + "cannot be identified: its " + name + " is not found along PATH (" +
                           inventory.query().search_path + ")");
        }
    }
    if (!any_compiler) {
        return failure(inventory.prefix() + "cannot be identified: " + inventory.query().compiler +
                       " has neither cc1plus nor cc1; install the rest of this GCC");
    }
    SK_TRY(const std::string linker, gcc_linker(inventory, dirs));
    SK_CHECK(inventory.add_program("linker", linker));
    SK_TRY(const auto plugin, inventory.first_of(in_each(inventory, dirs.programs, "liblto_plugin.so"), false));
    if (plugin) {
        SK_CHECK(inventory.add_plugin("liblto_plugin.so", *plugin));
    }
    SK_CHECK(add_plugins(inventory, dirs.install.empty() ? std::string() : path_join(dirs.install, "plugin")));
    SK_CHECK(add_specs(inventory, dirs));
    inventory.answer().library_directories = dirs.libraries;
    return add_linker_directories(inventory, linker);
}

namespace {

// Configuration files that Clang would take without being told to.
Expected<void> add_clang_configurations(ToolchainInventory &inventory, const std::string &installed) {
    std::vector<std::string> directories = {"/etc/clang", std::string(path_parent(inventory.query().compiler))};
    if (!installed.empty()) {
        directories.push_back(installed);
    }
    const std::string &machine = inventory.answer().machine;
    std::vector<std::string> names = {machine + ".cfg"};
    for (const std::string_view driver :
         {std::string_view("clang++"), std::string_view("clang"), path_name(inventory.query().compiler)}) {
        names.push_back(std::string(driver) + ".cfg");
        names.push_back(machine + "-" + std::string(driver) + ".cfg");
    }
    for (const std::string &directory : directories) {
        for (const std::string &name : names) {
            SK_CHECK(inventory.add_absent(path_join(directory, name)));
        }
    }
    return inventory.add_absent("/etc/env.d/gcc");
}

// A program as -### shows it, and the places that Clang looked at before: every name with the target's prefix goes
// first, then the plain one; each in its own directories and along the search path.
Expected<void> add_clang_program(ToolchainInventory &inventory, const SearchDirs &dirs, const std::string &shown) {
    const std::string name(path_name(shown));
    std::vector<std::string> directories;
    for (const std::string &option : inventory.query().args) {
        if (option.substr(0, 2) == "-B" && option.size() > 2) {
            directories.push_back(option.substr(2));
        }
    }
    directories.insert(directories.end(), dirs.programs.begin(), dirs.programs.end());
    std::vector<std::string> candidates;
    for (const std::string &spelling : {inventory.answer().machine + "-" + name, name}) {
        for (std::string &candidate : in_each(inventory, directories, spelling)) {
            candidates.push_back(std::move(candidate));
        }
        for (std::string &candidate : inventory.on_search_path(spelling)) {
            candidates.push_back(std::move(candidate));
        }
    }
    if (shown.find('/') == std::string::npos) {
        SK_TRY(const auto found, inventory.first_of(candidates));
        if (!found) {
            return failure(inventory.prefix() + "cannot be identified: its program " + name +
                           " is not found along PATH (" + inventory.query().search_path + ")");
        }
        return inventory.add_program(name, *found);
    }
    const std::string path = inventory.absolute(shown);
    const auto found = std::find(candidates.begin(), candidates.end(), path);
    if (found != candidates.end()) {
        SK_CHECK(inventory.first_of(std::vector<std::string>(candidates.begin(), found)));
    }
    return inventory.add_program(name, path);
}

Expected<void> add_clang_command(ToolchainInventory &inventory, const SearchDirs &dirs,
                                 const std::vector<std::string> &words) {
    SK_CHECK(add_clang_program(inventory, dirs, words[0]));
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].size() > 2 && words[i].substr(0, 2) == "-L") {
            inventory.answer().library_directories.push_back(words[i].substr(2));
        }
        if (words[i] == "-plugin" && i + 1 < words.size()) {
            SK_CHECK(inventory.add_plugin("linker plugin", inventory.absolute(words[i + 1])));
        }
    }
    return {};
}

// Lines of `-v`; each names something that decides what Clang does.
Expected<void> add_clang_remark(ToolchainInventory &inventory, const std::string &line, std::string &installed) {
    const auto value_of = [&line](std::string_view key) -> std::optional<std::string> {
        return line.substr(0, key.size()) == key ? std::optional(line.substr(key.size())) : std::nullopt;
    };
    if (const auto directory = value_of("InstalledDir: ")) {
        installed = *directory;
    } else if (const auto configuration = value_of("Configuration file: ")) {
        return inventory.add_wrapped("configuration file", inventory.absolute(*configuration));
    } else if (const auto gcc = value_of("Found candidate GCC installation: ")) {
        const std::string target(path_parent(inventory.absolute(*gcc)));
        SK_CHECK(inventory.add_listing(target));
        return inventory.add_listing(std::string(path_parent(target)));
    }
    return {};
}

}  // namespace

Expected<void> ask_clang(ToolchainInventory &inventory) {
    SK_CHECK(refuse_opaque_options(inventory));
    SK_CHECK(ask_version(inventory, true));
    SK_TRY(const SearchDirs dirs, ask_search_dirs(inventory));
    SK_TRY(const ProcessResult shown,
           inventory.run(question(inventory.query(), {"-v", "-###", "-x", "c++", "/dev/null", "-o", "/dev/null"})));
    bool any = false;
    std::string installed;
    for (const std::string &line : split(shown.error_output, '\n')) {
        if (const auto words = parse_shown_command(line)) {
            any = true;
            SK_CHECK(add_clang_command(inventory, dirs, *words));
        } else {
            SK_CHECK(add_clang_remark(inventory, line, installed));
        }
    }
    if (!any) {
        return failure(inventory.prefix() + "cannot be identified: " + inventory.query().compiler +
                       " -### shows no command; is its family really clang?");
    }
    SK_CHECK(add_plugins(inventory, {}));
    SK_CHECK(add_clang_configurations(inventory, installed));
    std::vector<std::string> &all = inventory.answer().library_directories;
    all.insert(all.end(), dirs.libraries.begin(), dirs.libraries.end());
    return {};
}

Expected<void> ask_plain(ToolchainInventory &inventory) {
    SK_TRY(const ProcessResult version, inventory.run({inventory.query().compiler, "--version"}, true));
    inventory.answer().version = version.exit_status == 0 ? first_line(version.output) : std::string();
    return {};
}

}  // namespace scene_kernels
