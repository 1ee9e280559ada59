#include "action/graph.h"

#include <algorithm>
#include <set>

#include "action/commands.h"
#include "action/recipe.h"
#include "base/strings.h"

namespace scene_kernels {

namespace {

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

// A path below refs/ for a logical path: never absolute, never upwards.
std::string ref_path(const std::string &logical) {
    if (is_absolute(logical)) {
        return "@" + logical;
    }
    std::vector<std::string> parts = split(logical, '/');
    for (std::string &part : parts) {
        if (part == ".." || part == ".") {
            part = "@" + part;
        }
        // Ninja has no escape for '|' in a path.
        std::replace(part.begin(), part.end(), '|', '!');
    }
    return join(parts, "/");
}

// An action while the graph grows: dependencies are indices, and the name is not final.
struct Draft {
    Action action;
    std::vector<std::size_t> dependencies;
};

class Builder {
public:
    Builder(FileSystem &files, ToolchainSet &toolchains, const GraphRequest &request)
        : m_files(files), m_toolchains(toolchains), m_request(request) {}

    Expected<ActionGraph> build() {
        SK_TRY(const std::size_t packer, add_packer());
        for (const Scene &scene : *m_request.scenes) {
            for (const Callable &callable : scene.callables) {
                if (m_request.includes(scene, callable)) {
                    SK_CHECK(add_callable(scene, callable, packer));
                }
            }
        }
        return finish();
    }

private:
    const SdkPlatform &platform() const { return *m_request.platform; }

    Expander expander() const {
        Expander result;
        result.placeholders = platform_placeholders(*m_request.sdk, platform(), *m_request.roots);
        result.variable = m_request.variables;
        return result;
    }

    Spelled spell(const std::string &absolute) const {
        const std::string logical = m_request.roots->logical(absolute);
        return Spelled(m_request.roots->command(logical), logical);
    }

    // Directories or files of the SDK: relative ones start at the SDK's folder.
    Expected<std::vector<Spelled>> sdk_paths(const Expander &with, const std::vector<std::string> &texts) const {
        SK_TRY(std::vector<Spelled> words, expand_all(with, texts));
        for (std::size_t i = 0; i < words.size(); ++i) {
            // What starts with a variable or {sdk} was spelled from the source root by the expansion already.
            const bool from_root = texts[i].find('$') == 0 || texts[i].find("{sdk}") == 0;
            const std::string &base = from_root ? m_request.roots->source_root() : m_request.sdk->directory;
            words[i] = spell(path_normal(path_join(base, words[i].real)));
        }
        return words;
    }

    // `$VAR` directories of a descriptor: missing ones are dropped; an unset variable, or a list of which nothing
    // exists, is the action's error, so that it is reported where the kernel is compiled.
    void add_extra_directories(Action &action, const std::string &descriptor_directory,
                               const std::vector<std::string> &texts, std::vector<Spelled> &directories) {
        std::vector<std::string> missing;
        bool found = false;
        for (const std::string &text : texts) {
            const Expected<Spelled> word = expander().expand(text);
            if (!word) {
                action.error = "extra_include_dirs: " + word.error().message;
                return;
            }
            const bool from_variable = text.find('$') == 0;
            const std::string path = path_normal(
                path_join(from_variable ? m_request.roots->source_root() : descriptor_directory, word->real));
            m_watched.push_back(path);
            const auto status = m_files.stat(path);
            if (status && *status && (*status)->type == FileType::directory) {
                directories.push_back(spell(path));
                found = true;
            } else {
                missing.push_back(path);
            }
        }
        if (!texts.empty() && !found) {
            action.error = "extra_include_dirs: none of them exists; tried " + join(missing, ", ");
        }
    }

