#include "changes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace scene_kernels::volume {

namespace {

constexpr std::array<const char *, k_change_kinds> k_texts = {
    "edit_same_size", "edit_other_size", "edit_old_time",   "edit_replaced",   "edit_comment",     "revert",
    "touch",          "add_shadow",      "copy_shadow",     "remove_shadow",   "add_optional",     "remove_optional",
    "rename_header",  "swap_contents",   "change_includes", "change_question", "change_pick",      "set_flag",
    "swap_folders",   "swap_compiler",   "move_compiler",   "add_kernel",      "remove_kernel",    "set_func_id",
    "set_core",       "set_function",    "set_config",      "set_signature",   "set_extra_folder", "edit_packer",
    "add_unrelated",  "remove_unrelated"};

FileSpec *find(Tree &tree, const FileId &id) {
    const auto found = tree.files.find(id);
    return found == tree.files.end() ? nullptr : &found->second;
}

template <typename Value>
bool set(Value &place, Value value) {
    if (place == value) {
        return false;
    }
    place = std::move(value);
    return true;
}

bool edit(Tree &tree, const FileId &id, int value, int note) {
    FileSpec *spec = find(tree, id);
    if (spec == nullptr || (spec->value == value && spec->note == note)) {
        return false;
    }
    spec->value = value;
    spec->note = note;
    return true;
}

// `first`: value, `second`: serial; an even serial wraps the next version.
bool add_shadow(Tree &tree, const Change &change) {
    const FileId base{Role::header, k_base_folder, change.file.index};
    FileSpec spec = tree.files.at(base);
    spec.value = change.first;
    spec.serial = change.second;
    spec.wraps = change.second % 2 == 0;
    spec.once = change.second % 3 == 0;
    return tree.files.emplace(change.file, spec).second;
}

bool copy_shadow(Tree &tree, const Change &change) {
    const FileSpec *from = find(tree, {Role::header, change.folder, change.file.index});
    // Two headers with #pragma once and the same bytes in one unit make it uncacheable (docs/cache-key.md).
    if (from == nullptr || from->once) {
        return false;
    }
    return tree.files.emplace(change.file, FileSpec(*from)).second;
}

bool add_optional(Tree &tree, const Change &change) {
    FileSpec spec;
    spec.value = change.first;
    return tree.files.emplace(change.file, spec).second;
}

bool swap_contents(Tree &tree, const Change &change) {
    // Sources are told apart by their numbers, versions of a header by their folders.
    const FileId other = change.file.role == Role::kernel ? kernel_id(change.first)
                                                          : FileId{change.file.role, change.folder, change.file.index};
    FileSpec *one = find(tree, change.file);
    FileSpec *two = find(tree, other);
    if (one == nullptr || two == nullptr || *one == *two) {
        return false;
    }
    // Behind the last include directory there is no next version.
    const bool last = change.file.folder == k_base_folder || other.folder == k_base_folder;
    if (last && (one->wraps || two->wraps)) {
        return false;
    }
    std::swap(*one, *two);
    return true;
}

bool may_include(const FileId &id, int header) {
    return id.role != Role::optional && (id.role != Role::header || header > id.index);
}

// `first`: the header that is included from now on, or not any more.
bool change_includes(Tree &tree, const Change &change) {
    FileSpec *spec = find(tree, change.file);
    if (spec == nullptr || !may_include(change.file, change.first)) {
        return false;
    }
    const auto place = std::find(spec->includes.begin(), spec->includes.end(), change.first);
    if (place != spec->includes.end()) {
        spec->includes.erase(place);
    } else {
        constexpr std::size_t k_most = 3;
        if (spec->includes.size() == k_most) {
            return false;
        }
        spec->includes.push_back(change.first);
    }
    return true;
}

bool change_question(Tree &tree, const Change &change) {
    FileSpec *spec = find(tree, change.file);
    if (spec == nullptr || change.file.role == Role::optional) {
        return false;
    }
    const bool asks = set(spec->asks, change.first);
    return set(spec->only_asks, change.second != 0) || asks;
}

bool change_pick(Tree &tree, const Change &change) {
    FileSpec *spec = find(tree, change.file);
    return spec != nullptr && may_include(change.file, change.first) && set(spec->picks, change.first);
}

bool set_flag(Tree &tree, const Change &change) {
    std::set<int> &flags = change.second == 0 ? tree.sdk.image_flags : tree.sdk.orchestration_flags;
    if (flags.erase(change.first) == 0) {
        flags.insert(change.first);
    }
    return true;
}

bool swap_compiler(Tree &tree, const Change &change) {
    return set(tree.sdk.contents[static_cast<std::size_t>(change.first)], change.second);
}

Scene &scene_of(Tree &tree, const Change &change) {
    return tree.scenes[static_cast<std::size_t>(change.file.index)];
}

std::vector<KernelUse>::iterator use_of(Scene &scene, int kernel) {
    return std::find_if(scene.kernels.begin(), scene.kernels.end(),
                        [kernel](const KernelUse &use) { return use.kernel == kernel; });
}

// `first`: kernel, `second`: func id.
bool add_kernel(Tree &tree, const Change &change) {
    Scene &scene = scene_of(tree, change);
    const bool taken = std::any_of(scene.kernels.begin(), scene.kernels.end(), [&](const KernelUse &use) {
        return use.kernel == change.first || use.func_id == change.second;
    });
    if (taken) {
        return false;
    }
    scene.kernels.push_back({change.second, change.first, false});
    return true;
}

bool remove_kernel(Tree &tree, const Change &change) {
    Scene &scene = scene_of(tree, change);
    const auto use = use_of(scene, change.first);
    if (use == scene.kernels.end() || scene.kernels.size() == 1) {
        return false;
    }
    scene.kernels.erase(use);
    return true;
}

bool set_func_id(Tree &tree, const Change &change) {
    Scene &scene = scene_of(tree, change);
    const auto use = use_of(scene, change.first);
    const bool taken = std::any_of(scene.kernels.begin(), scene.kernels.end(),
                                   [&](const KernelUse &other) { return other.func_id == change.second; });
    return use != scene.kernels.end() && !taken && set(use->func_id, change.second);
}

bool set_core(Tree &tree, const Change &change) {
    Scene &scene = scene_of(tree, change);
    const auto use = use_of(scene, change.first);
    return use != scene.kernels.end() && set(use->cube, change.second != 0);
}

bool apply_to_files(const Change &change, Tree &tree) {
    FileSpec *spec = find(tree, change.file);
    switch (change.kind) {
        case ChangeKind::edit_same_size:
        case ChangeKind::edit_other_size:
        case ChangeKind::edit_old_time:
        case ChangeKind::edit_replaced:
            return spec != nullptr && edit(tree, change.file, change.first, spec->note);
        case ChangeKind::edit_comment:
            return spec != nullptr && edit(tree, change.file, spec->value, change.first);
        case ChangeKind::revert:
            return edit(tree, change.file, change.first, change.second);
        case ChangeKind::touch:
            return spec != nullptr;
        case ChangeKind::add_shadow:
            return add_shadow(tree, change);
        case ChangeKind::copy_shadow:
            return copy_shadow(tree, change);
        case ChangeKind::add_optional:
            return add_optional(tree, change);
        case ChangeKind::remove_shadow:
        case ChangeKind::remove_optional:
            return tree.files.erase(change.file) == 1;
        case ChangeKind::rename_header:
            return set(tree.header_names[static_cast<std::size_t>(change.file.index)],
                       header_name(change.file.index, change.first != 0));
        case ChangeKind::swap_contents:
            return swap_contents(tree, change);
        case ChangeKind::change_includes:
            return change_includes(tree, change);
        case ChangeKind::change_question:
            return change_question(tree, change);
        case ChangeKind::change_pick:
            return change_pick(tree, change);
        case ChangeKind::add_unrelated:
            return set(tree.unrelated[change.folder], change.first);
        case ChangeKind::remove_unrelated:
            return tree.unrelated.erase(change.folder) == 1;
        default:
            return false;
    }
}

bool apply_to_descriptions(const Change &change, Tree &tree) {
    switch (change.kind) {
        case ChangeKind::set_flag:
            return set_flag(tree, change);
        case ChangeKind::swap_folders:
            std::swap(tree.sdk.folders[0], tree.sdk.folders[1]);
            return true;
        case ChangeKind::swap_compiler:
            return swap_compiler(tree, change);
        case ChangeKind::move_compiler:
            return set(tree.sdk.compiler, change.first);
        case ChangeKind::edit_packer:
            return set(tree.sdk.packer_note, change.first);
        case ChangeKind::add_kernel:
            return add_kernel(tree, change);
        case ChangeKind::remove_kernel:
            return remove_kernel(tree, change);
        case ChangeKind::set_func_id:
            return set_func_id(tree, change);
        case ChangeKind::set_core:
            return set_core(tree, change);
        case ChangeKind::set_function:
            return set(scene_of(tree, change).function, change.first);
        case ChangeKind::set_config:
            return set(scene_of(tree, change).configures, change.first != 0);
        case ChangeKind::set_signature:
            return set(scene_of(tree, change).arguments, change.first);
        case ChangeKind::set_extra_folder:
            return set(scene_of(tree, change).extra, change.first != 0);
        default:
            return false;
    }
}

bool is_of_file(ChangeKind kind) {
    return kind <= ChangeKind::change_pick;
}

}  // namespace

