#include "build/closure_finder.h"

#include <algorithm>
#include <set>

#include "action/toolchain_set.h"
#include "base/strings.h"

namespace scene_kernels {

namespace {

// The options of a compile command that may decide where headers are searched.
std::vector<std::string> search_options(const Action &action, const ActionStep &step, const Roots &roots) {
    std::vector<std::string> options;
    const std::string source = roots.command(action.source);
    for (std::size_t i = 1; i < step.argv.size(); ++i) {
        const std::string &word = step.argv[i];
        const bool takes_value = word == "-o" || word == "-MF" || word == "-MT" || word == "-x";
        if (takes_value) {
            ++i;
            continue;
        }
        const bool dropped = word == "-c" || word == "-MD" || word == source || word == "-shared" ||
                             word.find('\x02') != std::string::npos || word.compare(0, 2, "-O") == 0 ||
                             word.compare(0, 18, "-ffile-prefix-map=") == 0;
        if (!dropped) {
            options.push_back(word);
        }
    }
    return options;
}

// Header directories as text, one a line: 'q', 'd', 'e' or 'm', then the directory.
std::string encode(const HeaderDirectories &directories) {
    std::string text;
    const auto add = [&text](char kind, const std::vector<std::string> &list) {
        for (const std::string &directory : list) {
            text += kind + directory + "\n";
        }
    };
    add('q', directories.quote);
    add('d', directories.directories);
    add('e', directories.elsewhere);
    add('m', directories.missing);
    return text + ".\n";
}

std::optional<HeaderDirectories> decode(const std::string &text) {
    HeaderDirectories directories;
    for (const std::string &line : split(text, '\n')) {
        if (line == ".") {
            return directories;
        }
        if (line.empty()) {
            return std::nullopt;
        }
        const std::string directory = line.substr(1);
        switch (line.front()) {
            case 'q':
                directories.quote.push_back(directory);
                break;
            case 'd':
                directories.directories.push_back(directory);
                break;
            case 'e':
                directories.elsewhere.push_back(directory);
                break;
            case 'm':
                directories.missing.push_back(directory);
                break;
            default:
                return std::nullopt;
        }
    }
    return std::nullopt;  // cut off
}

// What `-include x`, `-includex`, `--include=x`, and the same with imacros, name; empty for any other option.
std::string forced_include(const std::string &word, const std::string &next) {
    const std::string option = word.starts_with("--") ? word.substr(1) : word;
    for (const std::string_view start : {"-include", "-imacros"}) {
        if (option == start) {
            return next;
        }
        if (option.starts_with(start)) {
            const std::string value = option.substr(start.size());
            return value.front() == '=' ? value.substr(1) : value;
        }
    }
    return {};
}

std::string stem_of_library(const std::string &name) {
    const std::size_t dot = name.find('.');
    return name.substr(0, dot);
}

}  // namespace

ClosureFinder::ClosureFinder(FileSystem &files, ProcessRunner &processes, FileMemory &memory, ToolchainMemory &answers,
                             const Roots &roots, NameTable &names, SearchTable &searches,
                             std::vector<std::string> ignored)
    : m_files(files),
      m_processes(processes),
      m_memory(memory),
      m_answers(answers),
      m_roots(roots),
      m_names(names),
      m_searches(searches),
      m_ignored(std::move(ignored)) {}

void ClosureFinder::sort(std::vector<NameId> &ids) const {
    std::sort(ids.begin(), ids.end(), [this](NameId a, NameId b) { return m_names.text(a) < m_names.text(b); });
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

Expected<std::vector<NameId>> ClosureFinder::read_report(const std::string &path, DepfileWriter writer) {
    std::vector<NameId> ids;
    SK_TRY(const auto present, m_files.stat(path));
    if (!present) {
        return failure("the command wrote no list of what it read (" + std::string(path_name(path)) +
                       "); without it nothing can be cached");
    }
    SK_TRY(const std::string text, m_files.read(path));
    if (text.empty()) {
        return ids;  // GNU as leaves it empty for an empty source
    }
    SK_TRY(const std::vector<std::string> inputs, parse_depfile(text, writer));
    for (const std::string &input : inputs) {
        const std::string real = path_join(m_roots.source_root(), input);
        const bool own = std::any_of(m_ignored.begin(), m_ignored.end(),
                                     [&real](const std::string &ignored) { return path_is_inside(real, ignored); });
        if (!own) {
            const NameId id = m_names.intern(m_roots.logical(input));
            ids.push_back(id);
            m_files_read.push_back(m_roots.real(m_names.text(id)));
        }
    }
    return ids;
}

// Whether one of these directories, as the compiler printed them, is there.
bool ClosureFinder::exists_any(const std::vector<std::string> &directories) {
    return std::any_of(directories.begin(), directories.end(), [this](const std::string &directory) {
        return m_files.stat(path_join(m_roots.source_root(), directory)).value_or(std::nullopt).has_value();
    });
}

Expected<SearchList> ClosureFinder::header_search(const Action &action, const ActionStep &step,
                                                  const CommandSurroundings &surroundings) {
    const std::vector<std::string> options = search_options(action, step, m_roots);
    FieldHasher hasher;
    hasher.field("question", std::string_view("header directories 2"));
    hasher.field("fingerprint", action.fingerprint);
    hasher.field("compiler", action.compiler);
    for (const auto &[name, value] : surroundings.environment) {
        hasher.field("environment", name + "=" + value);
    }
    for (const std::string &option : options) {
        hasher.field("option", option);
    }
    const Digest key = hasher.finish();
    std::optional<HeaderDirectories> directories;
    if (const auto remembered = m_answers.get(key)) {
        directories = decode(*remembered);
    }
    // What was missing has a place in the order from now on, so that what it hides does not count any more.
    if (!directories || exists_any(directories->missing)) {
        const ToolchainQuery query =
            make_query(action.name, action.compiler, action.family, {}, surroundings, m_roots.source_root());
        SK_TRY(directories, ask_header_directories(m_processes, query, options));
        m_answers.put(key, encode(*directories));
    }
    SearchList list;
    const auto add = [this](const std::vector<std::string> &from, std::vector<NameId> &to) {
        for (const std::string &directory : from) {
            to.push_back(m_names.intern(m_roots.logical(directory)));
        }
    };
    add(directories->quote, list.quote);
    add(directories->directories, list.directories);
    add(directories->elsewhere, list.elsewhere);
    return list;
}

// A computed #include names what no text shows: every name by which a file of the closure can be reached along the
// list, or from beside a file that computes a name, may be it. -include and -imacros give names outright.
Expected<void> ClosureFinder::add_computed_names(const ActionStep &step, ClosureGroup &group) {
    for (std::size_t i = 1; i < step.argv.size(); ++i) {
        const std::string next = i + 1 < step.argv.size() ? step.argv[i + 1] : "";
        if (const std::string name = forced_include(step.argv[i], next); !name.empty()) {
            group.names.push_back(m_names.intern(name));
        }
    }
    std::set<std::string> bases;
    for (const NameId id : group.sources) {
        SK_TRY(const FileFacts *facts, m_memory.source_of(m_roots.real(m_names.text(id))));
        if (facts != nullptr && facts->source.computed_include) {
            bases.insert(std::string(path_parent(m_names.text(id))));
        }
    }
    if (bases.empty()) {
        return {};
    }
    const SearchList &list = m_searches.list(group.search);
    for (const std::vector<NameId> *directories : {&list.quote, &list.directories, &list.elsewhere}) {
        for (const NameId directory : *directories) {
            bases.insert(m_names.text(directory));
        }
    }
    for (const NameId id : group.sources) {
        const std::string path = m_names.text(id);
        for (const std::string &base : bases) {
            if (base == "." && !is_absolute(path)) {
                group.names.push_back(m_names.intern(path));
            } else if (path.size() > base.size() && path_is_inside(path, base)) {
                group.names.push_back(m_names.intern(path.substr(base.size() + 1)));
            }
        }
    }
    return {};
}

// GNU as lists the names in `.file` directives as if it had read them: the source's name without its folder, or headers
// as the prefix maps spell them. What names no file, and is called like a source of this unit, is such a name.
Expected<void> ClosureFinder::drop_file_directives(ClosureGroup &group) {
    std::set<std::string> source_names;
    for (const NameId id : group.sources) {
        source_names.insert(std::string(path_name(m_names.text(id))));
    }
    std::vector<NameId> kept;
    for (const NameId id : group.files) {
        const std::string &name = m_names.text(id);
        if (std::find(group.sources.begin(), group.sources.end(), id) != group.sources.end()) {
            continue;
        }
        SK_TRY(const auto present, m_files.stat(m_roots.real(name)));
        if (present || !source_names.contains(std::string(path_name(name)))) {
            kept.push_back(id);
        } else {
            std::erase(m_files_read, m_roots.real(name));
        }
    }
    group.files = std::move(kept);
    return {};
}

Expected<void> ClosureFinder::add_sources(const Action &action, const ActionStep &step, const StepReports &reports,
                                          const CommandSurroundings &surroundings) {
    ClosureGroup group;
    SK_TRY(const SearchList list, header_search(action, step, surroundings));
    group.search = m_searches.intern(list);
    SK_TRY(group.sources, read_report(reports.sources, DepfileWriter::compiler));
    if (!reports.assembler.empty()) {
        SK_TRY(group.files, read_report(reports.assembler, DepfileWriter::assembler));
        SK_CHECK(drop_file_directives(group));
    }
    SK_CHECK(add_computed_names(step, group));
    m_closure.groups.push_back(std::move(group));
    return {};
}

Expected<void> ClosureFinder::add_libraries(const ActionStep &step, const StepReports &reports) {
    ClosureGroup group;
    SearchList list;
    for (const std::string &directory : step.library_directories) {
        list.directories.push_back(m_names.intern(m_roots.logical(directory)));
    }
    group.search = m_searches.intern(list);
    SK_TRY(group.files, read_report(reports.libraries, DepfileWriter::linker));
    for (const NameId id : group.files) {
        // -lX takes libX.so before libX.a, directory by directory; start files are searched by their own name.
        const std::string name(path_name(m_names.text(id)));
        group.names.push_back(m_names.intern(name));
        if (name.compare(0, 3, "lib") == 0) {
            group.names.push_back(m_names.intern(stem_of_library(name) + ".so"));
            group.names.push_back(m_names.intern(stem_of_library(name) + ".a"));
        }
    }
    m_closure.groups.push_back(std::move(group));
    return {};
}

Expected<void> ClosureFinder::add(const Action &action, const ActionStep &step, const StepReports &reports,
                                  const CommandSurroundings &surroundings) {
    if (!reports.sources.empty()) {
        SK_CHECK(add_sources(action, step, reports, surroundings));
    }
    if (!reports.libraries.empty()) {
        SK_CHECK(add_libraries(step, reports));
    }
    return {};
}

Closure ClosureFinder::take() {
    for (ClosureGroup &group : m_closure.groups) {
        sort(group.sources);
        sort(group.files);
        sort(group.names);
    }
    std::erase_if(m_closure.groups, [](const ClosureGroup &group) {
        return group.sources.empty() && group.files.empty() && group.names.empty();
    });
    return std::move(m_closure);
}

}  // namespace scene_kernels
