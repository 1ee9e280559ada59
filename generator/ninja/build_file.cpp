#include "ninja/build_file.h"

#include "base/strings.h"
#include "ninja/quoting.h"

namespace scene_kernels {

namespace {

// `generator` edges need no log entry to be clean, so a restored checkout is clean; the command line may change
// (another build of scene-kernels) without making anything dirty: only a missing ref does.
//
// Two rules carry the plan into Ninja: Ninja deletes the outputs of an interrupted edge that has a depfile, so with one
// rule Ctrl-C would delete build.ninja.
constexpr const char *k_header =
    R"(# Written by scene-kernels; edits are lost. One edge per action: its output is the ref, a link to the artifact that the
# action stands for now. An edge is dirty if and only if its ref is missing; the plan removes the refs of what must be built.
ninja_required_version = 1.10

rule plan
  command = $scene_kernels replan
  description = PLAN
  depfile = plan.d
  generator = 1

rule adopt
  command = :
  description = ADOPT
  generator = 1

rule build
  command = $scene_kernels build $action
  description = $label
  generator = 1

build plan.stamp: plan
build build.ninja: adopt plan.stamp

)";

void write_edge(const Action &action, std::string &text) {
    text += "build " + ninja_path(ref_path_of(action)) + ": build";
    if (!action.dependencies.empty()) {
        text += " ||";
        for (const std::string &name : action.dependencies) {
            text += " $\n    " + ninja_path("refs/" + name);
        }
    }
    text += "\n  action = " + ninja_value(shell_quoted(action.name));
    text += "\n  label = " + ninja_value(action.description) + "\n";
}

void write_phony(const std::string &name, const std::vector<std::string> &refs, std::string &text) {
    text += "\nbuild " + ninja_path(name) + ": phony";
    for (const std::string &ref : refs) {
        text += " $\n    " + ninja_path(ref);
    }
    text += "\n";
}

}  // namespace

std::string ref_path_of(const Action &action) {
    return "refs/" + action.name;
}

std::string write_build_file(const ActionGraph &graph, const BuildFileOptions &options) {
    std::string text = k_header;
    text.insert(text.find("rule plan"), "scene_kernels = " + ninja_value(shell_quoted(options.program)) + "\n\n");
    for (const Action &action : graph.actions) {
        write_edge(action, text);
    }
    std::map<std::string, std::vector<std::string>> by_scene;
    for (const CallableNode &node : graph.callables) {
        by_scene[node.scene->name].push_back(ref_path_of(graph.actions[node.action]));
    }
    for (const auto &[scene, refs] : by_scene) {
        write_phony("scene/" + scene, refs, text);
    }
    std::vector<std::string> selected;
    for (const std::size_t index : options.selected) {
        selected.push_back(ref_path_of(graph.actions[graph.callables[index].action]));
    }
    write_phony("warm-kernels", selected, text);
    text += "\ndefault warm-kernels\n";
    return text;
}

}  // namespace scene_kernels
