// `scene-kernels plan`, and `replan`, by which Ninja plans again when an input changed.
#include <memory>
#include <optional>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/planning.h"
#include "os/environment.h"
#include "report/summary.h"
#include "store/upkeep.h"

namespace scene_kernels {

namespace {

struct PlanOptions {
    SceneOptions scenes;
    std::string summary;
    bool quiet = false;
    // Taken so that the same words can be given as to `warm`; a plan starts nothing.
    std::optional<std::string> jobs;
    bool best_effort = false;
};

constexpr double k_second_ns = 1e9;

std::string missing_text(const Planning &planning) {
    std::string text;
    const ActionGraph &graph = planning.project->graph();
    for (std::size_t i = 0; i < graph.actions.size(); ++i) {
        if (!planning.planned[i].hit) {
            text += "to build: " + graph.actions[i].name + ": " + planning.planned[i].why + "\n";
        }
    }
    return text;
}

Expected<int> run_plan(const Services &services, const PlanOptions &options) {
    const std::int64_t start = services.clock->steady_ns();
    if (options.jobs) {
        SK_CHECK(parse_jobs(*options.jobs));
    }
    SK_TRY(Request request, make_request(*services.files, options.scenes, services.data_directory));
    SK_TRY(const std::string ninja, find_ninja(*services.files, request.search_path));
    SK_TRY(const Planning planning, plan_and_write(services, std::move(request)));
    SK_CHECK(restat_log(services, planning.project->graph_directory(), ninja));
    Summary summary = summarize(*planning.project, planning.planned, {}, false);
    summary.plan_seconds = summary.total_seconds =
        static_cast<double>(services.clock->steady_ns() - start) / k_second_ns;
    summary.store = planning.project->request().store;
    summary.store_bytes = known_bytes(*services.files, planning.project->stores().main());
    summary.store_trouble = planning.project->stores().writes_to_main() ? "" : planning.project->stores().state().why;
    if (!options.quiet) {
        print(missing_text(planning) + summary_text(summary));
    }
    if (!options.summary.empty()) {
        SK_CHECK(
            services.files->write(path_normal(path_join(current_directory(), options.summary)), summary_json(summary)));
    }
    return 0;
}

// Runs in the graph directory, as an edge of its build.ninja; says nothing if all is well.
Expected<int> run_replan(const Services &services) {
    const std::string directory = current_directory();
    const std::string path = path_join(directory, "request.json");
    SK_TRY(const auto present, services.files->stat(path));
    if (!present) {
        return input_error(directory + " is no graph directory of scene-kernels: it has no request.json");
    }
    SK_TRY(const std::string text, services.files->read(path));
    SK_TRY(Request request, read_request(text, directory));
    SK_CHECK(plan_and_write(services, std::move(request)));
    return 0;
}

}  // namespace

void add_plan_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<PlanOptions>();
    CLI::App *command = app.add_subcommand("plan", "say what warm would build, and write the Ninja graph for it");
    command->footer("Example:\n  scene-kernels plan kernels/scenes");
    add_scene_options(*command, options->scenes, true);
    command->add_option("--summary", options->summary, "write the summary as JSON")->type_name("FILE");
    command->add_flag("--quiet", options->quiet, "say nothing if all is well");
    command->add_option("-j,--jobs", options->jobs, "as for warm; a plan starts no jobs")->type_name("N");
    command->add_flag("--best-effort", options->best_effort, "as for warm; a plan builds nothing that could fail");
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_plan(services, *options); };
    });
    CLI::App *replan = app.add_subcommand("replan", "plan again in a graph directory (Ninja calls it)")->group("");
    replan->callback([&invocation] { invocation.run = run_replan; });
}

}  // namespace scene_kernels
