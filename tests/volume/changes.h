// Changes of a tree, as values: what is changed and into what, without a look at the tree. So a sequence from which
// some were taken out can be replayed; what does not apply any more is skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tree.h"

namespace scene_kernels::volume {

enum class ChangeKind : std::uint8_t {
    edit_same_size,   // a value, in place
    edit_other_size,  // a value, in place
    edit_old_time,    // a value of the same size, and the old mtime is put back
    edit_replaced,    // a value, in a new file that is renamed over the old one
    edit_comment,     // what no output shows
    revert,           // value and comment as they once were
    touch,            // a new mtime and nothing else
    add_shadow,       // a version of a header in another folder, which is made if need be
    copy_shadow,      // likewise, with the bytes of another version
    remove_shadow,
    add_optional,  // a header that only __has_include asks for
    remove_optional,
    rename_header,    // all versions, and all who include them
    swap_contents,    // of two versions of a header, or of two kernels, by renaming
    change_includes,  // which headers a file includes
    change_question,  // which optional header a file asks for, and whether it includes it
    change_pick,      // which header a macro stands for in #include
    set_flag,         // a macro in the SDK's arguments, defined or not
    swap_folders,     // the order of include directories
    swap_compiler,    // another compiler at the same place
    move_compiler,    // the compiler of the other place
    add_kernel,
    remove_kernel,
    set_func_id,
    set_core,
    set_function,
    set_config,
    set_signature,
    set_extra_folder,  // a scene's own include directory, searched or not
    edit_packer,       // a comment in the header that the packer includes
    add_unrelated,
    remove_unrelated,
};

inline constexpr int k_change_kinds = static_cast<int>(ChangeKind::remove_unrelated) + 1;

// What the members mean depends on the kind; see apply() in changes.cpp.
struct Change {
    ChangeKind kind = ChangeKind::touch;
    FileId file;
    std::string folder;  // the other version's
    int first = 0;
    int second = 0;
    bool keeps_folders = false;  // folders that become empty stay
};

[[nodiscard]] const char *to_text(ChangeKind kind);
[[nodiscard]] std::optional<ChangeKind> change_kind(std::string_view text);

// Changes the tree; false, and nothing is changed, where it does not apply or would change nothing.
[[nodiscard]] bool apply(const Change &change, Tree &tree);

// One line for people, such as "add_shadow inc/first/h3.h serial 5201".
[[nodiscard]] std::string describe(const Change &change, const Tree &before);

}  // namespace scene_kernels::volume
