// The `scene-kernels` program: parses the command line, runs one subcommand, turns errors into texts and exit statuses.
#include <cstdio>

#include "base/strings.h"
#include "cli/commands.h"
#include "os/environment.h"
#include "os/process.h"

namespace scene_kernels {

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

namespace {

constexpr int k_usage_status = 2;

void complain(const std::string &text) {
    const std::string line = "scene-kernels: " + text + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

// The installed data lies beside the program: <prefix>/bin/scene-kernels and <prefix>/share/scene-kernels.
std::string data_directory_of(const std::string &program) {
    const std::string prefix(path_parent(path_parent(program)));
    const std::string share = path_join(prefix, "share/scene-kernels");
    // In a build tree these are links into the source tree; what matters is where the files really are.
    const auto sdk = real_filesystem().real_path(path_join(share, "sdk"));
    const auto pack = real_filesystem().real_path(path_join(share, "pack"));
    return sdk && pack ? real_filesystem().real_path(share).value_or(share) : share;
}

std::vector<std::string> option_names(const CLI::App &command) {
    std::vector<std::string> names;
    for (const CLI::Option *option : command.get_options()) {
        for (const std::string &name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

// CLI11's message, with the nearest option for a misspelt one.
int report_usage(const CLI::App &app, const CLI::ParseError &error, int argc, char **argv) {
    std::string text = error.what();
    const CLI::App *command = &app;
    for (const CLI::App *chosen : app.get_subcommands()) {
        command = chosen;
    }
    if (command == &app && argc > 1) {
        std::vector<std::string> names;
        for (const CLI::App *known : app.get_subcommands([](const CLI::App *) { return true; })) {
            if (!known->get_group().empty()) {
                names.push_back(known->get_name());
            }
        }
        const std::string word = argv[1];
        if (const auto near = nearest(word, names)) {
            text = "there is no command \"" + word + "\"; did you mean " + *near + "?";
        } else {
            text = "there is no command \"" + word + "\" (there are " + join(names, ", ") + ")";
        }
    }
    for (const std::string &word : command->remaining()) {
        const std::string name = word.substr(0, word.find('='));
        if (const auto near = nearest(name, option_names(*command))) {
            text += "; did you mean " + *near + " for " + name + "?";
        }
    }
    complain(text + " (see " + (command == &app ? "scene-kernels" : "scene-kernels " + command->get_name()) +
             " --help)");
    return k_usage_status;
}

int run(int argc, char **argv) {
    CLI::App app("Content-addressed builds of Ascend NPU scene-test kernels through Ninja.", "scene-kernels");
    app.set_version_flag("--version", SCENE_KERNELS_VERSION);
    app.require_subcommand(1);
    Invocation invocation;
    add_warm_command(app, invocation);
    add_plan_command(app, invocation);
    add_list_command(app, invocation);
    add_path_command(app, invocation);
    add_explain_command(app, invocation);
    add_log_command(app, invocation);
    add_verify_command(app, invocation);
    add_prune_command(app, invocation);
    add_stats_command(app, invocation);
    add_doctor_command(app, invocation);
    add_build_command(app, invocation);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0) {
            return app.exit(error);  // --help, --version
        }
        return report_usage(app, error, argc, argv);
    }
    note_interrupts();
    Services services;
    services.files = &real_filesystem();
    services.processes = &real_processes();
    services.clock = &real_clock();
    services.program = own_program();
    services.data_directory = data_directory_of(services.program);
    const Expected<int> status = invocation.run(services);
    if (!status) {
        complain(status.error().message);
        return static_cast<int>(status.error().kind);
    }
    return *status;
}

}  // namespace

}  // namespace scene_kernels

int main(int argc, char **argv) {
    try {
        return scene_kernels::run(argc, argv);
    } catch (const std::exception &error) {
        scene_kernels::complain(std::string("defect: ") + error.what());
        return 1;
    }
}
