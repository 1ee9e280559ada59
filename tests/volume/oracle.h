// What every action of a tree must yield, and what it depends on: from the compiler itself, with commands that are put
// together here, and without a store. Knows the program under test by its documents alone.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "outputs.h"
#include "render.h"

namespace scene_kernels::volume {

// One action of the graph (docs/architecture.md).
struct Expected {
    std::string kind;
    std::string ref;                     // the ref's path, without the recipe's digits where two actions share a name
    std::string recipe;                  // what is known before it runs
    std::string closure;                 // which files it read; empty where that never changes
    std::string key;                     // all of that with contents and places: equal keys, equal actions
    std::map<std::string, int> outputs;  // by file name, as numbers of Outputs
    nlohmann::json layout;               // of a callable: what its artifact.json says of it, without the ABI token
};

// What it learns it keeps: a run of the compiler for each unit and state of the files that may reach it. All trees that
// one object is asked about share their paths from the root. Throws std::runtime_error where a tree does not compile.
class Oracle {
public:
    // `scratch`: a folder of its own.
    explicit Oracle(const std::filesystem::path &scratch);

    // `texts` are the tree's, and lie below `root`.
    [[nodiscard]] std::vector<Expected> expect(const Tree &tree, const Texts &texts, const std::filesystem::path &root);
    [[nodiscard]] const Outputs &outputs() const { return m_outputs; }
    // Compilers and preprocessors that were started.
    [[nodiscard]] int processes() const { return m_processes; }

private:
    struct Unit {
        std::string kind;
        std::string name;  // the ref's
        std::string source;
        std::vector<std::string> args;  // of compiling
        std::vector<std::string> folders;
    };
    struct Compiled {
        std::vector<std::string> files;  // from the root, sorted
        int object = 0;
    };
    // One question; the parts of the answer that others need again.
    struct Question;

    [[nodiscard]] Compiled compile(const Question &question, const Unit &unit);
    [[nodiscard]] std::string preprocess(const Question &question, const Unit &unit, std::vector<std::string> &files);
    [[nodiscard]] int made(const std::string &what, const std::vector<std::string> &command,
                           const std::filesystem::path &directory);
    [[nodiscard]] std::size_t add_unit(Question &question, const Unit &unit);
    [[nodiscard]] std::size_t add_image(Question &question, int scene, const KernelUse &use);
    [[nodiscard]] std::size_t add_object(Question &question, const FileId &source);
    [[nodiscard]] std::size_t add_library(Question &question, int scene);
    [[nodiscard]] std::size_t add_packer(Question &question);
    void add_callable(Question &question, int scene, std::size_t packer);
    void pack(Expected &callable, const std::string &spec, int packer);
    [[nodiscard]] std::string run(const std::vector<std::string> &command, const std::filesystem::path &directory);

    std::filesystem::path m_scratch;
    Outputs m_outputs;
    int m_processes = 0;
    std::map<std::string, Compiled> m_compiled;  // by unit and what may reach it
    std::map<std::string, int> m_made;           // by command and contents
    std::map<std::string, std::map<std::string, int>> m_packers;
    std::map<std::string, std::pair<int, std::string>> m_packed;  // callable and layout
};

}  // namespace scene_kernels::volume
