#include "build/command_line.h"

#include "base/strings.h"
#include "os/environment.h"

namespace scene_kernels {

namespace {

void replace(std::string &text, std::string_view token, const std::string &value) {
    for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token, at + value.size())) {
        text.replace(at, token.size(), value);
    }
}

std::string placed(std::string word, const StepPlaces &places) {
    replace(word, k_output_token, places.output);
    replace(word, k_object_token, places.object);
    replace(word, k_depfile_token, places.depfile);
    replace(word, k_link_depfile_token, places.link_depfile);
    replace(word, k_assembler_depfile_token, places.assembler_depfile);
    return word;
}

bool is_assembler_request(const std::string &word) {
    return word.find(k_assembler_depfile_token) != std::string::npos;
}

// The words without those that ask for depfiles.
std::vector<std::string> without_requests(const std::vector<std::string> &argv) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < argv.size(); ++i) {
        if (argv[i] == "-MF" || argv[i] == "-MT") {
            ++i;
        } else if (argv[i] != "-MD" && !is_assembler_request(argv[i]) &&
                   argv[i].find(k_depfile_token) == std::string::npos &&
                   argv[i].find(k_link_depfile_token) == std::string::npos) {
            words.push_back(argv[i]);
        }
    }
    return words;
}

std::vector<std::string> with_places(const std::vector<std::string> &argv, const StepPlaces &places) {
    std::vector<std::string> words;
    for (const std::string &word : argv) {
        if (word == k_objects_token) {
            words.insert(words.end(), places.objects.begin(), places.objects.end());
        } else {
            words.push_back(placed(word, places));
        }
    }
    return words;
}

}  // namespace

std::vector<std::string> command_of(const ActionStep &step, const StepPlaces &places, const CommandOptions &options) {
    std::vector<std::string> argv = step.argv;
    const bool cached = !options.launcher.empty() && step.is_compiler && step.reads_sources && !step.reads_libraries;
    if (cached) {
        // ccache hashes -Wa options with their file names, which differ in every run; it would never hit.
        std::erase_if(argv, is_assembler_request);
    }
    std::vector<std::string> words = with_places(argv, places);
    if (options.color && step.is_compiler && step.family != CompilerFamily::plain) {
        words.emplace_back("-fdiagnostics-color=always");
    }
    if (cached) {
        words.insert(words.begin(), options.launcher);
    }
    return words;
}

std::vector<std::string> assembly_command_of(const ActionStep &step, const StepPlaces &places) {
    std::vector<std::string> argv = without_requests(step.argv);
    for (std::string &word : argv) {
        if (word == "-c") {
            word = "-S";
        }
    }
    return with_places(argv, places);
}

std::string rerun_line(const Action &action, std::size_t last, const std::string &source_root,
                       const CommandSurroundings &surroundings, const std::vector<std::string> &objects) {
    StepPlaces places;
    places.object = "/tmp/scene-kernels-rerun.o";
    places.output = "/tmp/scene-kernels-rerun.out";
    places.objects = objects;
    std::vector<std::string> environment = {"env", "-i", "PATH=" + surroundings.search_path};
    for (const auto &[name, value] : surroundings.environment) {
        environment.push_back(name + "=" + value);
    }
    std::string text = "cd " + shell_quoted(source_root);
    for (std::size_t i = 0; i <= last && i < action.steps.size(); ++i) {
        if (!action.steps[i].extract.empty()) {
            continue;
        }
        text += " && " + shell_command(environment) + " " +
                shell_command(with_places(without_requests(action.steps[i].argv), places));
    }
    return text;
}

std::map<std::string, std::string> ccache_environment(const Action &action, const std::string &default_directory) {
    return {{"CCACHE_DIR", environment_variable("CCACHE_DIR").value_or(default_directory)},
            {"CCACHE_CONFIGPATH", "/dev/null"},
            {"CCACHE_NODIRECT", "1"},
            {"CCACHE_COMPILERCHECK", "string:" + action.fingerprint.hex()},
            {"CCACHE_NOHASHDIR", "1"}};
}

}  // namespace scene_kernels
