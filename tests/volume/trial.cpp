#include "trial.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/files.h"

namespace scene_kernels::volume {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

bool compiles(const Expected &action) {
    return action.kind == "image" || action.kind == "object" || action.kind == "packer";
}

std::string names_of(const std::vector<const Expected *> &actions) {
    std::string text;
    for (const Expected *action : actions) {
        text += "  " + action->ref + "\n";
    }
    return text;
}

// The ref without what tells actions of one name apart: a dot and ten digits.
std::string plain_name(const std::string &ref) {
    constexpr std::size_t k_distinction = 11;
    return ref.substr(0, ref.size() - k_distinction);
}

// What artifact.json says of a callable, as far as the oracle knows it.
json layout_in(const json &artifact) {
    json layout = artifact.value("callable", json());
    if (layout.is_object()) {
        layout.erase("abi_token");
    }
    return layout;
}

}  // namespace

Trial::Trial(const Setting &setting, const fs::path &root, const fs::path &store, const Ledger &ledger)
    : m_setting(setting), m_tree(start_tree(setting.seed)), m_folder(root), m_ledger(ledger) {
    m_folder.write(render(m_tree, setting.fixtures));
    if (!store.empty()) {
        e2e::copy_tree(store, this->store());
    }
}

std::optional<Failure> Trial::step(const Change &change) {
    const Tree before = m_tree;
    if (!apply(change, m_tree)) {
        return std::nullopt;
    }
    const bool is_touch = change.kind == ChangeKind::touch;
    m_folder.change(render(m_tree, m_setting.fixtures), change, is_touch ? path_of(before, change.file) : "");
    ++m_figures.changes[static_cast<std::size_t>(change.kind)];
    m_lies = m_setting.lie == change.kind;
    return check();
}

std::optional<Failure> Trial::check() {
    std::vector<const Expected *> needed;
    if (!m_lies) {
        m_expected = m_setting.oracle->expect(m_tree, m_folder.texts(), m_folder.root());
        needed = m_ledger.build(m_expected);
    }
    if (auto failure = warm(needed)) {
        return failure;
    }
    return compare();
}

std::optional<Failure> Trial::warm(const std::vector<const Expected *> &needed) {
    const fs::path file = m_setting.home / "summary.json";
    fs::remove(file);
    const e2e::Result result = e2e::run(
        {{m_setting.program.string(), "warm", "--sdk", k_sdk_file, "--source-root", m_folder.root().string(),
          "--build-dir", "build/sim", "--store", store().string(), "--summary", file.string(), "-j", "2", "scenes"},
         m_folder.root(),
         e2e::clean_environment(m_setting.home)});
    ++m_figures.warms;
    const json summary = fs::exists(file) ? json::parse(e2e::read_file(file)) : json();
    const auto figure = [&summary](const char *name) {
        const json::json_pointer place(std::string("/actions/") + name);
        return summary.contains(place) ? summary.at(place).get<int>() : -1;
    };
    const int total = static_cast<int>(m_expected.size());
    const int wanted = static_cast<int>(needed.size());
    if (result.status != 0 || figure("built") + figure("hit") != figure("total")) {
        return Failure{FailureKind::warm_failed,
                       "warm ended with status " + std::to_string(result.status) + ":\n" + result.text()};
    }
    if (figure("built") != wanted || figure("total") != total) {
        return Failure{FailureKind::wrong_count, "built " + std::to_string(figure("built")) + " of " +
                                                     std::to_string(figure("total")) + " actions, needed " +
                                                     std::to_string(wanted) + " of " + std::to_string(total) + ":\n" +
                                                     names_of(needed) + "warm said:\n" + result.text()};
    }
    m_figures.built += wanted;
    m_figures.idle_warms += wanted == 0 ? 1 : 0;
    m_figures.hits += total - wanted;
    m_figures.compiles += static_cast<int>(
        std::count_if(needed.begin(), needed.end(), [](const Expected *action) { return compiles(*action); }));
    return std::nullopt;
}

std::optional<Failure> Trial::compare() {
    const std::vector<std::string> refs = e2e::tree_files(m_folder.root() / "build/sim/scene-kernels/default/refs");
    if (refs.size() != m_expected.size()) {
        return Failure{FailureKind::wrong_refs, "there are " + std::to_string(refs.size()) + " refs for " +
                                                    std::to_string(m_expected.size()) + " actions\n"};
    }
    for (const Expected &expected : m_expected) {
        std::vector<std::string> candidates;
        const bool shared = std::count_if(m_expected.begin(), m_expected.end(),
                                          [&](const Expected &other) { return other.ref == expected.ref; }) > 1;
        std::copy_if(refs.begin(), refs.end(), std::back_inserter(candidates), [&](const std::string &ref) {
            return (shared && ref.size() > expected.ref.size() ? plain_name(ref) : ref) == expected.ref;
        });
        if (auto failure = compare(expected, candidates)) {
            return failure;
        }
        ++m_figures.artifacts;
    }
    return std::nullopt;
}

// Of actions that share a name one must fit; which one it is, the callables show, whose bytes come from all of them.
std::optional<Failure> Trial::compare(const Expected &expected, const std::vector<std::string> &refs) {
    if (refs.empty()) {
        return Failure{FailureKind::wrong_refs, "no ref " + expected.ref + "\n"};
    }
    std::string text;
    for (const std::string &ref : refs) {
        const fs::path manifest = fs::canonical(m_folder.root() / "build/sim/scene-kernels/default/refs" / ref);
        std::string differences;
        for (const auto &[name, number] : expected.outputs) {
            const fs::path output = manifest.parent_path() / name;
            if (!m_setting.oracle->outputs().equal(number, output)) {
                differences += "  " + output.string() + " has other bytes than the compiler makes\n";
            }
        }
        if (layout_in(json::parse(e2e::read_file(manifest))) != expected.layout) {
            differences += "  " + manifest.string() + " describes another callable\n";
        }
        if (differences.empty()) {
            return std::nullopt;
        }
        text += ref + ":\n" + differences;
    }
    return Failure{FailureKind::wrong_bytes, text};
}

}  // namespace scene_kernels::volume
