// Chooses random changes that apply to a tree.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "changes.h"

namespace scene_kernels::volume {

class Chooser {
public:
    explicit Chooser(std::uint64_t seed) : m_dice(seed) {}

    // A change that applies to `tree`.
    [[nodiscard]] Change choose(const Tree &tree);

private:
    [[nodiscard]] ChangeKind some_kind();
    // May not apply.
    [[nodiscard]] Change draft(ChangeKind kind, const Tree &tree);
    [[nodiscard]] Change draft_of_file(ChangeKind kind, const Tree &tree);
    [[nodiscard]] Change draft_of_descriptions(ChangeKind kind, const Tree &tree);
    [[nodiscard]] FileId some_file(const Tree &tree);
    [[nodiscard]] FileId some_of(const Tree &tree, Role role);
    void remember(const Tree &tree);

    Dice m_dice;
    // Values and comments that each file had, for reverts.
    std::map<FileId, std::vector<std::pair<int, int>>> m_history;
};

}  // namespace scene_kernels::volume
