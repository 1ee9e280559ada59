#include "action/elf_loading.h"

#include <cstdint>

#include <elf.h>

#include "base/strings.h"

namespace scene_kernels {

namespace {

// Where the fields are; the two classes of ELF files differ in nothing else here.
struct Layout {
    bool wide;
    std::size_t header_size, program_offset_at, program_size_at, program_count_at;
    std::size_t segment_size, offset_at, address_at, file_size_at;
    std::size_t word;
};

constexpr Layout k_layout_32 = {false, sizeof(Elf32_Ehdr), 28, 42, 44, sizeof(Elf32_Phdr), 4, 8, 16, 4};
constexpr Layout k_layout_64 = {true, sizeof(Elf64_Ehdr), 32, 54, 56, sizeof(Elf64_Phdr), 8, 16, 32, 8};

struct Segment {
    std::uint64_t type = 0;
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t file_size = 0;
};

class LoadingReader {
public:
    LoadingReader(std::string_view bytes, const Layout &layout) : m_bytes(bytes), m_layout(layout) {}

    std::optional<ElfLoading> read() {
        if (!read_segments()) {
            return std::nullopt;
        }
        ElfLoading loading;
        for (const Segment &segment : m_segments) {
            if (segment.type == PT_INTERP) {
                loading.interpreter = text_at(segment.offset);
                if (loading.interpreter.empty()) {
                    return std::nullopt;
                }
            } else if (segment.type == PT_DYNAMIC) {
                loading.dynamic = true;
                if (!read_dynamic(segment, loading)) {
                    return std::nullopt;
                }
            }
        }
        return loading;
    }

private:
    // Little-endian; nothing behind the end.
    [[nodiscard]] std::optional<std::uint64_t> number(std::uint64_t at, std::size_t size) const {
        if (at > m_bytes.size() || m_bytes.size() - at < size) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        for (std::size_t i = size; i > 0; --i) {
            value = (value << 8U) | static_cast<std::uint8_t>(m_bytes[at + i - 1]);
        }
        return value;
    }

    // Up to the NUL; empty where there is none.
    [[nodiscard]] std::string text_at(std::uint64_t at) const {
        if (at >= m_bytes.size()) {
            return {};
        }
        const std::size_t end = m_bytes.find('\0', at);
        return end == std::string_view::npos ? std::string() : std::string(m_bytes.substr(at, end - at));
    }

    bool read_segments() {
        const auto start = number(m_layout.program_offset_at, m_layout.word);
        const auto size = number(m_layout.program_size_at, 2);
        const auto count = number(m_layout.program_count_at, 2);
        if (!start || !size || !count || *start > m_bytes.size() || (*count > 0 && *size < m_layout.segment_size)) {
            return false;
        }
        for (std::uint64_t i = 0; i < *count; ++i) {
            const std::uint64_t at = *start + i * *size;
            const auto type = number(at, 4);
            const auto offset = number(at + m_layout.offset_at, m_layout.word);
            const auto address = number(at + m_layout.address_at, m_layout.word);
            const auto file_size = number(at + m_layout.file_size_at, m_layout.word);
            if (!type || !offset || !address || !file_size) {
                return false;
            }
            m_segments.push_back({*type, *offset, *address, *file_size});
        }
        return true;
    }

    [[nodiscard]] std::optional<std::uint64_t> offset_of_address(std::uint64_t address) const {
        for (const Segment &segment : m_segments) {
            if (segment.type == PT_LOAD && address >= segment.address &&
                address - segment.address < segment.file_size) {
                return segment.offset + (address - segment.address);
            }
        }
        return std::nullopt;
    }

    bool read_dynamic(const Segment &segment, ElfLoading &loading) const {
        std::vector<std::uint64_t> needed;
        std::vector<std::uint64_t> paths;
        std::optional<std::uint64_t> strings;
        const std::size_t entry = 2 * m_layout.word;
        for (std::uint64_t done = 0; done + entry <= segment.file_size; done += entry) {
            const auto tag = number(segment.offset + done, m_layout.word);
            const auto value = number(segment.offset + done + m_layout.word, m_layout.word);
            if (!tag || !value) {
                return false;
            }
            if (*tag == DT_NULL) {
                break;
            }
            if (*tag == DT_STRTAB) {
                strings = offset_of_address(*value);
            } else if (*tag == DT_NEEDED) {
                needed.push_back(*value);
            } else if (*tag == DT_RPATH || *tag == DT_RUNPATH) {
                paths.push_back(*value);
            }
        }
        if (!strings && !(needed.empty() && paths.empty())) {
            return false;
        }
        for (const std::uint64_t at : needed) {
            loading.needed.push_back(text_at(*strings + at));
        }
        for (const std::uint64_t at : paths) {
            for (std::string &path : split(text_at(*strings + at), ':')) {
                loading.run_paths.push_back(std::move(path));
            }
        }
        return true;
    }

    std::string_view m_bytes;
    const Layout &m_layout;
    std::vector<Segment> m_segments;
};

}  // namespace

bool is_elf(std::string_view bytes) {
    return bytes.substr(0, SELFMAG) == std::string_view(ELFMAG, SELFMAG);
}

std::optional<ElfLoading> read_elf_loading(std::string_view bytes) {
    if (!is_elf(bytes) || bytes.size() < EI_NIDENT || bytes[EI_DATA] != ELFDATA2LSB) {
        return std::nullopt;
    }
    const Layout &layout = bytes[EI_CLASS] == ELFCLASS64 ? k_layout_64 : k_layout_32;
    if (bytes[EI_CLASS] != ELFCLASS64 && bytes[EI_CLASS] != ELFCLASS32) {
        return std::nullopt;
    }
    return bytes.size() < layout.header_size ? std::nullopt : LoadingReader(bytes, layout).read();
}

}  // namespace scene_kernels
