// `scene-kernels doctor`: whether this machine has what a build needs, and whether the store is of use.
#include <memory>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/planning.h"
#include "model/load.h"
#include "os/environment.h"
#include "os/process.h"
#include "store/layers.h"

namespace scene_kernels {

namespace {

class Doctor {
public:
    Doctor(const Services &services, const Request &request) : m_services(services), m_request(request) {}

    // Prints a line per finding; true if a build can work.
    Expected<bool> examine() {
        good("program", m_services.program + " " + SCENE_KERNELS_VERSION);
        good("source root", m_request.source_root);
        examine_ninja();
        SK_CHECK(examine_sdk());
        examine_store();
        examine_memory();
        return m_failures == 0;
    }

private:
    void line(const char *state, const std::string &what, const std::string &text) {
        print(fmt::format("{:<5} {:<12} {}\n", state, what, text));
    }
    void good(const std::string &what, const std::string &text) { line("ok", what, text); }
    void warn(const std::string &what, const std::string &text) { line("warn", what, text); }
    void fail(const std::string &what, const std::string &text) {
        ++m_failures;
        line("FAIL", what, text);
    }

    void examine_ninja() {
        const auto ninja = find_ninja(*m_services.files, m_request.search_path);
        if (!ninja) {
            fail("ninja", ninja.error().message);
            return;
        }
        ProcessSpec spec;
        spec.argv = {*ninja, "--version"};
        spec.inherit_environment = true;
        const auto result = m_services.processes->run(spec);
        if (!result || result->exit_status != 0) {
            fail("ninja", *ninja + " does not run");
            return;
        }
        good("ninja", *ninja + " " + split(result->output, '\n').front());
    }

    Expected<void> examine_sdk() {
        FileSystem &files = *m_services.files;
        const auto sdk = load_sdk(files, m_request.sdk);
        if (!sdk) {
            fail("sdk", sdk.error().message);
            return {};
        }
        good("sdk", m_request.sdk + " (" + sdk->name + ")");
        const auto platform = sdk->platforms.find(m_request.platform);
        if (platform == sdk->platforms.end()) {
            fail("platform", "the SDK has no platform \"" + m_request.platform + "\"");
            return {};
        }
        const Variables variables(*sdk, m_request.set, environment_variable);
        if (const auto checked = variables.check(platform->second); !checked) {
            fail("platform", checked.error().message);
            return {};
        }
        good("platform", platform->first);
        examine_toolchains(*sdk, platform->second, variables);
        return {};
    }

    void examine_toolchains(const Sdk &sdk, const SdkPlatform &platform, const Variables &variables) {
        FileSystem &files = *m_services.files;
        std::vector<Root> named = variables.roots({}, m_request.source_root);
        named.push_back({"sdk", sdk.directory});
        const Roots roots(m_request.source_root, named);
        Expander expander;
        expander.placeholders = platform_placeholders(sdk, platform, roots);
        expander.variable = variables.lookup(roots);
        FileMemory memory(files, *m_services.clock);
        if (const std::string machine = machine_memory_path(); !machine.empty()) {
            memory.load(machine);
        }
        NameTable names;
        SearchTable searches;
        StoreLayers stores(files, memory, names, searches);
        stores.open(*m_services.clock, m_request.store, private_directory(m_request.graph_directory()),
                    m_request.allow_foreign_store);
        const std::unique_ptr<ToolchainMemory> answers = stored_toolchain_answers(files, stores);
        ToolchainSet toolchains(files, *m_services.processes, memory, *answers, sdk, roots, expander,
                                command_surroundings(m_request.search_path, {}));
        std::set<std::string> rows = {platform.image.toolchain, platform.orchestration.toolchain, sdk.packer.toolchain};
        for (const auto &[name, runtime] : platform.runtimes) {
            if (runtime.toolchain) {
                rows.insert(*runtime.toolchain);
            }
        }
        for (const std::string &row : rows) {
            const auto chosen = toolchains.choose(row);
            const auto identity = chosen ? toolchains.identify(**chosen, {}) : tl::unexpected<Error>(chosen.error());
            if (!identity) {
                fail("toolchain", row + ": " + identity.error().message);
                continue;
            }
            good("toolchain", fmt::format("{}: {} ({}; {} files make its identity)", row, (*chosen)->compiler,
                                          (*identity)->version, (*identity)->files.size()));
        }
        const bool ccache = m_request.launcher.value_or(sdk.launcher) == Launcher::ccache;
        if (ccache && !find_program(files, "ccache", m_request.search_path)) {
            fail("launcher", "ccache is asked for, but PATH has none");
        }
    }

    void examine_store() {
        const Store store =
            Store::open(*m_services.files, *m_services.clock, m_request.store, m_request.allow_foreign_store);
        const StoreState &state = store.state();
        switch (state.access) {
            case StoreAccess::write:
                good("store", m_request.store);
                break;
            case StoreAccess::read:
                warn("store", "can be read, but nothing is kept: " + state.why);
                break;
            case StoreAccess::none:
                warn("store", "is not used: " + state.why);
                break;
        }
    }

    void examine_memory() {
        const std::string path = machine_memory_path();
        if (path.empty()) {
            warn("memory", "neither XDG_CACHE_HOME nor HOME names a place: compilers are hashed by every run");
        } else if (const std::string folder(path_parent(path));
                   !m_services.files->create_directories(folder) || !m_services.files->is_writable(folder)) {
            warn("memory", folder + " cannot be written: compilers are hashed by every run");
        } else {
            good("memory", path);
        }
    }

    const Services &m_services;
    const Request &m_request;
    int m_failures = 0;
};

Expected<int> run_doctor(const Services &services, const SceneOptions &options) {
    SK_TRY(const Request request, make_request(*services.files, options, services.data_directory));
    SK_TRY(const bool healthy, Doctor(services, request).examine());
    return healthy ? 0 : 1;
}

}  // namespace

void add_doctor_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<SceneOptions>();
    CLI::App *command = app.add_subcommand("doctor", "check what a build needs: Ninja, toolchains, the store");
    command->footer("Example:\n  scene-kernels doctor --platform a5sim");
    add_scene_options(*command, *options, false);
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_doctor(services, *options); };
    });
}

}  // namespace scene_kernels
