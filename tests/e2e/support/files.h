// Files for end-to-end tests: temporary folders, edits, copies, and comparing trees byte for byte.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace scene_kernels::e2e {

// A new folder with the given last component, removed at the end unless E2E_KEEP is set (then its path is printed).
class TemporaryFolder {
public:
    explicit TemporaryFolder(std::string_view name = "work");
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_top;
    std::filesystem::path m_path;
};

// All of these throw std::runtime_error where they cannot do what they say.
[[nodiscard]] std::string read_file(const std::filesystem::path &path);
// Creates or replaces a file, with its folders.
void write_file(const std::filesystem::path &path, std::string_view bytes);
// Replaces the one occurrence of `from` in a file.
void edit_file(const std::filesystem::path &path, std::string_view from, std::string_view to);
// Replaces every `from`; there must be one.
void replace_all(const std::filesystem::path &path, std::string_view from, std::string_view to);
// Reads JSON, lets `change` work on it, and writes it again.
void change_json(const std::filesystem::path &path, const std::function<void(nlohmann::json &)> &change);
// Sets the mtime of every file and folder below `top` to `seconds` from now.
void touch_tree(const std::filesystem::path &top, std::int64_t seconds = 0);
void set_mtime(const std::filesystem::path &path, std::int64_t seconds_from_now);
// A copy with links, modes and all; times are those of the copying.
void copy_tree(const std::filesystem::path &from, const std::filesystem::path &to);

// Every file and link below `top` by relative path: the bytes, or "-> " and the link's target.
[[nodiscard]] std::map<std::string, std::string> tree_contents(const std::filesystem::path &top);
// The relative paths of everything below `top` but folders, sorted.
[[nodiscard]] std::vector<std::string> tree_files(const std::filesystem::path &top);

}  // namespace scene_kernels::e2e