const char *to_text(ChangeKind kind) {
    return k_texts[static_cast<std::size_t>(kind)];
}

std::optional<ChangeKind> change_kind(std::string_view text) {
    const auto *const found = std::find(k_texts.begin(), k_texts.end(), text);
    return found == k_texts.end() ? std::nullopt : std::optional(static_cast<ChangeKind>(found - k_texts.begin()));
}

bool apply(const Change &change, Tree &tree) {
    const bool on_files = is_of_file(change.kind) || change.kind == ChangeKind::add_unrelated ||
                          change.kind == ChangeKind::remove_unrelated;
    return on_files ? apply_to_files(change, tree) : apply_to_descriptions(change, tree);
}

std::string describe(const Change &change, const Tree &before) {
    std::string line = to_text(change.kind);
    if (is_of_file(change.kind)) {
        line += " " + path_of(before, change.file);
    } else if (change.kind >= ChangeKind::add_kernel && change.kind <= ChangeKind::set_extra_folder) {
        line += " " + scene_name(change.file.index);
    }
    if (!change.folder.empty()) {
        line += " " + change.folder;
    }
    line += " " + std::to_string(change.first) + " " + std::to_string(change.second);
    return change.keeps_folders ? line + " keeping empty folders" : line;
}

}  // namespace scene_kernels::volume
