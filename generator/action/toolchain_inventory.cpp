#include "action/toolchain_inventory.h"

#include <algorithm>
#include <array>

#include "action/elf_loading.h"
#include "base/strings.h"

namespace scene_kernels {

namespace {

struct LoadedLibrary {
    std::string name;  // as asked for
    std::string path;  // empty: not found
};

// What `ld.so --list` prints: "libz.so.1 => /lib/libz.so.1 (0x7f...)", "/lib64/ld-linux-x86-64.so.2 (0x7f...)".
std::vector<LoadedLibrary> parse_loader_list(const std::string &text) {
    std::vector<LoadedLibrary> libraries;
    for (const std::string &line : split(text, '\n')) {
        std::string_view rest = line;
        while (!rest.empty() && (rest.front() == '\t' || rest.front() == ' ')) {
            rest.remove_prefix(1);
        }
        if (const std::size_t address = rest.rfind(" (0x"); address != std::string_view::npos) {
            rest = rest.substr(0, address);
        }
        const std::size_t arrow = rest.find(" => ");
        const std::string_view name = rest.substr(0, arrow);
        const std::string_view path = arrow == std::string_view::npos ? name : rest.substr(arrow + 4);
        if (is_absolute(path)) {
            libraries.push_back({std::string(path_name(name)), std::string(path)});
        } else if (path == "not found") {
            libraries.push_back({std::string(name), {}});
        }  // else "linux-vdso.so.1", which is no file, or "statically linked"
    }
    return libraries;
}

std::string with_origin(std::string path, const std::string &origin) {
    for (const std::string_view variable : {"${ORIGIN}", "$ORIGIN"}) {
        for (std::size_t at = path.find(variable); at != std::string::npos; at = path.find(variable, at)) {
            path.replace(at, variable.size(), origin);
            at += origin.size();
        }
    }
    return path;
}

std::string last_lines(const std::string &text) {
    constexpr std::size_t k_most = 2000;
    return text.size() <= k_most ? text : text.substr(text.size() - k_most);
}

}  // namespace

std::string_view launcher_name(std::string_view real_path) {
    static constexpr std::array<std::string_view, 6> k_launchers = {"ccache", "sccache", "distcc",
                                                                    "icecc",  "icerun",  "buildcache"};
    const std::string_view name = path_name(real_path);
    return std::find(k_launchers.begin(), k_launchers.end(), name) != k_launchers.end() ? name : std::string_view();
}

std::string ToolchainInventory::prefix() const {
    std::string text = "toolchain \"";
    return text.append(m_query.name).append("\": ");
}

std::string ToolchainInventory::absolute(const std::string &path) const {
    return path_join(m_query.directory, path);
}

Expected<bool> ToolchainInventory::exists(const std::string &path) {
    SK_TRY(const auto stat, m_memory.stat_of(path));
    return stat.has_value();
}

Expected<void> ToolchainInventory::add_absent(const std::string &path) {
    SK_TRY(const bool there, exists(path));
    if (!there) {
        m_answer.absent.push_back(path);
    }
    return {};
}

Expected<std::optional<std::string>> ToolchainInventory::first_of(const std::vector<std::string> &candidates,
                                                                  bool executable) {
    for (const std::string &candidate : candidates) {
        SK_TRY(const auto stat, m_memory.stat_of(candidate));
        if (stat && stat->type == FileType::regular && (!executable || m_files.is_executable(candidate))) {
            return std::optional<std::string>(candidate);
        }
        if (!stat) {
            m_answer.absent.push_back(candidate);
        }
    }
    return std::optional<std::string>();
}

std::vector<std::string> ToolchainInventory::on_search_path(const std::string &name) const {
    std::vector<std::string> candidates;
    for (const std::string &directory : split(m_query.search_path, ':')) {
        if (!directory.empty()) {
            candidates.push_back(absolute(path_join(directory, name)));
        }
    }
    return candidates;
}

Expected<ProcessResult> ToolchainInventory::run(std::vector<std::string> argv, bool may_fail) {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.directory = m_query.directory;
    spec.environment = m_query.environment;
    spec.environment["PATH"] = m_query.search_path;
    spec.environment["LC_ALL"] = "C";
    const std::string command = shell_command(spec.argv);
    auto result = m_processes.run(spec);
    if (!result) {
        return failure(prefix() + result.error().message);
    }
    if (result->interrupted) {
        return failure(prefix() + "interrupted while asking the compiler what it is");
    }
    if (result->exit_status != 0 && !may_fail) {
        return failure(prefix() + "cannot be identified: " + command + " ended with exit status " +
                       std::to_string(result->exit_status) + ":\n" + last_lines(result->error_output));
    }
    return std::move(*result);
}

Expected<void> ToolchainInventory::add_file(const std::string &role, const std::string &path) {
    SK_TRY(const FileFacts *facts, m_memory.look(path));
    if (facts == nullptr) {
        return failure(prefix() + "cannot be identified: its " + role + " is missing: " + path);
    }
    m_answer.files.push_back({role, path, facts->digest});
    SK_TRY(std::string real, m_files.real_path(path));
    if (real != path) {
        m_answer.links.emplace_back(path, std::move(real));
    }
    return {};
}

Expected<void> ToolchainInventory::add_witness(const std::string &path) {
    SK_TRY(const FileFacts *facts, m_memory.look(path));
    if (facts == nullptr) {
        return add_absent(path);
    }
    m_answer.witnesses.push_back({path, facts->digest});
    return {};
}

Expected<void> ToolchainInventory::add_listing(const std::string &directory) {
    SK_TRY(const Digest digest, digest_of_listing(m_files, directory));
    m_answer.listings.push_back({directory, digest});
    return {};
}

Expected<std::string> ToolchainInventory::add_and_read(const std::string &role, const std::string &path) {
    SK_CHECK(add_file(role, path));
    SK_TRY(const std::string real, m_files.real_path(path));
    if (const std::string_view launcher = launcher_name(real); !launcher.empty()) {
        return input_error(prefix() + path + " is " + std::string(launcher) +
                           ", not a compiler; name the compiler itself (\"launcher\" says whether ccache is used)");
    }
    return m_files.read(path);
}

Expected<void> ToolchainInventory::add_program(const std::string &role, const std::string &path) {
    if (!m_done.insert(path).second) {
        return add_file(role, path);
    }
    SK_TRY(const std::string bytes, add_and_read(role, path));
    if (bytes.substr(0, 2) == "#!") {
        if (m_query.wraps.empty()) {
            return input_error(prefix() + "its " + role + " " + path +
                               " is a script, so its content does not say what runs; name the program that it runs "
                               "instead, or list the files that it runs under \"wraps\"");
        }
        return add_interpreter(path, bytes);
    }
    const std::optional<ElfLoading> loading = read_elf_loading(bytes);
    if (!loading) {
        return failure(prefix() + "its " + role + " " + path +
                       " is neither an ELF program of this machine nor a script");
    }
    if (loading->interpreter.empty()) {
        return {};  // static: loads nothing
    }
    if (m_compiler_interpreter.empty()) {
        m_compiler_interpreter = loading->interpreter;
    }
    return add_loaded(path, loading->interpreter);
}

Expected<void> ToolchainInventory::add_plugin(const std::string &role, const std::string &path) {
    if (!m_done.insert(path).second) {
        return add_file(role, path);
    }
    SK_TRY(const std::string bytes, add_and_read(role, path));
    if (!read_elf_loading(bytes)) {
        return failure(prefix() + "its " + role + " " + path + " is no ELF library");
    }
    // A compiler that cannot load plugins dynamically has no interpreter to ask.
    return m_compiler_interpreter.empty() ? Expected<void>() : add_loaded(path, m_compiler_interpreter);
}

Expected<void> ToolchainInventory::add_wrapped(const std::string &role, const std::string &path) {
    SK_TRY(const FileFacts *facts, m_memory.look(path));
    if (facts != nullptr) {
        SK_TRY(const std::string bytes, m_files.read(path));
        const std::optional<ElfLoading> loading = read_elf_loading(bytes);
        if (bytes.substr(0, 2) == "#!" || (loading && !loading->interpreter.empty())) {
            return add_program(role, path);
        }
        if (loading && loading->dynamic) {
            return add_plugin(role, path);
        }
    }
    return add_file(role, path);
}

Expected<void> ToolchainInventory::add_named(const std::string &role, const std::string &path) {
    SK_TRY(const FileFacts *facts, m_memory.look(path));
    if (facts != nullptr) {
        SK_TRY(const std::string bytes, m_files.read(path));
        if (const std::optional<ElfLoading> loading = read_elf_loading(bytes); loading && loading->dynamic) {
            return add_plugin(role, path);
        }
    }
    return add_witness(path);
}

// "#!/usr/bin/env -S bash -e" runs env, and bash as found along the search path.
Expected<void> ToolchainInventory::add_interpreter(const std::string &path, std::string_view script) {
    std::string line(
        script.substr(2, script.find('\n') == std::string_view::npos ? script.size() : script.find('\n') - 2));
    std::replace(line.begin(), line.end(), '\t', ' ');
    std::replace(line.begin(), line.end(), '\r', ' ');
    std::vector<std::string> words = split(line, ' ');
    std::erase(words, "");
    if (words.empty()) {
        return input_error(prefix() + path + " is a script without an interpreter");
    }
    SK_CHECK(add_program("script interpreter", absolute(words[0])));
    if (path_name(words[0]) != "env") {
        return {};
    }
    const auto is_program = [](const std::string &word) {
        return word[0] != '-' && word.find('=') == std::string::npos;
    };
    const auto program = std::find_if(words.begin() + 1, words.end(), is_program);
    if (program == words.end()) {
        return {};
    }
    SK_TRY(const auto found,
           first_of(program->find('/') == std::string::npos ? on_search_path(*program)
                                                            : std::vector<std::string>{absolute(*program)}));
    if (!found) {
        return input_error(prefix() + "the interpreter of " + path + " is not there: " + *program);
    }
    return add_program("script interpreter", *found);
}

Expected<void> ToolchainInventory::add_loader_settings(const std::string &interpreter) {
    if (!m_done.insert("settings of " + interpreter).second) {
        return {};
    }
    SK_CHECK(add_witness("/etc/ld.so.cache"));
    return add_witness("/etc/ld.so.preload");
}

// Where a library with one of `names` would be taken from before the places where they were found.
Expected<void> ToolchainInventory::add_earlier_libraries(const std::string &origin,
                                                         const std::vector<std::string> &paths,
                                                         const std::vector<std::string> &names) {
    for (const std::string &path : paths) {
        const std::string directory = absolute(with_origin(path, origin));
        SK_TRY(const bool there, exists(directory));
        if (!there) {
            m_answer.absent.push_back(directory);
            continue;
        }
        for (const char *special : {"glibc-hwcaps", "tls", "haswell", "x86_64", "aarch64"}) {
            SK_CHECK(add_absent(path_join(directory, special)));
        }
        for (const std::string &name : names) {
            SK_CHECK(add_absent(path_join(directory, name)));
        }
    }
    return {};
}

Expected<void> ToolchainInventory::add_loaded(const std::string &path, const std::string &interpreter) {
    SK_CHECK(add_loader_settings(interpreter));
    SK_CHECK(add_file("loader", interpreter));
    SK_TRY(const ProcessResult listed, run({interpreter, "--list", path}));
    const std::vector<LoadedLibrary> libraries = parse_loader_list(listed.output);
    std::vector<std::string> names;
    std::vector<std::string> objects = {path};
    for (const LoadedLibrary &library : libraries) {
        if (library.path.empty()) {
            return failure(prefix() + path + " needs the library " + library.name + ", which the loader does not find");
        }
        names.push_back(library.name);
        objects.push_back(library.path);
        if (library.path != interpreter) {
            SK_CHECK(add_file("library " + library.name, library.path));
        }
    }
    if (const auto paths = m_query.environment.find("LD_LIBRARY_PATH"); paths != m_query.environment.end()) {
        std::string joined = paths->second;
        std::replace(joined.begin(), joined.end(), ';', ':');
        SK_CHECK(add_earlier_libraries({}, split(joined, ':'), names));
    }
    for (const std::string &object : objects) {
        SK_TRY(const std::string real, m_files.real_path(object));
        if (!m_done.insert("run paths of " + real).second && object != path) {
            continue;
        }
        SK_TRY(const std::string bytes, m_files.read(object));
        if (const std::optional<ElfLoading> loading = read_elf_loading(bytes)) {
            SK_CHECK(add_earlier_libraries(std::string(path_parent(real)), loading->run_paths, names));
        }
    }
    return {};
}

}  // namespace scene_kernels
