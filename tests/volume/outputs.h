// The outputs of the oracle: every distinct one once, in a folder, by number.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scene_kernels::volume {

// A short text that stands for a long one: 128 bits, so that no two of a run are taken for equal.
[[nodiscard]] std::string digest(std::string_view text);

class Outputs {
public:
    explicit Outputs(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    // Takes the file, which is moved or deleted; equal bytes have equal numbers.
    [[nodiscard]] int keep(const std::filesystem::path &file);
    [[nodiscard]] std::filesystem::path path(int number) const { return m_folder / std::to_string(number); }
    // Whether a file has exactly these bytes; false where it cannot be read.
    [[nodiscard]] bool equal(int number, const std::filesystem::path &file) const;

private:
    std::filesystem::path m_folder;
    std::map<std::string, std::vector<int>> m_numbers;  // by digest
    int m_count = 0;
};

}  // namespace scene_kernels::volume
