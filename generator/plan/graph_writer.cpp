#include "plan/graph_writer.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "ninja/build_file.h"

namespace scene_kernels {

namespace {

// Writes only what differs, so that times of unchanged files stay.
Expected<bool> write_if_changed(FileSystem &files, const std::string &path, const std::string &text) {
    SK_TRY(const auto present, files.stat(path));
    if (present && present->size == text.size()) {
        SK_TRY(const std::string current, files.read(path));
        if (current == text) {
            return false;
        }
    }
    SK_CHECK(files.write(path, text));
    return true;
}

class GraphWriter {
public:
    GraphWriter(Project &project, const std::vector<PlannedAction> &planned)
        : m_project(project), m_planned(planned), m_files(*project.services().files), m_graph(project.graph()) {}

    Expected<GraphChanges> write(std::int64_t plan_start_ns) {
        const std::string &directory = m_project.graph_directory();
        SK_CHECK(write_refs());
        SK_CHECK(write_if_changed(m_files, path_join(directory, "actions.jsonl"),
                                  write_action_file(m_project.action_file_header(), m_graph.actions, directory)));
        SK_TRY(const std::string request, write_request(m_project.request()));
        SK_CHECK(write_if_changed(m_files, path_join(directory, "request.json"), request));
        SK_CHECK(write_compile_commands());
        SK_TRY(const std::set<std::string> inputs, all_inputs());
        InputList list(m_files, directory, m_project.request().source_root);
        SK_CHECK(list.write(inputs));
        BuildFileOptions options;
        options.program = portable_path(m_project.services().program, m_project.request().source_root, directory);
        options.selected = m_project.selected();
        SK_TRY(m_changes.shape_changed,
               write_if_changed(m_files, path_join(directory, "build.ninja"), write_build_file(m_graph, options)));
        SK_CHECK(write_if_changed(m_files, path_join(directory, "plan.stamp"), ""));
        SK_CHECK(stamp_graph(m_project.services(), directory, m_project.request().source_root, plan_start_ns));
        return m_changes;
    }

private:
    Expected<void> write_refs() {
        std::set<std::string> kept;
        for (std::size_t i = 0; i < m_graph.actions.size(); ++i) {
            const Action &action = m_graph.actions[i];
            if (!m_planned[i].hit) {
                continue;
            }
            kept.insert(action.name);
            SK_TRY(const bool written, write_ref(m_files, m_project.graph_directory(), m_project.request().source_root,
                                                 action.name, m_planned[i].manifest));
            m_changes.refs_written += written ? 1 : 0;
            m_project.stores().mark_used(m_planned[i].key);
        }
        return remove_others(path_join(m_project.graph_directory(), "refs"), "", kept).map([](bool) {});
    }

    // Removes every ref that is not in `kept`: misses, and orphans of earlier graphs. True if nothing is left below.
    Expected<bool> remove_others(const std::string &directory, const std::string &prefix,
                                 const std::set<std::string> &kept) {
        SK_TRY(const auto entries, m_files.list(directory));
        bool empty = true;
        if (!entries) {
            return empty;
        }
        for (const DirectoryEntry &entry : *entries) {
            const std::string name = prefix.empty() ? entry.name : prefix + "/" + entry.name;
            const std::string path = path_join(directory, entry.name);
            if (entry.type == FileType::directory) {
                SK_TRY(const bool emptied, remove_others(path, name, kept));
                if (emptied) {
                    SK_CHECK(m_files.remove(path));
                }
                empty = empty && emptied;
            } else if (!kept.contains(name)) {
                SK_CHECK(m_files.remove(path));
                ++m_changes.refs_removed;
            } else {
                empty = false;
            }
        }
        return empty;
    }