    struct CompileUnit {
        ActionKind kind = ActionKind::image;
        std::string name;  // without the kind
        std::string description;
        std::string user;
        std::string source;               // absolute
        std::vector<std::string> inputs;  // absolute
        std::string runtime;              // for the key
        std::string toolchain;
        const std::vector<SdkStep> SdkToolchain::*steps = nullptr;
        std::vector<Spelled> args;
        std::vector<Spelled> include_dirs;
        std::map<std::string, Spelled> placeholders;
        std::string entry_symbol;
        std::string error;
    };

    // Sets what the toolchain decides, and the steps.
    Expected<void> equip(Action &action, const std::string &row, const std::vector<SdkStep> SdkToolchain::*steps,
                         std::vector<Spelled> args, std::vector<Spelled> include_dirs,
                         const std::map<std::string, Spelled> &placeholders) {
        SK_TRY(const ChosenToolchain *chosen, m_toolchains.choose(row));
        CommandContext context;
        context.toolchain = chosen;
        context.roots = m_request.roots;
        context.files = &m_files;
        context.expander = expander();
        context.expander.placeholders.insert(placeholders.begin(), placeholders.end());
        context.expander.placeholders.emplace("output", Spelled(k_output_token, "<output>"));
        context.expander.placeholders.emplace("object", Spelled(k_object_token, "<object>"));
        context.expander.placeholders.emplace("objects", Spelled(k_objects_token, "<objects>"));
        SK_TRY(context.args, expand_all(context.expander, chosen->choice->args));
        context.args.insert(context.args.end(), args.begin(), args.end());
        context.include_dirs = std::move(include_dirs);
        SK_TRY(const std::vector<std::string> options, options_of(chosen->row->*steps, context));
        SK_TRY(const Toolchain *identity, m_toolchains.identify(*chosen, options));
        context.library_directories = identity->library_directories;
        SK_TRY(action.steps, make_steps(chosen->row->*steps, context));
        note_named_files(action);
        action.fingerprint = identity->fingerprint;
        action.family = chosen->choice->family;
        action.compiler = chosen->compiler;
        action.machine = chosen->row->machine;
        action.launcher = m_request.launcher.value_or(chosen->row->launcher.value_or(m_request.sdk->launcher));
        if (action.family == CompilerFamily::plain) {
            action.launcher = Launcher::none;
        }
        return {};
    }

    // What options name is watched whether it is there or not.
    void note_named_files(Action &action) {
        std::set<std::string> named;
        for (const ActionStep &step : action.steps) {
            m_watched.insert(m_watched.end(), step.absent_files.begin(), step.absent_files.end());
            for (const std::string &path : step.named_files) {
                named.insert(m_request.roots->logical(path));
            }
        }
        named.erase(action.source);
        action.named_files.assign(named.begin(), named.end());
    }

    // The compiler's options apart from what differs from source to source.
    static Expected<std::vector<std::string>> options_of(const std::vector<SdkStep> &steps,
                                                         const CommandContext &context) {
        std::vector<Spelled> words = context.args;
        for (const SdkStep &step : steps) {
            for (const std::string &text : step.args) {
                if (step.run == "compiler" && text.find('{') == std::string::npos) {
                    SK_TRY(Spelled word, context.expander.expand(text));
                    words.push_back(std::move(word));
                }
            }
        }
        std::vector<std::string> response_files;  // their names come with the steps
        SK_TRY(words, settle_options(context, std::move(words), response_files));
        std::vector<std::string> options;
        for (const Spelled &word : words) {
            options.push_back(word.real);
        }
        return options;
    }

    Expected<std::size_t> add_unit(const CompileUnit &unit) {
        Draft draft;
        Action &action = draft.action;
        action.kind = unit.kind;
        action.name = unit.name;
        action.description = unit.description;
        // The packer runs on the host for whatever platform: all share it.
        action.platform = unit.kind == ActionKind::packer ? "" : platform().name;
        action.runtime = unit.runtime;
        action.source = m_request.roots->logical(unit.source);
        for (const std::string &input : unit.inputs) {
            action.inputs.push_back(m_request.roots->logical(input));
        }
        action.error = unit.error;
        action.entry_symbol = unit.entry_symbol;
        action.environment = m_request.environment;
        action.users = {unit.user};
        std::map<std::string, Spelled> placeholders = unit.placeholders;
        placeholders.emplace("source", spell(unit.source));
        SK_CHECK(equip(action, unit.toolchain, unit.steps, unit.args, unit.include_dirs, placeholders));
        return add(std::move(draft));
    }

