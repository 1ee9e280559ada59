#include "oracle.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "searching.h"
#include "support/command.h"
#include "support/files.h"

namespace scene_kernels::volume {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string joined(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words) {
        text += word + " ";
    }
    return text;
}

std::vector<std::string> flag_args(const std::set<int> &flags) {
    std::vector<std::string> args = {"-std=c++17"};
    for (const int flag : flags) {
        args.push_back("-DFLAG_" + std::to_string(flag));
    }
    return args;
}

// The files that a depfile of one target names, without the system's; sorted.
std::vector<std::string> files_in_depfile(const std::string &text) {
    std::istringstream words(text);
    std::set<std::string> files;
    for (std::string word; words >> word;) {
        if (word != "\\" && !word.ends_with(':') && word.front() != '/') {
            files.insert(word);
        }
    }
    return {files.begin(), files.end()};
}

}  // namespace

struct Oracle::Question {
    const Tree &tree;
    const Texts &texts;
    const fs::path &root;
    std::multimap<std::string, std::string> headers;  // paths by last component
    std::vector<Expected> actions;
    std::map<std::string, std::size_t> known;  // units by recipe

    char compiler() const { return texts.at(compiler_path(tree.sdk.compiler)).back(); }

    // Everything that may reach a unit of this source: each file whose name stands in a text that may reach it.
    std::string surroundings(const std::string &source) const {
        std::set<std::string> words;
        std::map<std::string, std::string> found;
        std::vector<std::string> open = {source};
        while (!open.empty()) {
            const std::string path = open.back();
            open.pop_back();
            const std::string &text = texts.at(path);
            if (!found.emplace(path, digest(text)).second) {
                continue;
            }
            for (const std::string &word : header_words(text)) {
                if (words.insert(word).second) {
                    const auto [from, to] = headers.equal_range(word);
                    std::for_each(from, to, [&open](const auto &entry) { open.push_back(entry.second); });
                }
            }
        }
        std::string all;
        for (const auto &[path, content] : found) {
            all += path + " " + content + "\n";
        }
        return all;
    }
};

Oracle::Oracle(const fs::path &scratch) : m_scratch(scratch), m_outputs(scratch / "outputs") {
    fs::create_directories(scratch);
}

std::string Oracle::run(const std::vector<std::string> &command, const fs::path &directory) {
    std::map<std::string, std::string> environment = e2e::clean_environment(m_scratch);
    environment["LC_ALL"] = "C";
    environment["SOURCE_DATE_EPOCH"] = "315532800";
    ++m_processes;
    const e2e::Result result = e2e::run({command, directory, environment});
    if (result.status != 0) {
        throw std::runtime_error(joined(command) + "\nfailed in " + directory.string() + ":\n" + result.err);
    }
    return result.out;
}

// The output of a command to which "-o FILE" is added; `what` says all that it depends on.
int Oracle::made(const std::string &what, const std::vector<std::string> &command, const fs::path &directory) {
    const std::string name = digest(what);
    const auto known = m_made.find(name);
    if (known != m_made.end()) {
        return known->second;
    }
    const fs::path file = m_scratch / "made";
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-o", file.string()});
    static_cast<void>(run(words, directory));
    return m_made.emplace(name, m_outputs.keep(file)).first->second;
}

std::string Oracle::preprocess(const Question &question, const Unit &unit, std::vector<std::string> &files) {
    const fs::path depfile = m_scratch / "depfile";
    std::vector<std::string> command = {VOLUME_REAL_COMPILER, "-E", "-MD", "-MF", depfile.string(), "-MT", "out"};
    command.push_back(std::string("-DVOLUME_COMPILER=") + question.compiler());
    command.insert(command.end(), unit.args.begin(), unit.args.end());
    for (const std::string &folder : unit.folders) {
        command.push_back("-I" + folder);
    }
    command.push_back(unit.source);
    std::string text = run(command, question.root);
    files = files_in_depfile(e2e::read_file(depfile));
    return text;
}

Oracle::Compiled Oracle::compile(const Question &question, const Unit &unit) {
    const std::string options = question.compiler() + joined(unit.args) + "-I " + joined(unit.folders) + unit.source;
    const std::string state = digest(options + "\n" + question.surroundings(unit.source));
    const auto known = m_compiled.find(state);
    if (known != m_compiled.end()) {
        return known->second;
    }
    Compiled compiled;
    const std::string text = preprocess(question, unit, compiled.files);
    std::vector<std::string> command = {VOLUME_REAL_COMPILER, "-c", "-O0", "-fPIC"};
    command.push_back(std::string("-DVOLUME_COMPILER=") + question.compiler());
    command.insert(command.end(), unit.args.begin(), unit.args.end());
    for (const std::string &folder : unit.folders) {
        command.push_back("-I" + folder);
    }
    command.push_back(unit.source);
    compiled.object = made(options + "\n" + text, command, question.root);
    return m_compiled.emplace(state, compiled).first->second;
}

