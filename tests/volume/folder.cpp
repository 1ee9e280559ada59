#include "folder.h"

#include <vector>

#include "support/files.h"

namespace scene_kernels::volume {

namespace fs = std::filesystem;

namespace {

bool is_compiler(const std::string &path) {
    return path.ends_with("/cxx");
}

}  // namespace

void Folder::write(Texts texts) {
    for (const auto &[path, text] : texts) {
        write_file(path, text, ChangeKind::edit_same_size);
    }
    m_texts = std::move(texts);
}

void Folder::write_file(const std::string &path, const std::string &text, ChangeKind kind) {
    const fs::path place = m_root / path;
    if (kind == ChangeKind::edit_old_time) {
        const fs::file_time_type time = fs::last_write_time(place);
        e2e::write_file(place, text);
        fs::last_write_time(place, time);
    } else if (kind == ChangeKind::edit_replaced) {
        const fs::path other = place.parent_path() / "new";
        e2e::write_file(other, text);
        fs::rename(other, place);
    } else {
        e2e::write_file(place, text);
    }
    if (is_compiler(path)) {
        fs::permissions(place, fs::perms::owner_all);
    }
}

void Folder::remove_empty_above(const std::string &path) {
    for (fs::path folder = fs::path(path).parent_path(); !folder.empty(); folder = folder.parent_path()) {
        if (!fs::is_empty(m_root / folder)) {
            return;
        }
        fs::remove(m_root / folder);
    }
}

// What is new and what is gone with the same text was renamed.
void Folder::move_and_remove(const Texts &texts, bool keeps_folders) {
    std::vector<std::string> gone;
    for (const auto &[path, text] : m_texts) {
        if (!texts.contains(path)) {
            gone.push_back(path);
        }
    }
    for (const std::string &path : gone) {
        const std::string text = m_texts.at(path);
        for (const auto &[to, new_text] : texts) {
            if (new_text == text && !m_texts.contains(to)) {
                fs::create_directories((m_root / to).parent_path());
                fs::rename(m_root / path, m_root / to);
                m_texts.emplace(to, text);
                break;
            }
        }
        fs::remove(m_root / path);
        if (!keeps_folders) {
            remove_empty_above(path);
        }
        m_texts.erase(path);
    }
}

// Two files whose texts changed places are renamed, so that each text keeps its inode, size and mtime.
void Folder::exchange(const Texts &texts) {
    std::vector<std::string> changed;
    for (const auto &[path, text] : texts) {
        if (m_texts.contains(path) && m_texts.at(path) != text) {
            changed.push_back(path);
        }
    }
    if (changed.size() != 2 || m_texts.at(changed[0]) != texts.at(changed[1])) {
        return;
    }
    const fs::path aside = m_root / "aside";
    fs::rename(m_root / changed[0], aside);
    fs::rename(m_root / changed[1], m_root / changed[0]);
    fs::rename(aside, m_root / changed[1]);
    std::swap(m_texts.at(changed[0]), m_texts.at(changed[1]));
}

void Folder::change(Texts texts, const Change &change, const std::string &touched) {
    move_and_remove(texts, change.keeps_folders);
    if (change.kind == ChangeKind::swap_contents) {
        exchange(texts);
    }
    for (const auto &[path, text] : texts) {
        const auto had = m_texts.find(path);
        if (had == m_texts.end() || had->second != text) {
            write_file(path, text, had == m_texts.end() ? ChangeKind::edit_same_size : change.kind);
        }
    }
    if (change.kind == ChangeKind::touch) {
        e2e::set_mtime(m_root / touched, 0);
    }
    m_texts = std::move(texts);
}

}  // namespace scene_kernels::volume
