#include "plan/project.h"

#include <algorithm>

#include "base/strings.h"
#include "os/environment.h"

namespace scene_kernels {

namespace {

// 1980-01-01: what __DATE__ and __TIME__ say, and the earliest time that zip files can hold.
constexpr const char *k_source_date_epoch = "315532800";

class StoredAnswers final : public ToolchainMemory {
public:
    StoredAnswers(FileSystem &files, StoreLayers &stores) : m_files(files), m_stores(stores) {}

    std::optional<std::string> get(const Digest &key) override {
        for (const std::string &directory : directories()) {
            const std::string path = path_of(directory, key);
            const auto present = m_files.stat(path);
            if (present && *present) {
                const auto text = m_files.read(path);
                if (text) {
                    return *text;
                }
            }
        }
        return std::nullopt;
    }

    void put(const Digest &key, const std::string &text) override {
        const auto store = m_stores.writable();
        if (!store) {
            return;
        }
        const std::string directory = (*store)->toolchain_directory();
        if (m_files.create_directories(directory)) {
            static_cast<void>(m_files.write(path_of(directory, key), text));
        }
    }

private:
    std::vector<std::string> directories() {
        std::vector<std::string> result;
        if (m_stores.state().access != StoreAccess::none) {
            result.push_back(m_stores.main().toolchain_directory());
        }
        if (const auto store = m_stores.writable(); store && *store != &m_stores.main()) {
            result.push_back((*store)->toolchain_directory());
        }
        return result;
    }

    static std::string path_of(const std::string &directory, const Digest &key) {
        return path_join(directory, key.hex() + ".json");
    }

