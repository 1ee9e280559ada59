#include "cli/planning.h"

#include "action/toolchain.h"
#include "base/strings.h"
#include "cli/graph_lock.h"
#include "plan/graph_writer.h"

namespace scene_kernels {

Expected<Planning> plan_and_write(const Services &services, Request request) {
    Planning planning;
    planning.start_ns = services.clock->now_ns();
    SK_TRY(planning.project, Project::open(services, std::move(request)));
    SK_TRY(planning.lock, lock_graph(*services.files, planning.project->graph_directory(), LockMode::exclusive));
    SK_TRY(const FileLock builders,
           lock_builders(*services.files, planning.project->graph_directory(), LockMode::exclusive));
    SK_CHECK(planning.project->make_graph());
    SK_TRY(planning.planned,
           plan_actions(planning.project->graph(), planning.project->keys(), planning.project->stores()));
    planning.project->save_memory();
    SK_CHECK(write_graph(*planning.project, planning.planned, planning.start_ns));
    return planning;
}

Expected<void> restat_log(const Services &services, const std::string &graph_directory, const std::string &ninja) {
    const std::string path = path_join(graph_directory, ".ninja_log");
    SK_TRY(const auto present, services.files->stat(path));
    if (!present) {
        return {};
    }
    SK_TRY(const std::string log, services.files->read(path));
    if (log.find("\tplan.stamp\t") == std::string::npos && log.find("\tbuild.ninja\t") == std::string::npos) {
        return {};
    }
    ProcessSpec spec;
    spec.argv = {ninja, "-t", "restat", "plan.stamp", "build.ninja"};
    spec.directory = graph_directory;
    spec.inherit_environment = true;
    SK_TRY(const ProcessResult result, services.processes->run(spec));
    if (result.exit_status != 0) {
        return failure("ninja -t restat failed: " + result.output + result.error_output);
    }
    return {};
}

Expected<std::string> find_ninja(FileSystem &files, const std::string &search_path) {
    for (const char *name : {"ninja", "ninja-build"}) {
        if (const auto path = find_program(files, name, search_path)) {
            return *path;
        }
    }
    return input_error("ninja is not on PATH (" + search_path + "); install it (Debian: apt install ninja-build)");
}

}  // namespace scene_kernels
