// The words of an action's commands when it is known where they work: temporaries, outputs, parts, launcher.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "action/action.h"
#include "action/toolchain_set.h"

namespace scene_kernels {

// Where one run of one step puts and finds things. All absolute.
struct StepPlaces {
    std::string output;
    std::string object;
    std::string depfile;
    std::string link_depfile;
    std::string assembler_depfile;
    std::vector<std::string> objects;
};

struct CommandOptions {
    bool color = false;
    std::string launcher;  // absolute path of ccache; empty: none
};

[[nodiscard]] std::vector<std::string> command_of(const ActionStep &step, const StepPlaces &places,
                                                  const CommandOptions &options);

// The same compilation, but to assembler text (in the place of object and output), and without depfiles.
[[nodiscard]] std::vector<std::string> assembly_command_of(const ActionStep &step, const StepPlaces &places);

// A shell line that runs the steps up to and including `last` again by hand, without depfiles and launcher. Objects and
// outputs go to names in /tmp that say so.
[[nodiscard]] std::string rerun_line(const Action &action, std::size_t last, const std::string &source_root,
                                     const CommandSurroundings &surroundings, const std::vector<std::string> &objects);

// What ccache must be told so that it is never wrong: no direct mode (it does not see shadowing headers), the
// compiler's identity from us, no settings of the user's that relax its checks.
[[nodiscard]] std::map<std::string, std::string> ccache_environment(const Action &action,
                                                                    const std::string &default_directory);

}  // namespace scene_kernels