    // Absolute paths of everything that the plan depends on.
    Expected<std::set<std::string>> all_inputs() {
        std::set<std::string> paths;
        paths.insert(m_project.sdk().path);
        paths.insert(m_project.services().program);
        paths.insert(m_project.scene_set().directories.begin(), m_project.scene_set().directories.end());
        for (const Scene &scene : m_project.scene_set().scenes) {
            paths.insert(scene.path);
        }
        const Roots &roots = m_project.roots();
        std::set<NameId> names;
        for (const Action &action : m_graph.actions) {
            if (!action.source.empty()) {
                paths.insert(roots.real(action.source));
            }
            for (const std::vector<std::string> *files : {&action.inputs, &action.named_files}) {
                for (const std::string &file : *files) {
                    paths.insert(roots.real(file));
                }
            }
            for (const Closure &closure : m_project.stores().closures_of(action.recipe)) {
                for (const ClosureGroup &group : closure.groups) {
                    names.insert(group.sources.begin(), group.sources.end());
                    names.insert(group.files.begin(), group.files.end());
                }
            }
        }
        for (const NameId name : names) {
            paths.insert(roots.real(m_project.names().text(name)));
        }
        const std::vector<std::string> searched = m_project.keys().search().watched();
        paths.insert(searched.begin(), searched.end());
        SK_CHECK(add_watched(m_project.toolchains().watched(), paths));
        SK_CHECK(add_watched(m_graph.watched, paths));
        return paths;
    }

    // Paths that matter whether they exist or not: an absent one is watched through the directory where it would
    // appear.
    Expected<void> add_watched(const std::vector<std::string> &watched, std::set<std::string> &paths) {
        for (std::string path : watched) {
            for (;;) {
                SK_TRY(const auto present, m_files.stat(path));
                if (present || path.size() <= 1) {
                    break;
                }
                path = std::string(path_parent(path));
            }
            paths.insert(path);
        }
        return {};
    }

    Expected<void> write_compile_commands() {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const Action &action : m_graph.actions) {
            for (const ActionStep &step : action.steps) {
                if (step.is_compiler && step.reads_sources) {
                    list.push_back(compile_command(action, step));
                }
            }
        }
        const std::string text = list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
        const std::string name = "compile_commands.json";
        SK_CHECK(write_if_changed(m_files, path_join(m_project.graph_directory(), name), text));
        // In a CMake binary directory the file of that name is CMake's.
        const std::string &build_dir = m_project.request().build_dir;
        SK_TRY(const auto cmake, m_files.stat(path_join(build_dir, "CMakeCache.txt")));
        if (!cmake) {
            SK_CHECK(write_if_changed(m_files, path_join(build_dir, name), text));
        }
        return {};
    }

    nlohmann::ordered_json compile_command(const Action &action, const ActionStep &step) const {
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < step.argv.size(); ++i) {
            const std::string &word = step.argv[i];
            if (word == "-MF" || word == "-MT") {
                ++i;
            } else if (word == "-o") {
                ++i;
            } else if (word != "-MD" && word.find('\x02') == std::string::npos) {
                arguments.push_back(word);
            }
        }
        return {{"directory", m_project.request().source_root},
                {"file", m_project.roots().command(action.source)},
                {"output", ref_path_of(action)},
                {"arguments", arguments}};
    }

    Project &m_project;
    const std::vector<PlannedAction> &m_planned;
    FileSystem &m_files;
    const ActionGraph &m_graph;
    GraphChanges m_changes;
};

}  // namespace

Expected<bool> write_ref(FileSystem &files, const std::string &graph_directory, const std::string &source_root,
                         const std::string &action_name, const std::string &manifest) {
    const std::string path = path_join(path_join(graph_directory, "refs"), action_name);
    const std::string target = portable_path(manifest, source_root, std::string(path_parent(path)));
    SK_TRY(const auto current, files.read_link(path));
    if (current == target) {
        return false;
    }
    SK_CHECK(files.create_directories(std::string(path_parent(path))));
    SK_CHECK(files.write_link(path, target));
    return true;
}

Expected<bool> stamp_graph(const Services &services, const std::string &graph_directory, const std::string &source_root,
                           std::int64_t plan_start_ns) {
    FileSystem &files = *services.files;
    const InputList list(files, graph_directory, source_root);
    SK_TRY(const std::int64_t time, list.stamp_time(plan_start_ns, services.clock->now_ns()));
    bool changed = false;
    for (const char *name : {"build.ninja", "plan.stamp"}) {
        const std::string path = path_join(graph_directory, name);
        SK_TRY(const auto status, files.stat(path));
        if (status && status->mtime_ns != time) {
            SK_CHECK(files.set_mtime(path, time));
            changed = true;
        }
    }
    return changed;
}

Expected<GraphChanges> write_graph(Project &project, const std::vector<PlannedAction> &planned,
                                   std::int64_t plan_start_ns) {
    return GraphWriter(project, planned).write(plan_start_ns);
}

}  // namespace scene_kernels
