// Any bytes as actions.jsonl: every action that has a name can be asked for, is fit for use, and is written again as it
// was read; or there is an error.
#include "action/action_file.h"
#include "base/strings.h"
#include "fuzz_check.h"

namespace scene_kernels {

namespace {

constexpr const char *k_graph = "/project/build/scene-kernels/default";

bool is_place(std::size_t place, const Action &action) {
    return place < action.dependencies.size();
}

void check_action(const Action &action) {
    check(action.launcher == Launcher::none || action.launcher == Launcher::ccache, "a launcher");
    for (const ActionStep &step : action.steps) {
        const int family = static_cast<int>(step.family);
        check(family >= 1 && family <= 3, "a family of compilers");
        check(!step.argv.empty() || !step.extract.empty(), "a step does something");
    }
    if (action.pack) {
        check(is_place(action.pack->library, action) && is_place(action.pack->packer, action), "places of parts");
        for (const PackChild &child : action.pack->children) {
            check(is_place(child.dependency, action), "the place of a kernel");
            check(child.core_type == CoreType::aic || child.core_type == CoreType::aiv, "a core type");
            for (const ArgDirection direction : child.signature) {
                check(static_cast<int>(direction) <= 3, "a direction");
            }
        }
    }
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string_view text = text_of(data, size);
    const auto header = read_action_header(text, k_graph);
    if (!header) {
        check_error(header.error(), ErrorKind::failure);
    }
    std::vector<Action> actions;
    for (const std::string &name : action_names(text)) {
        const auto action = read_action(text, name);
        if (!action) {
            check_error(action.error(), ErrorKind::failure);
        } else if (*action) {
            check_action(**action);
            actions.push_back(**action);
        }
    }
    if (!header) {
        return 0;
    }
    const std::string written = write_action_file(*header, actions, k_graph);
    const auto header_again = read_action_header(written, k_graph);
    check(header_again.has_value(), "a written header is read", written);
    std::vector<Action> again;
    for (const Action &action : actions) {
        const auto found = read_action(written, action.name);
        check(found && *found, "a written action is found", written);
        again.push_back(**found);
    }
    check(write_action_file(*header_again, again, k_graph) == written, "what was written comes back", written);
    return 0;
}
