// The files that a descriptor names: relative paths to existing regular files, each spelled in one way.
#pragma once

#include <map>

#include <string>

#include "model/json_document.h"
#include "model/problems.h"
#include "os/filesystem.h"

namespace scene_kernels {

class ScenePaths {
public:
    // `directory` is the descriptor's folder, absolute and normal.
    ScenePaths(FileSystem &files, Problems &problems, std::string directory)
        : m_files(files), m_problems(problems), m_directory(std::move(directory)) {}

    // A source file; reports one that was spelled in another way before. Absolute and normal, empty where it is no
    // good.
    [[nodiscard]] std::string source(const JsonValue &value);
    // The same without the rule about spelling.
    [[nodiscard]] std::string file(const JsonValue &value);

private:
    void check_exists(const JsonValue &value, const std::string &path);
    void check_parents(const JsonValue &value, const std::string &path, const FileStat &status);
    [[nodiscard]] std::string neighbour(const std::string &text, const std::string &path);

    struct Spelling {
        std::string text;
        std::size_t offset;
    };
    FileSystem &m_files;
    Problems &m_problems;
    std::string m_directory;
    std::map<std::string, Spelling> m_spellings;
};

}  // namespace scene_kernels