    // The draft's index; an equal one that is there already is used instead.
    std::size_t add(Draft draft) {
        draft.action.recipe = recipe_digest(draft.action);
        FieldHasher hasher;
        hasher.field("recipe", draft.action.recipe);
        hasher.field("error", draft.action.error);
        for (const std::size_t dependency : draft.dependencies) {
            hasher.field("dependency", std::to_string(dependency));
        }
        // Callables keep an action each, under their own name, even where two scenes describe the same one.
        if (draft.action.kind == ActionKind::callable) {
            hasher.field("name", draft.action.name);
        }
        const auto [known, is_new] = m_known.emplace(hasher.finish(), m_drafts.size());
        if (!is_new) {
            std::vector<std::string> &users = m_drafts[known->second].action.users;
            const std::string &user = draft.action.users.front();
            if (std::find(users.begin(), users.end(), user) == users.end()) {
                users.push_back(user);
            }
            return known->second;
        }
        m_drafts.push_back(std::move(draft));
        return known->second;
    }

    Expected<std::size_t> add_packer() {
        const SdkPacker &packer = m_request.sdk->packer;
        CompileUnit unit;
        unit.kind = ActionKind::packer;
        unit.name = m_request.sdk->name;
        unit.description = "PACKER " + m_request.sdk->name;
        unit.user = "SDK " + m_request.sdk->name;
        unit.source = m_request.packer_source;
        unit.toolchain = packer.toolchain;
        unit.steps = &SdkToolchain::program;
        const Expander with = expander();
        SK_TRY(unit.args, expand_all(with, packer.args));
        SK_TRY(const Spelled header, with.expand(packer.header));
        unit.args.emplace_back("-DSCENE_KERNELS_CALLABLE_HEADER=\"" + header.real + "\"",
                               "-DSCENE_KERNELS_CALLABLE_HEADER=\"" + header.logical + "\"");
        SK_TRY(unit.include_dirs, sdk_paths(with, packer.include_dirs));
        return add_unit(unit);
    }

    Expected<std::size_t> add_image(const Scene &scene, const Callable &callable, const Incore &incore) {
        const SdkTarget &target = platform().image;
        const bool cube = incore.core_type == CoreType::aic;
        CompileUnit unit;
        unit.kind = ActionKind::image;
        unit.name = ref_path(m_request.roots->logical(incore.source)) + "." + to_text(incore.core_type);
        unit.description = upper(to_text(incore.core_type)) + " " + scene.name + "/" + incore.name;
        unit.user = scene.name + "/" + callable.name + ": kernel " + incore.name;
        unit.source = incore.source;
        unit.inputs = incore.extra_inputs;
        unit.toolchain = target.toolchain;
        unit.steps = &SdkToolchain::image;
        unit.entry_symbol = platform().entry_symbol;
        unit.placeholders.emplace("core_type", Spelled(to_text(incore.core_type)));
        unit.placeholders.emplace("runtime", Spelled(scene.runtime));
        Expander with = expander();
        with.placeholders.insert(unit.placeholders.begin(), unit.placeholders.end());
        SK_TRY(unit.args, expand_all(with, target.args));
        SK_TRY(const std::vector<Spelled> core_args, expand_all(with, cube ? target.aic_args : target.aiv_args));
        unit.args.insert(unit.args.end(), core_args.begin(), core_args.end());
        SK_TRY(unit.include_dirs, sdk_paths(with, target.include_dirs));
        SK_TRY(const std::vector<Spelled> more,
               sdk_paths(with, platform().runtimes.at(scene.runtime).image_include_dirs));
        unit.include_dirs.insert(unit.include_dirs.end(), more.begin(), more.end());
        Action holder;
        add_extra_directories(holder, scene.directory, incore.extra_include_dirs, unit.include_dirs);
        unit.error = holder.error;
        return add_unit(unit);
    }

