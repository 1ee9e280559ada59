// `scene-kernels explain`: whether the parts of a callable would be hits, why not, and what their keys are made of.
#include <memory>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/graph_view.h"
#include "cli/options.h"
#include "model/printable.h"
#include "plan/planner.h"

namespace scene_kernels {

namespace {

struct ExplainOptions {
    SceneOptions scenes;
    std::string callable;
    bool fields = false;
};

// One line per field. Digests are shown in hexadecimal.
class FieldPrinter final : public FieldSink {
public:
    using FieldSink::field;
    void field(std::string_view tag, std::string_view value) override {
        constexpr std::string_view k_digests[] = {"content", "fingerprint", "part", "search"};
        const bool digest = value.size() == sizeof(Digest) &&
                            std::find(std::begin(k_digests), std::end(k_digests), tag) != std::end(k_digests);
        std::string shown;
        if (digest) {
            for (const char c : value) {
                shown += fmt::format("{:02x}", static_cast<unsigned char>(c));
            }
        } else {
            constexpr std::size_t k_longest = 400;
            shown = printable(value, k_longest);
        }
        m_text += fmt::format("    {:<12} {}\n", tag, shown);
    }
    [[nodiscard]] const std::string &text() const { return m_text; }

private:
    std::string m_text;
};

class Explainer {
public:
    Explainer(Project &project, const std::vector<PlannedAction> &planned, bool fields)
        : m_project(project), m_planned(planned), m_fields(fields) {}

    Expected<std::string> explain(std::size_t callable) {
        const ActionGraph &graph = m_project.graph();
        const std::vector<bool> needed = needed_actions(graph, {callable});
        std::string text;
        for (std::size_t i = 0; i < graph.actions.size(); ++i) {
            if (!needed[i]) {
                continue;
            }
            const PlannedAction &planned = m_planned[i];
            text += graph.actions[i].name + ": " + (planned.hit ? "hit" : "to build: " + planned.why) + "\n";
            if (m_fields) {
                text += planned.hit ? "    key          " + planned.key.hex() + "\n" : "";
                SK_TRY(const std::string fields, fields_of(graph.actions[i]));
                text += fields;
            }
        }
        return text;
    }

private:
    // Of the closure that holds now, or else of the latest that is known.
    Expected<std::string> fields_of(const Action &action) {
        std::vector<Digest> parts;
        for (const std::string &name : action.dependencies) {
            parts.push_back(m_planned[m_project.graph().by_name.at(name)].part);
        }
        std::vector<Closure> closures = m_project.stores().closures_of(action.recipe);
        if (closures.empty()) {
            closures.emplace_back();
        }
        const PlannedAction &planned = m_planned[m_project.graph().by_name.at(action.name)];
        for (const Closure &closure : closures) {
            SK_TRY(const auto key, m_project.keys().key(action, parts, closure));
            if (planned.hit && key == planned.key) {
                return describe(action, parts, closure);
            }
        }
        return describe(action, parts, closures.front());
    }

    Expected<std::string> describe(const Action &action, const std::vector<Digest> &parts, const Closure &closure) {
        FieldPrinter printer;
        SK_CHECK(m_project.keys().describe(action, parts, closure, printer));
        return printer.text();
    }

    Project &m_project;
    const std::vector<PlannedAction> &m_planned;
    bool m_fields;
};

Expected<int> run_explain(const Services &services, const ExplainOptions &options) {
    FileSystem &files = *services.files;
    SK_TRY(const Request place, make_request(files, options.scenes, services.data_directory));
    const std::string graph = place.graph_directory();
    const std::string path = path_join(graph, "request.json");
    SK_TRY(const auto present, files.stat(path));
    if (!present) {
        return input_error("nothing was planned in " + graph + " yet; run scene-kernels warm or plan first");
    }
    SK_TRY(const std::string text, files.read(path));
    SK_TRY(Request request, read_request(text, graph));
    SK_TRY(const std::unique_ptr<Project> project, Project::open(services, std::move(request)));
    SK_CHECK(project->make_graph());
    SK_TRY(const std::vector<PlannedAction> planned,
           plan_actions(project->graph(), project->keys(), project->stores()));
    std::vector<std::string> names;
    for (const CallableNode &node : project->graph().callables) {
        names.push_back(node.scene->name + "/" + node.callable->name);
    }
    SK_TRY(const std::string wanted, find_callable(names, options.callable, graph, "is not"));
    const std::size_t index = static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) - names.begin());
    const std::size_t action = project->graph().callables[index].action;
    SK_TRY(const std::string explanation, Explainer(*project, planned, options.fields).explain(action));
    print(explanation);
    return 0;
}

}  // namespace

void add_explain_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<ExplainOptions>();
    CLI::App *command = app.add_subcommand("explain", "say why a callable's parts are hits, or would be built");
    command->footer("Example:\n  scene-kernels explain softmax/softmax");
    add_scene_options(*command, options->scenes, false);
    command->add_option("CALLABLE", options->callable, "\"scene/callable\", or the callable's name if it is unique")
        ->required();
    command->add_flag("--fields", options->fields, "also show everything that each key is made of");
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_explain(services, *options); };
    });
}

}  // namespace scene_kernels
