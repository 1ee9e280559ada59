#include "model/scene_paths.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "model/fields.h"
#include "model/printable.h"

namespace scene_kernels {

std::string ScenePaths::source(const JsonValue &value) {
    std::string path = file(value);
    if (path.empty()) {
        return path;
    }
    const auto [first, is_new] = m_spellings.emplace(path, Spelling{value.string, value.offset});
    if (!is_new && first->second.text != value.string) {
        m_problems.add(value, fmt::format("{} is the same file as {} at {}; spell it in one way", quoted(value.string),
                                          quoted(first->second.text), m_problems.place(first->second.offset)));
    }
    return path;
}

std::string ScenePaths::file(const JsonValue &value) {
    const std::string text = read_text(m_problems, value);
    if (text.empty()) {
        return "";
    }
    if (is_absolute(text)) {
        m_problems.add(value, fmt::format("{} is absolute; write it relative to the descriptor's folder: {}",
                                          quoted(text), quoted(path_relative(path_normal(text), m_directory))));
        return "";
    }
    std::string path = path_normal(path_join(m_directory, text));
    if (!m_problems.full()) {
        check_exists(value, path);
    }
    return path;
}

void ScenePaths::check_exists(const JsonValue &value, const std::string &path) {
    const auto status = m_files.stat(path);
    if (!status) {
        m_problems.add(value, printable(status.error().message, k_max_text_bytes));
    } else if (!*status) {
        m_problems.add(value, fmt::format("no such file: {} (looked for {}){}", quoted(value.string),
                                          printable(path, k_max_text_bytes), neighbour(value.string, path)));
    } else if ((*status)->type == FileType::directory) {
        m_problems.add(value, quoted(value.string) + " is a directory, must be a file");
    } else if ((*status)->type != FileType::regular) {
        m_problems.add(value, quoted(value.string) + " is not a regular file");
    } else {
        check_parents(value, path, **status);
    }
}

// The rest of the program works with normal paths. Those name another file where ".." follows a symbolic link.
void ScenePaths::check_parents(const JsonValue &value, const std::string &path, const FileStat &status) {
    const std::string tidy = path_tidy(path_join(m_directory, value.string));
    if (tidy == path) {
        return;
    }
    const auto real = m_files.stat(tidy);
    if (real && *real && (*real)->device == status.device && (*real)->inode == status.inode) {
        return;
    }
    m_problems.add(value, fmt::format("\"..\" in {} leads across a symbolic link; name the file without that link",
                                      quoted(value.string)));
}

// "; did you mean ...?" with the name in the same folder that is most like the one asked for; empty if there is none.
std::string ScenePaths::neighbour(const std::string &text, const std::string &path) {
    const auto entries = m_files.list(std::string(path_parent(path)));
    if (!entries || !*entries) {
        return "";
    }
    std::vector<std::string> names;
    for (const DirectoryEntry &entry : **entries) {
        names.push_back(entry.name);
    }
    std::sort(names.begin(), names.end());
    const auto guess = nearest(path_name(path), names);
    if (!guess) {
        return "";
    }
    const std::string_view folder = path_parent(text);
    return fmt::format("; did you mean {}?", quoted(folder == "." ? *guess : path_join(folder, *guess)));
}

}  // namespace scene_kernels