    // What an orchestration and the sources of its runtime variant have in common.
    Expected<CompileUnit> object_unit(const SdkRuntime &runtime) {
        const SdkTarget &target = platform().orchestration;
        CompileUnit unit;
        unit.kind = ActionKind::object;
        unit.runtime = runtime.name;
        unit.toolchain = runtime.toolchain.value_or(target.toolchain);
        unit.steps = &SdkToolchain::object;
        unit.placeholders.emplace("runtime", Spelled(runtime.name));
        Expander with = expander();
        with.placeholders.insert(unit.placeholders.begin(), unit.placeholders.end());
        SK_TRY(unit.args, expand_all(with, target.args));
        SK_TRY(const std::vector<Spelled> args, expand_all(with, runtime.args));
        unit.args.insert(unit.args.end(), args.begin(), args.end());
        SK_TRY(unit.include_dirs, sdk_paths(with, runtime.include_dirs));
        SK_TRY(const std::vector<Spelled> more, sdk_paths(with, target.include_dirs));
        unit.include_dirs.insert(unit.include_dirs.end(), more.begin(), more.end());
        return unit;
    }

    Expected<std::size_t> add_library(const Scene &scene, const Callable &callable) {
        const SdkRuntime &runtime = platform().runtimes.at(scene.runtime);
        const Orchestration &orchestration = callable.orchestration;
        const std::string user = scene.name + "/" + callable.name + ": orchestration";
        Draft library;
        SK_TRY(CompileUnit own, object_unit(runtime));
        own.name = ref_path(m_request.roots->logical(orchestration.source));
        own.description = "ORCH " + scene.name + "/" + callable.name;
        own.user = user;
        own.source = orchestration.source;
        own.inputs = orchestration.extra_inputs;
        Action holder;
        add_extra_directories(holder, scene.directory, orchestration.extra_include_dirs, own.include_dirs);
        own.error = holder.error;
        SK_TRY(const std::size_t object, add_unit(own));
        library.dependencies.push_back(object);

        Expander with = expander();
        with.placeholders.emplace("runtime", Spelled(runtime.name));
        SK_TRY(const std::vector<Spelled> sources, sdk_paths(with, runtime.sources));
        for (const Spelled &source : sources) {
            SK_TRY(CompileUnit unit, object_unit(runtime));
            unit.source = m_request.roots->real(source.logical);
            unit.name = ref_path(source.logical);
            unit.description = "RUNTIME " + runtime.name + "/" + std::string(path_name(source.logical));
            unit.user = "runtime " + runtime.name;
            SK_TRY(const std::size_t part, add_unit(unit));
            library.dependencies.push_back(part);
        }

        Action &action = library.action;
        action.kind = ActionKind::library;
        action.name = own.name;
        action.description = "LIB " + scene.name + "/" + callable.name;
        action.platform = platform().name;
        action.runtime = runtime.name;
        action.entry_symbol = orchestration.function_name;
        action.environment = m_request.environment;
        action.users = {user};
        SK_CHECK(equip(action, own.toolchain, &SdkToolchain::library, own.args, {}, own.placeholders));
        return add(std::move(library));
    }

