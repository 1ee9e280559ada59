#include "action/toolchain_set.h"

#include <algorithm>
#include <set>

#include "action/option_files.h"
#include "base/strings.h"

namespace scene_kernels {

namespace {

// Options that choose neither programs nor specs, whatever their value: they reach the key as arguments anyway.
bool is_harmless(std::string_view option) {
    constexpr std::string_view k_modes[] = {"-c", "-o", "-shared", "-fPIC", "-pthread", "-g"};
    if (std::find(std::begin(k_modes), std::end(k_modes), option) != std::end(k_modes)) {
        return true;
    }
    constexpr std::string_view k_prefixes[] = {
        "-D",       "-U",      "-I",        "-O", "-std=", "-fvisibility", "-fno-gnu-unique", "-ffile-prefix-map=",
        "-isystem", "-iquote", "-idirafter"};
    if (std::any_of(std::begin(k_prefixes), std::end(k_prefixes),
                    [option](std::string_view prefix) { return option.substr(0, prefix.size()) == prefix; })) {
        return true;
    }
    // -Wall, -Wno-x; but -Wa, -Wl, and -Wp, hand options on.
    return option.size() > 2 && option.substr(0, 2) == "-W" && option.find(',') == std::string_view::npos;
}

}  // namespace

ToolchainQuery make_query(const std::string &name, const std::string &compiler, CompilerFamily family,
                          const std::vector<std::string> &args, const CommandSurroundings &surroundings,
                          const std::string &source_root) {
    ToolchainQuery query;
    query.name = name;
    query.compiler = compiler;
    query.family = family;
    query.args = args;
    query.search_path = surroundings.search_path;
    query.environment = surroundings.environment;
    query.directory = source_root;
    return query;
}

ToolchainSet::ToolchainSet(FileSystem &files, ProcessRunner &processes, FileMemory &memory, ToolchainMemory &answers,
                           const Sdk &sdk, const Roots &roots, const Expander &expander,
                           CommandSurroundings surroundings)
    : m_files(files),
      m_processes(processes),
      m_memory(memory),
      m_answers(answers),
      m_sdk(sdk),
      m_roots(roots),
      m_expander(expander),
      m_surroundings(std::move(surroundings)) {}

Expected<std::optional<std::string>> ToolchainSet::locate(const std::string &program) const {
    SK_TRY(const Spelled expanded, m_expander.expand(program));
    if (expanded.real.find('/') == std::string::npos) {
        return find_program(m_files, expanded.real, m_surroundings.search_path);
    }
    const std::string path = path_join(m_roots.source_root(), expanded.real);
    return m_files.is_executable(path) ? std::optional<std::string>(path) : std::nullopt;
}

Expected<const ChosenToolchain *> ToolchainSet::choose(const std::string &row_name) {
    if (const auto known = m_chosen.find(row_name); known != m_chosen.end()) {
        return &known->second;
    }
    const SdkToolchain &row = m_sdk.toolchains.at(row_name);
    ChosenToolchain chosen;
    chosen.row = &row;
    std::vector<std::string> tried;
    for (const SdkCompiler &candidate : row.compilers) {
        SK_TRY(const std::optional<std::string> path, locate(candidate.program));
        if (path) {
            chosen.choice = &candidate;
            chosen.compiler = *path;
            break;
        }
        SK_TRY(const Spelled expanded, m_expander.expand(candidate.program));
        tried.push_back(expanded.real);
    }
    if (chosen.choice == nullptr) {
        return input_error("toolchain \"" + row_name + "\" of " + m_sdk.path + ": no compiler found; tried " +
                           join(tried, ", ") + " (PATH is " + m_surroundings.search_path +
                           "); install one of them, or add a row to the SDK");
    }
    for (const auto &[name, program] : row.programs) {
        SK_TRY(const std::optional<std::string> path, locate(program));
        if (!path) {
            SK_TRY(const Spelled expanded, m_expander.expand(program));
            return input_error("toolchain \"" + row_name + "\" of " + m_sdk.path + ": its program \"" + name +
                               "\" is missing: " + expanded.real);
        }
        chosen.programs.emplace(name, *path);
    }
    return &m_chosen.emplace(row_name, std::move(chosen)).first->second;
}

Expected<const Toolchain *> ToolchainSet::identify(const ChosenToolchain &chosen,
                                                   const std::vector<std::string> &args) {
    std::vector<std::string> selecting;
    for (const std::string &option : args) {
        if (!is_harmless(option)) {
            selecting.push_back(option);
        }
    }
    std::vector<std::string> key = {chosen.row->name};
    key.insert(key.end(), selecting.begin(), selecting.end());
    if (const auto known = m_identified.find(key); known != m_identified.end()) {
        return &known->second;
    }
    ToolchainQuery query = make_query(chosen.row->name, chosen.compiler, chosen.choice->family, selecting,
                                      m_surroundings, m_roots.source_root());
    for (const auto &[name, path] : chosen.programs) {
        query.programs.push_back(path);
    }
    for (const std::string &wrapped : chosen.choice->wraps) {
        SK_TRY(const std::optional<std::string> path, locate(wrapped));
        if (!path) {
            return input_error("toolchain \"" + chosen.row->name + "\" of " + m_sdk.path + ": " + chosen.compiler +
                               " is said to wrap " + wrapped + ", which is missing");
        }
        query.wraps.push_back(*path);
    }
    std::vector<std::string> absent;
    query.named_files = files_named_by(m_files, m_roots.source_root(), selecting, absent);
    SK_TRY(Toolchain toolchain, identify_toolchain(m_files, m_processes, m_memory, m_answers, query));
    return &m_identified.emplace(std::move(key), std::move(toolchain)).first->second;
}

std::vector<std::string> ToolchainSet::watched() const {
    std::set<std::string> paths;
    for (const auto &[key, toolchain] : m_identified) {
        paths.insert(toolchain.files.begin(), toolchain.files.end());
        paths.insert(toolchain.absent.begin(), toolchain.absent.end());
    }
    return {paths.begin(), paths.end()};
}

}  // namespace scene_kernels
