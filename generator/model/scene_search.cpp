#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/strings.h"
#include "model/load.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

constexpr std::string_view k_descriptor_ending = ".scene.json";
constexpr std::string_view k_cache_tag = "CACHEDIR.TAG";
constexpr std::size_t k_max_broken_shown = 50;

// Walks folders for descriptors without recursion: how deep they are nested is not ours to decide.
class SceneSearch {
public:
    explicit SceneSearch(FileSystem &files) : m_files(files) {}

    std::set<std::string> descriptors;
    std::set<std::string> directories;

    [[nodiscard]] Expected<void> add_argument(const std::string &argument) {
        const std::string path = path_normal(argument);
        SK_TRY(const auto status, m_files.stat(path));
        const std::string shown = printable(path, k_max_description_bytes);
        if (!status) {
            return input_error(shown + ": no such file or folder");
        }
        if (status->type != FileType::directory) {
            descriptors.insert(path);
            return {};
        }
        const std::size_t found = m_found;
        std::vector<std::string> open{path};
        while (!open.empty()) {
            const std::string directory = std::move(open.back());
            open.pop_back();
            SK_CHECK(enter(directory, directory == path, open));
        }
        if (m_found == found) {
            return input_error(fmt::format("{}: no *{} in this folder or below it", shown, k_descriptor_ending));
        }
        return {};
    }

private:
    [[nodiscard]] Expected<void> enter(const std::string &directory, bool was_named, std::vector<std::string> &open) {
        SK_TRY(const auto entries, m_files.list(directory));
        if (!entries) {
            return {};  // removed since its parent was listed
        }
        const bool is_cache = std::any_of(entries->begin(), entries->end(),
                                          [](const DirectoryEntry &entry) { return entry.name == k_cache_tag; });
        if (is_cache && !was_named) {
            return {};
        }
        directories.insert(directory);
        for (const DirectoryEntry &entry : *entries) {
            if (entry.name.starts_with('.')) {
                continue;
            }
            const std::string path = path_join(directory, entry.name);
            if (entry.type == FileType::directory) {
                if (entry.name != "build") {
                    open.push_back(path);
                }
            } else if (entry.name.ends_with(k_descriptor_ending)) {
                ++m_found;
                descriptors.insert(path);
            }
        }
        return {};
    }

    FileSystem &m_files;
    std::size_t m_found = 0;
};

// Collects messages that belong to different files.
class Messages {
public:
    void add(std::string message) {
        if (m_messages.size() < k_max_broken_shown) {
            m_messages.push_back(std::move(message));
        } else {
            ++m_more;
        }
    }
    [[nodiscard]] bool none() const { return m_messages.empty(); }
    [[nodiscard]] std::string text() const {
        return join(m_messages, "\n") + (m_more > 0 ? fmt::format("\n{} more", m_more) : "");
    }

private:
    std::vector<std::string> m_messages;
    std::size_t m_more = 0;
};

// Refs are named after scenes, so that two of one name would share them.
void check_distinct_names(const std::vector<Scene> &sorted, Messages &messages) {
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i].name == sorted[i - 1].name) {
            messages.add(fmt::format("{}: scene name {} is already used by {}; rename one of them",
                                     printable(sorted[i].path, k_max_description_bytes), quoted(sorted[i].name),
                                     printable(sorted[i - 1].path, k_max_description_bytes)));
        }
    }
}

}  // namespace

Expected<SceneSet> load_scenes(FileSystem &files, const std::vector<std::string> &arguments, const Sdk &sdk) {
    if (arguments.empty()) {
        return input_error("no descriptor or folder of descriptors was given");
    }
    Messages messages;
    SceneSearch search(files);
    for (const std::string &argument : arguments) {
        if (const auto added = search.add_argument(argument); !added) {
            messages.add(added.error().message);
        }
    }
    SceneSet set;
    set.directories.assign(search.directories.begin(), search.directories.end());
    for (const std::string &path : search.descriptors) {
        if (auto scene = load_scene(files, path, sdk)) {
            set.scenes.push_back(std::move(*scene));
        } else {
            messages.add(scene.error().message);
        }
    }
    std::sort(set.scenes.begin(), set.scenes.end(),
              [](const Scene &a, const Scene &b) { return std::tie(a.name, a.path) < std::tie(b.name, b.path); });
    check_distinct_names(set.scenes, messages);
    if (!messages.none()) {
        return input_error(messages.text());
    }
    return set;
}

}  // namespace scene_kernels
