// The tree on the disk: brings a folder from one tree's texts to the next one's, in the way that a change asks for.
#pragma once

#include <filesystem>

#include "changes.h"
#include "render.h"

namespace scene_kernels::volume {

class Folder {
public:
    explicit Folder(std::filesystem::path root) : m_root(std::move(root)) {}

    [[nodiscard]] const std::filesystem::path &root() const { return m_root; }
    [[nodiscard]] const Texts &texts() const { return m_texts; }

    // Writes everything.
    void write(Texts texts);
    // Writes what is different. `touched` gets a new mtime where the change is a touch.
    void change(Texts texts, const Change &change, const std::string &touched);

private:
    void move_and_remove(const Texts &texts, bool keeps_folders);
    void exchange(const Texts &texts);
    void write_file(const std::string &path, const std::string &text, ChangeKind kind);
    void remove_empty_above(const std::string &path);

    std::filesystem::path m_root;
    Texts m_texts;
};

}  // namespace scene_kernels::volume
