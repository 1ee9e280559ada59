// `scene-kernels warm`: plan, let Ninja build what is missing, say what came of it.
#include <map>
#include <memory>
#include <optional>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/graph_lock.h"
#include "cli/options.h"
#include "cli/planning.h"
#include "cli/store_options.h"
#include "os/environment.h"
#include "os/process.h"
#include "plan/graph_writer.h"
#include "report/events.h"
#include "report/summary.h"
#include "store/entry.h"
#include "store/upkeep.h"

namespace scene_kernels {

namespace {

struct WarmOptions {
    SceneOptions scenes;
    std::optional<std::string> jobs;
    bool best_effort = false;
    bool quiet = false;
    std::string summary;
};

constexpr double k_second_ns = 1e9;

class Warm {
public:
    Warm(const Services &services, const WarmOptions &options) : m_services(services), m_options(options) {}

    Expected<int> run() {
        const std::int64_t start = m_services.clock->steady_ns();
        m_jobs = available_cpus();
        if (m_options.jobs) {
            SK_TRY(m_jobs, parse_jobs(*m_options.jobs));
        }
        SK_TRY(Request request, make_request(*m_services.files, m_options.scenes, m_services.data_directory));
        SK_TRY(const std::string ninja, find_ninja(*m_services.files, request.search_path));
        SK_TRY(m_limits, prune_limits("", ""));
        SK_TRY(m_planning, plan_and_write(m_services, std::move(request)));
        const double plan_seconds = since(start);
        m_planning.project->stores().main().remove_abandoned();
        SK_CHECK(restat_log(m_services, graph_directory(), ninja));
        const std::int64_t ninja_start = m_services.clock->steady_ns();
        SK_TRY(const int ninja_status, run_ninja(ninja));
        SK_TRY(const Summary totals, summary(plan_seconds, since(ninja_start), since(start)));
        return finish(totals, ninja_status);
    }

private:
    const std::string &graph_directory() const { return m_planning.project->graph_directory(); }

    double since(std::int64_t start) const {
        return static_cast<double>(m_services.clock->steady_ns() - start) / k_second_ns;
    }

    bool anything_missing() const {
        const ActionGraph &graph = m_planning.project->graph();
        for (const std::size_t index : m_planning.project->selected()) {
            if (!m_planning.planned[graph.callables[index].action].hit) {
                return true;
            }
        }
        return false;
    }

    // Ninja is not even started when every ref that is wanted holds.
    Expected<int> run_ninja(const std::string &ninja) {
        SK_CHECK(m_services.files->write(events_path(graph_directory()), ""));
        m_built = anything_missing();
        if (!m_built) {
            return 0;
        }
        ProcessSpec spec;
        spec.argv = {ninja, "-j", std::to_string(m_jobs), "-k", "0"};
        if (m_options.quiet) {
            spec.argv.emplace_back("--quiet");
        }
        spec.argv.emplace_back("warm-kernels");
        spec.directory = graph_directory();
        spec.inherit_environment = true;
        spec.capture_output = false;
        spec.environment[k_lock_variable] = graph_directory();
        if (output_is_terminal()) {
            spec.environment[k_color_variable] = "1";
        }
        SK_TRY(const ProcessResult result, m_services.processes->run(spec));
        // What builds discovered is among the inputs now; a header that the plan did not know yet must not look newer.
        SK_CHECK(
            stamp_graph(m_services, graph_directory(), m_planning.project->request().source_root, m_planning.start_ns));
        SK_CHECK(restat_log(m_services, graph_directory(), ninja));
        return result.exit_status;
    }

    Expected<Summary> summary(double plan_seconds, double ninja_seconds, double total_seconds) {
        SK_TRY(const std::string events, m_services.files->read(events_path(graph_directory())));
        Summary totals = summarize(*m_planning.project, m_planning.planned, parse_events(events), m_built);
        totals.plan_seconds = plan_seconds;
        totals.ninja_seconds = ninja_seconds;
        totals.total_seconds = total_seconds;
        StoreLayers &stores = m_planning.project->stores();
        totals.store = m_planning.project->request().store;
        totals.store_bytes =
            keep_up(*m_services.files, *m_services.clock, stores.main(), m_limits, built_bytes(totals)).store_bytes;
        totals.store_trouble = stores.writes_to_main() ? "" : stores.state().why;
        return totals;
    }

    // Blocks of what this run added to the store.
    std::uint64_t built_bytes(const Summary &totals) const {
        std::uint64_t bytes = 0;
        for (const std::string &action : totals.built) {
            const std::string ref = path_join(graph_directory(), "refs/" + action);
            if (const auto manifest = m_services.files->real_path(ref)) {
                bytes += disk_bytes_below(*m_services.files, std::string(path_parent(*manifest)));
            }
        }
        return bytes;
    }

    Expected<int> finish(const Summary &totals, int ninja_status) {
        if (!m_options.quiet || totals.actions.failed > 0) {
            print(summary_text(totals));
        }
        if (!m_options.summary.empty()) {
            SK_CHECK(m_services.files->write(path_normal(path_join(current_directory(), m_options.summary)),
                                             summary_json(totals)));
        }
        if (interrupt_signal() != 0) {
            print("interrupted; what was finished is kept\n");
            return 128 + interrupt_signal();
        }
        const bool failed = totals.actions.failed > 0 || totals.callables.failed > 0;
        if (!failed && ninja_status != 0) {
            return failure("ninja ended with status " + std::to_string(ninja_status) + " in " + graph_directory());
        }
        if (failed && m_options.best_effort) {
            print(warning_lines(totals));
            return 0;
        }
        return failed ? 1 : 0;
    }

    const Services &m_services;
    const WarmOptions &m_options;
    int m_jobs = 1;
    PruneLimits m_limits;
    bool m_built = false;
    Planning m_planning;
};

}  // namespace

void add_warm_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<WarmOptions>();
    CLI::App *command = app.add_subcommand("warm", "build every kernel and callable that the store lacks");
    command->footer("Example:\n  scene-kernels warm --platform a2a3sim kernels/scenes");
    add_scene_options(*command, options->scenes, true);
    command->add_option("-j,--jobs", options->jobs, "commands at the same time; default: the CPUs available")
        ->type_name("N");
    command->add_flag("--best-effort", options->best_effort, "failures are ::warning:: lines and the exit status is 0");
    command->add_option("--summary", options->summary, "write the summary as JSON")->type_name("FILE");
    command->add_flag("--quiet", options->quiet, "say nothing but what failed");
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return Warm(services, *options).run(); };
    });
}

}  // namespace scene_kernels
