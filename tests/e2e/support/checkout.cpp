#include "support/checkout.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "support/suite_text.h"

namespace scene_kernels::e2e {

namespace fs = std::filesystem;
using nlohmann::json;

int Outcome::figure(const std::string &group, const std::string &name) const {
    const auto place = json::json_pointer("/" + group + "/" + name);
    return summary.contains(place) ? summary.at(place).get<int>() : -1;
}

Checkout::Checkout(fs::path root, fs::path home) : m_root(std::move(root)), m_home(std::move(home)) {
    fs::create_directories(m_root);
    fs::create_directories(m_home);
}

void Checkout::write_suite(const SuiteShape &shape) {
    if (!fs::exists(m_root / "sdk/include")) {
        copy_tree(fs::path(E2E_CALLABLE_HEADERS), m_root / "sdk/include");
    }
    fs::create_directories(m_root / "sdk/before");
    write_file(m_root / "sdk/tiny.sdk.json", tiny_sdk(shape));
    write_file(m_root / "sdk/include/all.h", "#pragma once\n#define ALL_VALUE 3\n");
    write_file(m_root / "sdk/include/first.h", "#pragma once\n#define FIRST_VALUE 5\n");
    write_file(m_root / "sdk/include/sub/deep.h", "#pragma once\n#define DEEP_VALUE 7\n");
    write_file(m_root / "sdk/include/orch.h", "#pragma once\n#define ORCH_VALUE 9\n");
    write_file(m_root / "sdk/runtime/runtime.cpp", "extern \"C\" int tiny_runtime(int value) { return value + 1; }\n");
    write_file(m_root / "kernels/common.cpp", kernel_text("11"));
    if (shape.gated) {
        fs::create_directories(tools());
        fs::copy_file(E2E_STAND_IN, tools() / "cxx");
    }
    for (int index = 0; index < shape.scenes; ++index) {
        write_scene(index, shape.kernels);
    }
}

void Checkout::write_scene(int index, int kernels) {
    const std::string name = "s" + std::to_string(index);
    const fs::path folder = m_root / "scenes" / name;
    write_file(folder / (name + ".scene.json"), scene_text(name, kernels));
    write_file(folder / "orchestration" / (name + "_orch.cpp"), orchestration_text(index));
    for (int kernel = 0; kernel < kernels; ++kernel) {
        const std::string source = name + "_k" + std::to_string(kernel) + ".cpp";
        const std::string include = kernel == 0 ? "#include \"first.h\"\n" : "";
        write_file(folder / "kernels" / source, include + kernel_text(std::to_string(100 * index + kernel)));
    }
}

Command Checkout::command(const std::string &subcommand, std::vector<std::string> extra,
                          std::vector<std::string> scenes) const {
    Command command;
    command.argv = {program().string(), subcommand,      "--sdk",       "sdk/tiny.sdk.json",
                    "--source-root",    m_root.string(), "--build-dir", "build/sim"};
    for (const std::vector<std::string> *more : {&options, &std::as_const(extra), &std::as_const(scenes)}) {
        command.argv.insert(command.argv.end(), more->begin(), more->end());
    }
    command.directory = m_root;
    command.environment = clean_environment(m_home);
    for (const auto &[name, value] : environment) {
        command.environment[name] = value;
    }
    return command;
}

Outcome Checkout::warm(std::vector<std::string> extra) const {
    const fs::path file = m_home / "summary.json";
    fs::remove(file);
    extra.insert(extra.end(), {"--summary", file.string()});
    TracedResult traced = run_traced(command("warm", std::move(extra)));
    Outcome outcome{std::move(traced.result), std::move(traced.trace), nullptr};
    if (fs::exists(file)) {
        outcome.summary = json::parse(read_file(file));
    }
    return outcome;
}

Command Checkout::ninja_command(std::vector<std::string> arguments) const {
    Command command;
    command.argv = {"/usr/bin/ninja", "-C", graph_dir().string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.directory = m_root;
    command.environment = clean_environment(m_home);
    return command;
}

Outcome Checkout::ninja() const {
    TracedResult traced = run_traced(ninja_command({"warm-kernels"}));
    return Outcome{std::move(traced.result), std::move(traced.trace), nullptr};
}

fs::path Checkout::graph_dir() const {
    const Result result = run(command("path", {"--graph"}, {}));
    if (result.status != 0 || !result.out.ends_with('\n')) {
        throw std::runtime_error("path --graph: " + result.text());
    }
    return m_root / result.out.substr(0, result.out.size() - 1);
}

fs::path Checkout::artifact(const std::string &callable) const {
    const Result result = run(command("path", {callable}, {}));
    if (result.status != 0 || !result.out.ends_with('\n')) {
        throw std::runtime_error("path " + callable + ": " + result.text());
    }
    return m_root / result.out.substr(0, result.out.size() - 1);
}

std::vector<std::string> Checkout::refs() const {
    return tree_files(graph_dir() / "refs");
}

std::map<std::string, std::string> Checkout::artifacts() const {
    return tree_contents(store() / "artifacts");
}

int action_count(const SuiteShape &shape) {
    const int images = shape.scenes * shape.kernels + 1;
    const int objects = shape.scenes + 1;
    const int libraries = shape.scenes;
    const int packers = 1;
    return images + objects + libraries + packers + shape.scenes;
}

fs::path program() {
    const char *other = std::getenv("E2E_PROGRAM");
    return other == nullptr ? E2E_PROGRAM : other;
}

WarmSuite::WarmSuite(const SuiteShape &shape, std::string_view name)
    : folder(name), checkout(folder.path(), folder.path().parent_path() / "home") {
    checkout.write_suite(shape);
    first = checkout.warm();
}

}  // namespace scene_kernels::e2e
