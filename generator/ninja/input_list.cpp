#include "ninja/input_list.h"

#include <algorithm>

#include "action/action_file.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "ninja/quoting.h"
#include "os/clock.h"
#include "os/lock.h"

namespace scene_kernels {

namespace {

constexpr const char *k_target = "plan.stamp:";

// The inverse of depfile_path(), for the lines that this file's own writer makes.
std::string unescaped(std::string_view text) {
    std::string path;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((text[i] == '\\' || text[i] == '$') && i + 1 < text.size()) {
            ++i;
        }
        path += text[i];
    }
    return path;
}

std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    for (std::string line : split(text, '\n')) {
        if (line.size() > 2 && line.compare(line.size() - 2, 2, " \\") == 0) {
            line.resize(line.size() - 2);
        }
        if (line.size() > 1 && line.front() == ' ') {
            names.push_back(unescaped(std::string_view(line).substr(1)));
        }
    }
    return names;
}

// What ends the last rule of `text`, where it was not written to its end.
std::string_view end_of_rule(std::string_view text) {
    const bool whole = text.empty() || (text.ends_with('\n') && !text.ends_with("\\\n"));
    return whole ? "" : "\n\n";
}

std::string rule_of(const std::vector<std::string> &names) {
    std::string text = k_target;
    for (const std::string &name : names) {
        text += " \\\n " + depfile_path(name);
    }
    return text + "\n";
}

}  // namespace

InputList::InputList(FileSystem &files, std::string graph_directory, std::string source_root)
    : m_files(files), m_graph_directory(std::move(graph_directory)), m_source_root(std::move(source_root)) {}

Expected<std::optional<std::string>> InputList::name_of(const std::string &path) {
    SK_TRY(const auto status, m_files.stat(path));
    if (!status) {
        return std::nullopt;
    }
    const std::string portable = portable_path(path, m_source_root, m_graph_directory);
    if (depfile_can_hold(portable)) {
        return portable;
    }
    constexpr std::size_t k_digits = 20;
    const std::string link = "in/" + Sha256::of(portable).hex().substr(0, k_digits);
    const std::string target = is_absolute(portable) ? portable : "../" + portable;
    const std::string place = path_join(m_graph_directory, link);
    SK_TRY(const auto current, m_files.read_link(place));
    if (current != target) {
        SK_CHECK(m_files.create_directories(path_join(m_graph_directory, "in")));
        SK_CHECK(m_files.write_link(place, target));
    }
    return link;
}

Expected<void> InputList::write(const std::set<std::string> &paths) {
    std::vector<std::string> names;
    for (const std::string &path : paths) {
        SK_TRY(const std::optional<std::string> name, name_of(path));
        if (name) {
            names.push_back(*name);
        }
    }
    const std::string text = rule_of(names);
    const std::string place = path_join(m_graph_directory, "plan.d");
    SK_TRY(const auto present, m_files.stat(place));
    if (present) {
        SK_TRY(const std::string current, m_files.read(place));
        if (current == text) {
            return {};
        }
    }
    return m_files.write(place, text);
}

Expected<std::string> InputList::content() const {
    const std::string place = path_join(m_graph_directory, "plan.d");
    SK_TRY(const auto present, m_files.stat(place));
    return present ? m_files.read(place) : std::string();
}

Expected<std::vector<std::string>> InputList::read() const {
    SK_TRY(const std::string text, content());
    return names_in(text);
}

Expected<void> InputList::add(const std::set<std::string> &paths) {
    const std::string lock_path = path_join(m_graph_directory, "plan.d.lock");
    const std::chrono::seconds limit(60);
    // Held for a few milliseconds by whoever has it; without it two builds could list a header twice, which is
    // harmless.
    const auto lock = FileLock::acquire(lock_path, LockMode::exclusive, limit, limit, [] {});
    SK_TRY(const std::string text, content());
    const std::vector<std::string> known = names_in(text);
    const std::set<std::string> present(known.begin(), known.end());
    std::vector<std::string> names;
    for (const std::string &path : paths) {
        if (present.contains(portable_path(path, m_source_root, m_graph_directory))) {
            continue;
        }
        SK_TRY(const std::optional<std::string> name, name_of(path));
        if (name && !present.contains(*name)) {
            names.push_back(*name);
        }
    }
    if (names.empty()) {
        return {};
    }
    return m_files.append(path_join(m_graph_directory, "plan.d"), std::string(end_of_rule(text)) + rule_of(names));
}

Expected<std::int64_t> InputList::stamp_time(std::int64_t plan_start_ns, std::int64_t now_ns) const {
    SK_TRY(const std::vector<std::string> names, read());
    std::int64_t newest = 0;
    const std::int64_t before_plan = plan_start_ns - k_clock_tick_ns - 1;
    for (const std::string &name : names) {
        SK_TRY(const auto status, m_files.stat(path_join(m_graph_directory, name)));
        if (status) {
            const bool during_plan = status->mtime_ns > before_plan && status->mtime_ns <= now_ns + k_clock_tick_ns;
            newest = std::max(newest, during_plan ? before_plan : status->mtime_ns);
        }
    }
    return newest;
}

}  // namespace scene_kernels
