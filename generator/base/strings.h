// Small text and path functions without any file access: splitting, joining, quoting, nearest names, lexical paths.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scene_kernels {

[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);
[[nodiscard]] std::string join(const std::vector<std::string> &parts, std::string_view separator);

// The candidate with the smallest edit distance to `word`, if that is small enough to be a likely misspelling.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, const std::vector<std::string> &candidates);

// `word` quoted for a POSIX shell, unchanged where no quoting is needed.
[[nodiscard]] std::string shell_quoted(std::string_view word);
[[nodiscard]] std::string shell_command(const std::vector<std::string> &argv);

// Lexical paths: '/' separated bytes. Nothing here looks at a file system.
[[nodiscard]] bool is_absolute(std::string_view path);
// `base`/`path`, or `path` where that is absolute; an empty `path` gives `base`.
[[nodiscard]] std::string path_join(std::string_view base, std::string_view path);
// Without ".", empty and ".." components where the latter follow a name. Only for paths whose ".." do not cross
// symlinks.
[[nodiscard]] std::string path_normal(std::string_view path);
// Without "." and empty components; ".." stay, so it names the same file even across symlinks.
[[nodiscard]] std::string path_tidy(std::string_view path);
[[nodiscard]] std::string_view path_parent(std::string_view path);
[[nodiscard]] std::string_view path_name(std::string_view path);
// Whether `path` is `root` or below it; both normal and absolute.
[[nodiscard]] bool path_is_inside(std::string_view path, std::string_view root);
// `path` as seen from the directory `from`; both normal and absolute.
[[nodiscard]] std::string path_relative(std::string_view path, std::string_view from);

}  // namespace scene_kernels