    FileSystem &m_files;
    StoreLayers &m_stores;
};

tl::unexpected<Error> unknown_platform(const Sdk &sdk, const std::string &name) {
    std::vector<std::string> names;
    for (const auto &[platform_name, platform] : sdk.platforms) {
        names.push_back(platform_name);
    }
    std::string text = "unknown platform \"" + name + "\"";
    if (const auto near = nearest(name, names)) {
        text += "; did you mean " + *near + "?";
    }
    return input_error(text + " (" + sdk.path + " has " + join(names, ", ") + ")");
}

}  // namespace

std::string memory_path(const std::string &graph_directory) {
    return path_join(graph_directory, "memory");
}

std::string private_directory(const std::string &graph_directory) {
    return path_join(graph_directory, "private");
}

std::string machine_memory_path() {
    std::string base = environment_variable("XDG_CACHE_HOME").value_or("");
    if (!is_absolute(base)) {
        base = environment_variable("HOME").value_or("");
        if (!is_absolute(base)) {
            return "";
        }
        base = path_join(base, ".cache");
    }
    return path_join(base, "scene-kernels/memory");
}

bool belongs_to_machine(const Roots &roots, const std::string &store, const std::string &path) {
    return is_absolute(roots.logical(path)) && !path_is_inside(path, store);
}

void save_memories(FileSystem &files, FileMemory &memory, const std::string &graph_directory, const Roots &roots,
                   const std::string &store) {
    const auto of_machine = [&](const std::string &path) { return belongs_to_machine(roots, store, path); };
    memory.save(memory_path(graph_directory), [&](const std::string &path) { return !of_machine(path); });
    const std::string machine = machine_memory_path();
    if (!machine.empty() && files.create_directories(std::string(path_parent(machine)))) {
        memory.save(machine, of_machine);
    }
}

void load_memories(FileMemory &memory, const std::string &graph_directory) {
    if (const std::string machine = machine_memory_path(); !machine.empty()) {
        memory.load(machine);
    }
    memory.load(memory_path(graph_directory));
}

std::unique_ptr<ToolchainMemory> stored_toolchain_answers(FileSystem &files, StoreLayers &stores) {
    return std::make_unique<StoredAnswers>(files, stores);
}

CommandSurroundings command_surroundings(const std::string &search_path,
                                         const std::map<std::string, std::string> &allowed) {
    CommandSurroundings surroundings;
    surroundings.search_path = search_path;
    surroundings.environment = allowed;
    surroundings.environment["LC_ALL"] = "C";
    surroundings.environment["SOURCE_DATE_EPOCH"] = k_source_date_epoch;
    return surroundings;
}

Project::Project(const Services &services, Request request)
    : m_services(services),
      m_request(std::move(request)),
      m_graph_directory(m_request.graph_directory()),
      m_memory(*services.files, *services.clock) {}

Expected<std::unique_ptr<Project>> Project::open(const Services &services, Request request) {
    std::unique_ptr<Project> project(new Project(services, std::move(request)));
    SK_CHECK(project->read_model());
    SK_CHECK(project->choose_callables());
    return project;
}

std::optional<std::string> Project::environment(const std::string &name) {
    const auto [entry, is_new] = m_request.environment.try_emplace(name);
    if (is_new) {
        entry->second = environment_variable(name);
    }
    return entry->second;
}

Expected<void> Project::read_model() {
    SK_TRY(m_sdk, load_sdk(*m_services.files, m_request.sdk));
    const std::string name = m_request.platform.empty() ? m_sdk.default_platform : m_request.platform;
    const auto platform = m_sdk.platforms.find(name);
    if (platform == m_sdk.platforms.end()) {
        return unknown_platform(m_sdk, name);
    }
    m_platform = &platform->second;
    m_variables = std::make_unique<Variables>(m_sdk, m_request.set,
                                              [this](const std::string &variable) { return environment(variable); });
    SK_CHECK(m_variables->check(*m_platform));
    SK_TRY(m_scene_set, load_scenes(*m_services.files, m_request.scenes, m_sdk));
    for (const Scene &scene : m_scene_set.scenes) {
        if (scene.path.find('\n') != std::string::npos || scene.path.find('\r') != std::string::npos) {
            return input_error(shell_quoted(scene.path) +
                               ": the path holds a newline, which Ninja cannot take; rename the folder");
        }
    }
    m_named_roots = m_variables->roots(m_scene_set.scenes, m_request.source_root);
    m_named_roots.push_back({"sdk", m_sdk.directory});
    m_named_roots.push_back({"scene-kernels", m_services.data_directory});
    // In a build tree the packer's source is reached through a link.
    SK_TRY(const std::string packer, m_services.files->real_path(path_join(m_services.data_directory, "pack")));
    m_named_roots.push_back({"scene-kernels-pack", packer});
    m_roots = std::make_unique<Roots>(m_request.source_root, m_named_roots);
    m_expander.placeholders = platform_placeholders(m_sdk, *m_platform, *m_roots);
    m_expander.variable = m_variables->lookup(*m_roots);
    return {};
}

Expected<void> Project::choose_callables() {
    SK_TRY(const SelectExpression select, SelectExpression::parse(m_request.select));
    SelectionContext context;
    context.platform = m_platform->name;
    context.system = host_system();
    context.machine = host_machine();
    context.environment = [this](const std::string &name) { return environment(name); };
    context.has_tool = [this](const std::string &tool) {
        return find_program(*m_services.files, tool, m_request.search_path).has_value();
    };
    context.manual = m_request.manual;
    for (const Scene &scene : m_scene_set.scenes) {
        for (const Callable &callable : scene.callables) {
            m_choices.push_back({&scene, &callable, skip_reason(scene, callable, select, context)});
        }
    }
    return {};
}

Expected<void> Project::make_graph() {
    FileSystem &files = *m_services.files;
    load_memories(m_memory, m_graph_directory);
    m_stores = std::make_unique<StoreLayers>(files, m_memory, m_names, m_searches);
    m_stores->open(*m_services.clock, m_request.store, private_directory(m_graph_directory),
                   m_request.allow_foreign_store);
    SK_CHECK(m_stores->load());
    m_answers = stored_toolchain_answers(files, *m_stores);

    GraphRequest wanted;
    for (const std::string &name : m_sdk.environment) {
        if (const auto value = environment(name)) {
            wanted.environment.emplace(name, *value);
        }
    }
    m_toolchains =
        std::make_unique<ToolchainSet>(files, *m_services.processes, m_memory, *m_answers, m_sdk, *m_roots, m_expander,
                                       command_surroundings(m_request.search_path, wanted.environment));
    wanted.sdk = &m_sdk;
    wanted.platform = m_platform;
    wanted.scenes = &m_scene_set.scenes;
    wanted.roots = m_roots.get();
    wanted.variables = m_expander.variable;
    SK_TRY(wanted.packer_source, files.real_path(path_join(m_services.data_directory, "pack/packer.cpp")));
    wanted.launcher = m_request.launcher;
    wanted.includes = [this](const Scene &scene, const Callable &callable) {
        return std::any_of(m_choices.begin(), m_choices.end(), [&](const CallableChoice &choice) {
            return choice.scene == &scene && choice.callable == &callable &&
                   (!choice.skip || choice.skip->kind != SkipKind::platform);
        });
    };
    SK_TRY(m_graph, build_graph(files, *m_toolchains, wanted));
    for (std::size_t i = 0; i < m_graph.callables.size(); ++i) {
        const CallableNode &node = m_graph.callables[i];
        for (const CallableChoice &choice : m_choices) {
            if (choice.callable == node.callable && !choice.skip) {
                m_selected.push_back(i);
            }
        }
    }
    m_keys = std::make_unique<KeyMaker>(files, m_memory, *m_roots, m_names, m_searches);
    return {};
}

ActionFileHeader Project::action_file_header() const {
    ActionFileHeader header;
    header.source_root = m_request.source_root;
    header.roots = m_named_roots;
    header.store = m_request.store;
    header.allow_foreign_store = m_request.allow_foreign_store;
    header.search_path = m_request.search_path;
    return header;
}

void Project::save_memory() {
    save_memories(*m_services.files, m_memory, m_graph_directory, *m_roots, m_request.store);
}

}  // namespace scene_kernels
