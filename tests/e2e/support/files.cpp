#include "support/files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace scene_kernels::e2e {

namespace fs = std::filesystem;

namespace {

// A tree may hold folders without write permission (published artifacts): those cannot be emptied as they are.
void remove_tree(const fs::path &top) {
    std::error_code ignored;
    for (auto it = fs::recursive_directory_iterator(top, ignored); it != fs::recursive_directory_iterator();
         it.increment(ignored)) {
        if (it->is_directory(ignored) && !it->is_symlink(ignored)) {
            fs::permissions(it->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
        }
    }
    fs::remove_all(top, ignored);
}

}  // namespace

TemporaryFolder::TemporaryFolder(std::string_view name) {
    std::string pattern = (fs::temp_directory_path() / "scene-kernels-e2e-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("cannot make a folder like " + pattern);
    }
    // Tools print real paths; a link in between would make them differ from ours.
    m_top = fs::canonical(pattern);
    m_path = m_top / name;
    fs::create_directories(m_path);
}

TemporaryFolder::~TemporaryFolder() {
    if (std::getenv("E2E_KEEP") != nullptr) {
        std::printf("kept: %s\n", m_path.c_str());
        return;
    }
    remove_tree(m_top);
}

std::string read_file(const fs::path &path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw std::runtime_error("cannot read " + path.string());
    }
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    return std::move(bytes).str();
}

void write_file(const fs::path &path, std::string_view bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

void edit_file(const fs::path &path, std::string_view from, std::string_view to) {
    std::string text = read_file(path);
    const std::size_t place = text.find(from);
    if (place == std::string::npos || text.find(from, place + 1) != std::string::npos) {
        throw std::runtime_error("not exactly one \"" + std::string(from) + "\" in " + path.string());
    }
    text.replace(place, from.size(), to);
    write_file(path, text);
}

void replace_all(const fs::path &path, std::string_view from, std::string_view to) {
    std::string text = read_file(path);
    std::size_t at = text.find(from);
    if (at == std::string::npos) {
        throw std::runtime_error("no \"" + std::string(from) + "\" in " + path.string());
    }
    for (; at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    write_file(path, text);
}

void set_mtime(const fs::path &path, std::int64_t seconds_from_now) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec += static_cast<time_t>(seconds_from_now);
    const timespec times[2] = {now, now};
    if (utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW) != 0) {
        throw std::runtime_error("cannot set the times of " + path.string());
    }
}

void change_json(const fs::path &path, const std::function<void(nlohmann::json &)> &change) {
    nlohmann::json document = nlohmann::json::parse(read_file(path));
    change(document);
    write_file(path, document.dump(2) + "\n");
}

void touch_tree(const fs::path &top, std::int64_t seconds) {
    std::vector<fs::path> paths = {top};
    for (const auto &entry : fs::recursive_directory_iterator(top)) {
        paths.push_back(entry.path());
    }
    for (const fs::path &path : paths) {
        set_mtime(path, seconds);
    }
}

void copy_tree(const fs::path &from, const fs::path &to) {
    fs::create_directories(to.parent_path());
    fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

std::map<std::string, std::string> tree_contents(const fs::path &top) {
    std::map<std::string, std::string> contents;
    for (const std::string &name : tree_files(top)) {
        const fs::path path = top / name;
        contents[name] = fs::is_symlink(path) ? "-> " + fs::read_symlink(path).string() : read_file(path);
    }
    return contents;
}

std::vector<std::string> tree_files(const fs::path &top) {
    std::vector<std::string> names;
    if (!fs::exists(top)) {
        return names;
    }
    for (const auto &entry : fs::recursive_directory_iterator(top)) {
        if (entry.is_symlink() || !entry.is_directory()) {
            names.push_back(entry.path().lexically_relative(top).string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace scene_kernels::e2e
