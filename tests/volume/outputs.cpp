#include "outputs.h"

#include <cstdint>

#include "support/files.h"

namespace scene_kernels::volume {

namespace fs = std::filesystem;

std::string digest(std::string_view text) {
    // FNV-1a over 128 bits.
    __extension__ using Wide = unsigned __int128;
    constexpr Wide k_prime = (Wide{1} << 88U) | 0x13bU;
    Wide hash = (Wide{0x6c62272e07bb0142U} << 64U) | 0x62b821756295c58dU;
    for (const char byte : text) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * k_prime;
    }
    return std::to_string(static_cast<std::uint64_t>(hash >> 64U)) + "." +
           std::to_string(static_cast<std::uint64_t>(hash));
}

int Outputs::keep(const fs::path &file) {
    std::vector<int> &known = m_numbers[digest(e2e::read_file(file))];
    for (const int number : known) {
        if (equal(number, file)) {
            fs::remove(file);
            return number;
        }
    }
    known.push_back(m_count);
    fs::create_directories(m_folder);
    fs::rename(file, path(m_count));
    return m_count++;
}

bool Outputs::equal(int number, const fs::path &file) const {
    return fs::exists(file) && e2e::read_file(path(number)) == e2e::read_file(file);
}

}  // namespace scene_kernels::volume
