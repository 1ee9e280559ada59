// One checkout with one store, to which changes are applied: after each one it is warmed, and everything that came of
// it is compared with the oracle.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "changes.h"
#include "folder.h"
#include "ledger.h"
#include "oracle.h"

namespace scene_kernels::volume {

// What is the same for all trials of a run.
struct Setting {
    std::filesystem::path program;
    std::filesystem::path home;
    std::uint64_t seed = 1;
    std::optional<ChangeKind> lie;  // the oracle does not notice changes of this kind
    Fixtures fixtures;
    Oracle *oracle = nullptr;
};

enum class FailureKind : std::uint8_t { warm_failed, wrong_count, wrong_bytes, wrong_refs };

struct Failure {
    FailureKind kind = FailureKind::warm_failed;
    std::string text;  // lines for people
};

struct Figures {
    std::array<int, k_change_kinds> changes = {};
    int warms = 0;
    int idle_warms = 0;  // that had nothing to do
    int built = 0;       // actions; as many as were needed
    int compiles = 0;    // those of them that compile
    int hits = 0;        // actions
    int artifacts = 0;   // compared
};

class Trial {
public:
    // The start tree in `root`, which must not exist. The store is a copy of `store`, which knows what `ledger` says;
    // without them it is empty.
    Trial(const Setting &setting, const std::filesystem::path &root, const std::filesystem::path &store = {},
          const Ledger &ledger = {});

    [[nodiscard]] const Tree &tree() const { return m_tree; }
    [[nodiscard]] const Ledger &ledger() const { return m_ledger; }
    [[nodiscard]] const Figures &figures() const { return m_figures; }
    [[nodiscard]] std::filesystem::path store() const { return m_folder.root() / "build/store"; }

    // Warms the tree as it is, and compares.
    [[nodiscard]] std::optional<Failure> check();
    // Applies the change, which may be skipped because it does not apply, then checks.
    [[nodiscard]] std::optional<Failure> step(const Change &change);

private:
    [[nodiscard]] std::optional<Failure> warm(const std::vector<const Expected *> &needed);
    [[nodiscard]] std::optional<Failure> compare();
    [[nodiscard]] std::optional<Failure> compare(const Expected &expected, const std::vector<std::string> &refs);

    const Setting &m_setting;
    Tree m_tree;
    Folder m_folder;
    Ledger m_ledger;
    std::vector<Expected> m_expected;
    Figures m_figures;
    bool m_lies = false;
};

}  // namespace scene_kernels::volume