    Expected<void> add_callable(const Scene &scene, const Callable &callable, std::size_t packer) {
        Draft draft;
        PackSpec pack;
        pack.function_name = callable.orchestration.function_name;
        pack.config_name = callable.orchestration.config_name;
        pack.signature = callable.orchestration.signature;
        for (const Incore &incore : callable.incores) {
            SK_TRY(const std::size_t image, add_image(scene, callable, incore));
            pack.children.push_back(
                {incore.func_id, incore.name, incore.core_type, incore.signature, draft.dependencies.size()});
            draft.dependencies.push_back(image);
        }
        SK_TRY(const std::size_t library, add_library(scene, callable));
        pack.library = draft.dependencies.size();
        draft.dependencies.push_back(library);
        pack.packer = draft.dependencies.size();
        draft.dependencies.push_back(packer);
        Action &action = draft.action;
        action.kind = ActionKind::callable;
        action.name = scene.name + "/" + callable.name;
        action.description = "PACK " + scene.name + "/" + callable.name;
        action.platform = platform().name;
        action.runtime = scene.runtime;
        action.users = {scene.name + "/" + callable.name};
        action.pack = std::move(pack);
        m_callables.push_back({&scene, &callable, add(std::move(draft))});
        return {};
    }

    // Gives every draft its final name: the recipe's first digits tell apart what would have the same.
    Expected<ActionGraph> finish() {
        std::map<std::string, int> uses;
        const auto plain_name = [](const Action &action) {
            return std::string(to_text(action.kind)) + "/" + action.name;
        };
        for (const Draft &draft : m_drafts) {
            ++uses[plain_name(draft.action)];
        }
        ActionGraph graph;
        for (std::size_t i = 0; i < m_drafts.size(); ++i) {
            Action &action = m_drafts[i].action;
            const std::string plain = plain_name(action);
            action.name = uses[plain] > 1 ? plain + "." + distinction(m_drafts[i]) : plain;
            if (!graph.by_name.emplace(action.name, i).second) {
                return failure("two actions have the name " + action.name + "; this is a defect of scene-kernels");
            }
        }
        for (Draft &draft : m_drafts) {
            for (const std::size_t dependency : draft.dependencies) {
                draft.action.dependencies.push_back(m_drafts[dependency].action.name);
            }
            std::sort(draft.action.users.begin(), draft.action.users.end());
        }
        for (Draft &draft : m_drafts) {
            graph.actions.push_back(std::move(draft.action));
        }
        graph.callables = std::move(m_callables);
        std::sort(m_watched.begin(), m_watched.end());
        m_watched.erase(std::unique(m_watched.begin(), m_watched.end()), m_watched.end());
        graph.watched = std::move(m_watched);
        return graph;
    }

    std::string distinction(const Draft &draft) const {
        FieldHasher hasher;
        hasher.field("recipe", draft.action.recipe);
        hasher.field("error", draft.action.error);
        for (const std::size_t dependency : draft.dependencies) {
            hasher.field("dependency", m_drafts[dependency].action.recipe);
        }
        constexpr std::size_t k_digits = 10;
        return hasher.finish().hex().substr(0, k_digits);
    }

    FileSystem &m_files;
    ToolchainSet &m_toolchains;
    const GraphRequest &m_request;
    std::vector<Draft> m_drafts;
    std::map<Digest, std::size_t> m_known;
    std::vector<CallableNode> m_callables;
    std::vector<std::string> m_watched;
};

}  // namespace

std::map<std::string, Spelled> platform_placeholders(const Sdk &sdk, const SdkPlatform &platform, const Roots &roots) {
    std::map<std::string, Spelled> placeholders;
    for (const auto &[name, value] : platform.values) {
        placeholders.emplace(name, Spelled(value));
    }
    placeholders.insert_or_assign("platform", Spelled(platform.name));
    const std::string logical = roots.logical(sdk.directory);
    placeholders.insert_or_assign("sdk", Spelled(roots.command(logical), logical));
    return placeholders;
}

Expected<ActionGraph> build_graph(FileSystem &files, ToolchainSet &toolchains, const GraphRequest &request) {
    return Builder(files, toolchains, request).build();
}

}  // namespace scene_kernels
