// A directory of its own for a test that needs real files, removed at the end.
#pragma once

#include <cstdlib>
#include <string>

#include "os/filesystem.h"

namespace scene_kernels {

class TemporaryDirectory {
public:
    TemporaryDirectory() {
        const char *base = std::getenv("TMPDIR");
        std::string pattern =
            std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/scene-kernels-test.XXXXXX";
        if (::mkdtemp(pattern.data()) != nullptr) {
            m_path = real_filesystem().real_path(pattern).value_or(pattern);
        }
    }
    ~TemporaryDirectory() {
        if (!m_path.empty()) {
            (void)real_filesystem().remove_all(m_path);
        }
    }
    TemporaryDirectory(const TemporaryDirectory &) = delete;
    TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;

    // Canonical; empty where none could be made.
    [[nodiscard]] const std::string &path() const { return m_path; }
    [[nodiscard]] std::string operator/(const std::string &name) const { return m_path + "/" + name; }
    // Writes a file, with its parent directories; false where that fails.
    [[nodiscard]] bool add(const std::string &name, std::string_view bytes) const {
        const std::string path = *this / name;
        return real_filesystem().create_directories(path.substr(0, path.rfind('/'))).has_value() &&
               real_filesystem().write(path, bytes).has_value();
    }

private:
    std::string m_path;
};

}  // namespace scene_kernels
