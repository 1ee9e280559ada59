#include "choose.h"

#include <algorithm>
#include <array>

namespace scene_kernels::volume {

namespace {

// How often each kind is tried, relative to the others. What rebuilds many actions is rare, so that a run of given
// length sees many changes.
constexpr std::array<std::pair<ChangeKind, int>, k_change_kinds> k_weights = {{
    {ChangeKind::edit_same_size, 8},  {ChangeKind::edit_other_size, 6},  {ChangeKind::edit_old_time, 8},
    {ChangeKind::edit_replaced, 5},   {ChangeKind::edit_comment, 5},     {ChangeKind::revert, 14},
    {ChangeKind::touch, 8},           {ChangeKind::add_shadow, 10},      {ChangeKind::copy_shadow, 4},
    {ChangeKind::remove_shadow, 9},   {ChangeKind::add_optional, 5},     {ChangeKind::remove_optional, 4},
    {ChangeKind::rename_header, 3},   {ChangeKind::swap_contents, 4},    {ChangeKind::change_includes, 4},
    {ChangeKind::change_question, 3}, {ChangeKind::change_pick, 3},      {ChangeKind::set_flag, 2},
    {ChangeKind::swap_folders, 2},    {ChangeKind::swap_compiler, 2},    {ChangeKind::move_compiler, 2},
    {ChangeKind::add_kernel, 4},      {ChangeKind::remove_kernel, 4},    {ChangeKind::set_func_id, 2},
    {ChangeKind::set_core, 3},        {ChangeKind::set_function, 3},     {ChangeKind::set_config, 2},
    {ChangeKind::set_signature, 2},   {ChangeKind::set_extra_folder, 2}, {ChangeKind::edit_packer, 1},
    {ChangeKind::add_unrelated, 6},   {ChangeKind::remove_unrelated, 4},
}};

constexpr int k_most_func_ids = 12;

// Folders in which an optional header may lie.
std::vector<std::string> optional_folders() {
    std::vector<std::string> folders(k_include_folders.begin(), k_include_folders.end());
    for (int scene = 0; scene < k_scenes; ++scene) {
        folders.push_back(scene_folder(scene) + "/include");
    }
    folders.emplace_back(k_runtime_folder);
    return folders;
}

int value_of_other_size(Dice &dice, int value) {
    constexpr int k_small = 999;
    return value <= k_small ? dice.between(10000, 99999) : dice.between(100, k_small);
}

// Another one with as many digits.
int value_of_same_size(Dice &dice, int value) {
    constexpr int k_small = 999;
    return value <= k_small ? dice.between(100, k_small) : dice.between(10000, 99999);
}

}  // namespace

ChangeKind Chooser::some_kind() {
    int total = 0;
    for (const auto &[kind, weight] : k_weights) {
        total += weight;
    }
    int at = m_dice.below(total);
    for (const auto &[kind, weight] : k_weights) {
        at -= weight;
        if (at < 0) {
            return kind;
        }
    }
    return ChangeKind::touch;
}

FileId Chooser::some_file(const Tree &tree) {
    auto place = tree.files.begin();
    std::advance(place, m_dice.below(static_cast<int>(tree.files.size())));
    return place->first;
}

// A file that is there, or, if there is none of this role, one that is not.
FileId Chooser::some_of(const Tree &tree, Role role) {
    std::vector<FileId> found;
    for (const auto &[id, spec] : tree.files) {
        if (id.role == role) {
            found.push_back(id);
        }
    }
    return found.empty() ? FileId{role, k_base_folder, 0} : m_dice.pick(found);
}

Change Chooser::draft_of_file(ChangeKind kind, const Tree &tree) {
    Change change;
    change.kind = kind;
    change.file = some_file(tree);
    const FileSpec &spec = tree.files.at(change.file);
    constexpr int k_most_serial = 1'000'000;
    switch (kind) {
        case ChangeKind::edit_same_size:
        case ChangeKind::edit_old_time:
        case ChangeKind::edit_replaced:
            change.first = value_of_same_size(m_dice, spec.value);
            break;
        case ChangeKind::edit_other_size:
            change.first = value_of_other_size(m_dice, spec.value);
            break;
        case ChangeKind::edit_comment:
            change.first = m_dice.between(1, 9);
            break;
        case ChangeKind::revert: {
            const auto &[value, note] = m_dice.pick(m_history.at(change.file));
            change.first = value;
            change.second = note;
            break;
        }
        case ChangeKind::add_shadow:
        case ChangeKind::copy_shadow: {
            const std::vector<std::string> folders = shadow_folders();
            const FileId from = some_of(tree, Role::header);
            // The include directories, which come first, have the most readers.
            const std::string &folder = m_dice.one_in(3) ? m_dice.pick(folders) : folders[m_dice.one_in(2) ? 1 : 0];
            change.file = {Role::header, folder, from.index};
            change.folder = kind == ChangeKind::copy_shadow ? from.folder : "";
            change.first = m_dice.between(100, 999);
            change.second = m_dice.between(5000, k_most_serial);
            break;
        }
        case ChangeKind::add_optional:
            change.file = {Role::optional, m_dice.pick(optional_folders()), m_dice.below(k_optionals)};
            change.first = m_dice.between(100, 999);
            break;
        case ChangeKind::remove_shadow:
            change.file = some_of(tree, Role::header);
            change.keeps_folders = m_dice.one_in(2);
            break;
        case ChangeKind::remove_optional:
            change.file = some_of(tree, Role::optional);
            change.keeps_folders = m_dice.one_in(2);
            break;
        case ChangeKind::rename_header:
            change.file = {Role::header, k_base_folder, m_dice.below(k_headers)};
            change.first = m_dice.below(2);
            break;
        case ChangeKind::swap_contents:
            change.file = some_of(tree, m_dice.one_in(3) ? Role::kernel : Role::header);
            if (change.file.role == Role::kernel) {
                change.first = m_dice.below(k_kernels);
            } else {
                change.folder = m_dice.one_in(2) ? std::string(k_base_folder) : m_dice.pick(shadow_folders());
            }
            break;
        case ChangeKind::change_includes:
        case ChangeKind::change_pick:
            change.first = m_dice.below(k_headers);
            break;
        case ChangeKind::change_question:
            change.first = m_dice.below(k_optionals);
            change.second = m_dice.below(2);
            break;
        default:
            break;
    }
    return change;
}

Change Chooser::draft_of_descriptions(ChangeKind kind, const Tree &tree) {
    Change change;
    change.kind = kind;
    change.file.index = m_dice.below(k_scenes);
    const Scene &scene = tree.scenes[static_cast<std::size_t>(change.file.index)];
    switch (kind) {
        case ChangeKind::set_flag:
            change.first = m_dice.below(k_flags);
            change.second = m_dice.below(2);
            break;
        case ChangeKind::swap_compiler:
            change.first = m_dice.below(k_compilers);
            change.second = m_dice.below(k_compiler_contents);
            break;
        case ChangeKind::edit_packer:
            change.first = m_dice.below(3);
            break;
        case ChangeKind::add_kernel: {
            // Its own kernels, or shared ones: others would have to be spelled through another scene's folder.
            const int kernel = m_dice.below(k_kernels);
            const bool shared = kernel >= k_kernels - k_shared_kernels;
            change.first = shared ? kernel : change.file.index + kernel / k_scenes * k_scenes;
            change.second = m_dice.below(k_most_func_ids);
            break;
        }
        case ChangeKind::remove_kernel:
        case ChangeKind::set_func_id:
        case ChangeKind::set_core:
            change.first = m_dice.pick(scene.kernels).kernel;
            change.second = kind == ChangeKind::set_func_id ? m_dice.below(k_most_func_ids) : m_dice.below(2);
            break;
        case ChangeKind::set_signature:
            change.first = m_dice.between(1, 4);
            break;
        case ChangeKind::add_unrelated: {
            const std::vector<std::string> folders = shadow_folders();
            change.folder = m_dice.one_in(3) ? "notes" : m_dice.pick(folders);
            change.folder += m_dice.one_in(3) ? "/sub/unrelated.h" : "/unrelated.h";
            change.first = m_dice.below(3);
            break;
        }
        case ChangeKind::remove_unrelated:
            if (!tree.unrelated.empty()) {
                auto place = tree.unrelated.begin();
                std::advance(place, m_dice.below(static_cast<int>(tree.unrelated.size())));
                change.folder = place->first;
            }
            change.keeps_folders = m_dice.one_in(2);
            break;
        default:
            change.first = m_dice.below(2);
            break;
    }
    return change;
}

Change Chooser::draft(ChangeKind kind, const Tree &tree) {
    const bool of_file = kind <= ChangeKind::change_pick;
    return of_file ? draft_of_file(kind, tree) : draft_of_descriptions(kind, tree);
}

void Chooser::remember(const Tree &tree) {
    for (const auto &[id, spec] : tree.files) {
        std::vector<std::pair<int, int>> &had = m_history[id];
        const std::pair<int, int> now(spec.value, spec.note);
        if (std::find(had.begin(), had.end(), now) == had.end()) {
            had.push_back(now);
        }
    }
}

Change Chooser::choose(const Tree &tree) {
    remember(tree);
    for (;;) {
        const Change change = draft(some_kind(), tree);
        // The last version of a header stays.
        const bool is_base = change.file.role == Role::header && change.file.folder == k_base_folder;
        if (change.kind == ChangeKind::remove_shadow && is_base) {
            continue;
        }
        Tree changed = tree;
        if (apply(change, changed)) {
            return change;
        }
    }
}

}  // namespace scene_kernels::volume