// Appends a unit's action; one that is there already is used instead.
std::size_t Oracle::add_unit(Question &question, const Unit &unit) {
    Expected action;
    action.kind = unit.kind;
    action.ref = unit.kind + "/" + unit.name;
    action.recipe = action.kind + " " + question.compiler() + " " + unit.source + " " + joined(unit.args) + "-I " +
                    joined(unit.folders);
    const auto [known, is_new] = question.known.emplace(action.recipe, question.actions.size());
    if (!is_new) {
        return known->second;
    }
    const Compiled compiled = compile(question, unit);
    action.closure = joined(compiled.files);
    std::string contents;
    for (const std::string &file : compiled.files) {
        contents += digest(question.texts.at(file)) + " ";
    }
    action.key = digest(action.recipe + "\n" + contents + "\n" +
                        Searching(question.texts, unit.folders).outcomes(compiled.files));
    if (unit.kind == "object") {
        action.outputs.emplace("object.o", compiled.object);
    } else {
        const std::string object = m_outputs.path(compiled.object).string();
        action.outputs.emplace(
            "image.bin",
            made("image " + object, {VOLUME_REAL_COMPILER, "-shared", "-nostdlib", "-Wl,-z,noseparate-code", object},
                 question.root));
    }
    question.actions.push_back(std::move(action));
    return question.actions.size() - 1;
}

std::size_t Oracle::add_image(Question &question, int scene, const KernelUse &use) {
    const Tree &tree = question.tree;
    Unit unit;
    unit.kind = "image";
    unit.source = path_of(tree, kernel_id(use.kernel));
    unit.name = unit.source + (use.cube ? ".aic" : ".aiv");
    unit.args = flag_args(tree.sdk.image_flags);
    unit.args.emplace_back(use.cube ? "-DCORE=1" : "-DCORE=2");
    unit.folders = tree.sdk.folders;
    if (tree.scenes[static_cast<std::size_t>(scene)].extra) {
        unit.folders.push_back(scene_folder(scene) + "/include");
    }
    return add_unit(question, unit);
}

std::size_t Oracle::add_object(Question &question, const FileId &source) {
    Unit unit;
    unit.kind = "object";
    unit.source = path_of(question.tree, source);
    unit.name = unit.source;
    unit.args = flag_args(question.tree.sdk.orchestration_flags);
    unit.folders = {k_runtime_folder, k_base_folder};
    return add_unit(question, unit);
}

std::size_t Oracle::add_library(Question &question, int scene) {
    const std::vector<std::size_t> parts = {add_object(question, orchestration_id(scene)),
                                            add_object(question, runtime_id())};
    const std::vector<std::string> args = flag_args(question.tree.sdk.orchestration_flags);
    Expected action;
    action.kind = "library";
    action.ref = "library/" + path_of(question.tree, orchestration_id(scene));
    action.recipe =
        std::string("library ") + question.compiler() + " " + function_name(question.tree, scene) + " " + joined(args);
    std::vector<std::string> command = {VOLUME_REAL_COMPILER, "-shared", "-nostartfiles"};
    command.insert(command.end(), args.begin(), args.end());
    std::string objects;
    for (const std::size_t part : parts) {
        command.push_back(m_outputs.path(question.actions[part].outputs.at("object.o")).string());
        objects += command.back() + " ";
    }
    action.key = digest(action.recipe + objects);
    action.outputs.emplace("library.so", made("library " + joined(args) + objects, command, question.root));
    question.actions.push_back(std::move(action));
    return question.actions.size() - 1;
}

std::size_t Oracle::add_packer(Question &question) {
    Expected action;
    action.kind = "packer";
    action.ref = "packer/volume";
    action.recipe = "packer";
    // Its include directory shadows nothing, and nothing is added to it: contents are all that counts.
    std::string contents;
    for (const auto &[path, text] : question.texts) {
        if (path.starts_with(std::string(k_packer_folder) + "/")) {
            contents += path + " " + digest(text) + "\n";
        }
    }
    action.key = digest(action.recipe + contents);
    std::map<std::string, int> &outputs = m_packers[action.key];
    if (outputs.empty()) {
        const int object =
            made("packer object " + contents,
                 {VOLUME_REAL_COMPILER, "-c", "-O0", "-std=c++17", "-DSCENE_KERNELS_CALLABLE_HEADER=\"callable.h\"",
                  std::string("-I") + k_packer_folder, VOLUME_PACKER_SOURCE},
                 question.root);
        const std::string input = m_outputs.path(object).string();
        outputs["packer"] = made("packer " + input, {VOLUME_REAL_COMPILER, input}, question.root);
        const fs::path sample = m_scratch / "sample";
        static_cast<void>(
            run({m_outputs.path(outputs["packer"]).string(), "--sample", sample.string()}, question.root));
        outputs["sample.bin"] = m_outputs.keep(sample);
    }
    action.outputs = outputs;
    question.actions.push_back(std::move(action));
    return question.actions.size() - 1;
}

// `spec`: what the packer is given, in the format of generator/pack/pack_spec.h.
void Oracle::pack(Expected &callable, const std::string &spec, int packer) {
    const auto [packed, is_new] = m_packed.try_emplace(digest(std::to_string(packer) + spec));
    if (is_new) {
        const fs::path output = m_scratch / "callable";
        const fs::path layout = m_scratch / "layout";
        e2e::write_file(m_scratch / "spec", spec);
        static_cast<void>(
            run({m_outputs.path(packer).string(), (m_scratch / "spec").string(), output.string(), layout.string()},
                m_scratch));
        packed->second = {m_outputs.keep(output), e2e::read_file(layout)};
    }
    callable.outputs.emplace("callable.bin", packed->second.first);
    std::istringstream lines(packed->second.second);
    std::size_t child = 0;
    for (std::string word; lines >> word;) {
        if (word == "binary") {
            std::uint64_t offset = 0;
            std::uint64_t size = 0;
            lines >> offset >> size;
            callable.layout["binary_offset"] = offset;
            callable.layout["binary_size"] = size;
        } else if (word == "child") {
            json &described = callable.layout.at("children").at(child++);
            for (const char *member :
                 {"func_id", "offset", "size", "code_offset", "code_size", "resolved_address_offset"}) {
                std::uint64_t number = 0;
                lines >> number;
                described[member] = number;
            }
        }
    }
}

void Oracle::add_callable(Question &question, int scene, std::size_t packer) {
    const Tree &tree = question.tree;
    std::string directions;
    for (const std::string &direction : signature(tree, scene)) {
        directions += (directions.empty() ? "" : ",") + direction;
    }
    Expected action;
    action.kind = "callable";
    action.ref = "callable/" + scene_name(scene) + "/" + scene_name(scene);
    action.layout = {{"function_name", function_name(tree, scene)},
                     {"config_name", config_name(tree, scene)},
                     {"signature", signature(tree, scene)},
                     {"children", json::array()}};
    std::string children;
    for (const KernelUse &use : tree.scenes[static_cast<std::size_t>(scene)].kernels) {
        const std::size_t image = add_image(question, scene, use);
        const int bytes = question.actions[image].outputs.at("image.bin");
        children +=
            "child " + std::to_string(use.func_id) + " " + directions + " " + m_outputs.path(bytes).string() + "\n";
        action.layout["children"].push_back(
            {{"name", "k" + std::to_string(use.kernel)}, {"core_type", use.cube ? "aic" : "aiv"}});
    }
    const std::size_t library = add_library(question, scene);
    const std::string spec = "scene-kernels-pack 1\nfunction " + function_name(tree, scene) + "\nconfig " +
                             config_name(tree, scene) + "\nsignature " + directions + "\nlibrary " +
                             m_outputs.path(question.actions[library].outputs.at("library.so")).string() + "\n" +
                             children;
    const std::map<std::string, int> &with = question.actions[packer].outputs;
    // Names and core types are in the key, but not in what the packer is given.
    action.recipe = "callable " + action.layout.dump();
    action.key =
        digest(action.recipe + spec + std::to_string(with.at("packer")) + " " + std::to_string(with.at("sample.bin")));
    pack(action, spec, with.at("packer"));
    question.actions.push_back(std::move(action));
}

std::vector<Expected> Oracle::expect(const Tree &tree, const Texts &texts, const fs::path &root) {
    Question question{tree, texts, root, {}, {}, {}};
    for (const auto &[path, text] : texts) {
        if (path.ends_with(".h")) {
            question.headers.emplace(path.substr(path.rfind('/') + 1), path);
        }
    }
    const std::size_t packer = add_packer(question);
    for (int scene = 0; scene < k_scenes; ++scene) {
        add_callable(question, scene, packer);
    }
    return std::move(question.actions);
}

}  // namespace scene_kernels::volume
