#include "build/elf.h"

#include <cstring>
#include <memory>
#include <vector>

#include <elf.h>
#include <gelf.h>
#include <libelf.h>

#include "model/printable.h"

namespace scene_kernels {

namespace {

struct MachineName {
    unsigned number;
    const char *name;
};

constexpr MachineName k_machines[] = {
    {EM_X86_64, "x86_64"}, {EM_AARCH64, "aarch64"}, {EM_386, "i386"}, {EM_ARM, "arm"}, {EM_RISCV, "riscv"},
};

tl::unexpected<Error> damaged(const std::string &what) {
    return failure("the output is no usable ELF file: " + what);
}

// libelf wants writable memory; it gets a copy of its own.
class ElfFile {
public:
    static Expected<ElfFile> open(std::string_view bytes) {
        if (bytes.size() < EI_NIDENT || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
            return damaged(bytes.empty() ? "it is empty" : "it does not start with the ELF magic");
        }
        if (::elf_version(EV_CURRENT) == EV_NONE) {
            return failure("libelf is older than its own headers");
        }
        ElfFile file;
        file.m_bytes = std::make_unique<std::vector<char>>(bytes.begin(), bytes.end());
        file.m_elf.reset(::elf_memory(file.m_bytes->data(), file.m_bytes->size()));
        if (file.m_elf == nullptr || ::elf_kind(file.m_elf.get()) != ELF_K_ELF ||
            ::gelf_getehdr(file.m_elf.get(), &file.m_header) == nullptr) {
            return damaged(::elf_errmsg(-1));
        }
        if (::elf_getshdrstrndx(file.m_elf.get(), &file.m_name_index) != 0) {
            return damaged("it has no section names");
        }
        return file;
    }

    [[nodiscard]] const GElf_Ehdr &header() const { return m_header; }

    struct Section {
        Elf_Scn *handle = nullptr;
        GElf_Shdr header{};
        std::string name;
        std::size_t index = 0;
    };

    [[nodiscard]] Expected<std::vector<Section>> sections() const {
        std::vector<Section> result;
        for (Elf_Scn *handle = nullptr; (handle = ::elf_nextscn(m_elf.get(), handle)) != nullptr;) {
            Section section;
            section.handle = handle;
            section.index = ::elf_ndxscn(handle);
            if (::gelf_getshdr(handle, &section.header) == nullptr) {
                return damaged(::elf_errmsg(-1));
            }
            const char *name = ::elf_strptr(m_elf.get(), m_name_index, section.header.sh_name);
            section.name = name == nullptr ? "" : name;
            result.push_back(std::move(section));
        }
        return result;
    }

    // The raw bytes, if they lie inside the file.
    [[nodiscard]] Expected<std::string_view> bytes_of(const Section &section) const {
        const std::uint64_t offset = section.header.sh_offset;
        const std::uint64_t size = section.header.sh_size;
        if (section.header.sh_type == SHT_NOBITS || offset > m_bytes->size() || size > m_bytes->size() - offset) {
            return damaged("section " + printable(section.name) + " lies outside of the file");
        }
        return std::string_view(m_bytes->data() + offset, size);
    }

    [[nodiscard]] const char *string_at(std::size_t table, std::size_t offset) const {
        return ::elf_strptr(m_elf.get(), table, offset);
    }

private:
    ElfFile() = default;
    struct End {
        void operator()(Elf *elf) const { ::elf_end(elf); }
    };
    std::unique_ptr<std::vector<char>> m_bytes;
    std::unique_ptr<Elf, End> m_elf;
    GElf_Ehdr m_header{};
    std::size_t m_name_index = 0;
};

Expected<std::optional<ElfSymbol>> find_in(const ElfFile &file, const std::string &name, GElf_Word table_type) {
    SK_TRY(const std::vector<ElfFile::Section> sections, file.sections());
    for (const ElfFile::Section &table : sections) {
        if (table.header.sh_type != table_type) {
            continue;
        }
        SK_CHECK(file.bytes_of(table));
        Elf_Data *data = ::elf_getdata(table.handle, nullptr);
        if (data == nullptr || table.header.sh_entsize == 0) {
            return damaged("its symbol table cannot be read");
        }
        const std::uint64_t count = table.header.sh_size / table.header.sh_entsize;
        for (std::uint64_t i = 0; i < count && i < INT32_MAX; ++i) {
            GElf_Sym symbol;
            if (::gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) {
                return damaged("its symbol table is cut off");
            }
            const char *text = file.string_at(table.header.sh_link, symbol.st_name);
            if (text == nullptr || name != text || symbol.st_shndx == SHN_UNDEF) {
                continue;
            }
            ElfSymbol found;
            found.size = symbol.st_size;
            found.offset = symbol.st_value;
            for (const ElfFile::Section &section : sections) {
                if (section.index == symbol.st_shndx) {
                    found.section = section.name;
                    // In objects values are offsets; in linked files they are addresses.
                    found.offset -= file.header().e_type == ET_REL ? 0 : section.header.sh_addr;
                }
            }
            return found;
        }
    }
    return std::nullopt;
}

bool starts_with(const std::string &text, const std::string &prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

std::string machine_name(unsigned number) {
    for (const MachineName &machine : k_machines) {
        if (machine.number == number) {
            return machine.name;
        }
    }
    return "machine " + std::to_string(number);
}

Expected<ElfSummary> summarize_elf(std::string_view bytes) {
    SK_TRY(const ElfFile file, ElfFile::open(bytes));
    SK_TRY(const std::vector<ElfFile::Section> sections, file.sections());
    for (const ElfFile::Section &section : sections) {
        if (section.header.sh_type != SHT_NOBITS) {
            SK_CHECK(file.bytes_of(section));
        }
    }
    ElfSummary summary;
    summary.machine = file.header().e_machine;
    summary.shared_library = file.header().e_type == ET_DYN;
    summary.relocatable = file.header().e_type == ET_REL;
    return summary;
}

Expected<std::optional<ElfSymbol>> find_symbol(std::string_view bytes, const std::string &name, bool dynamic) {
    SK_TRY(const ElfFile file, ElfFile::open(bytes));
    return find_in(file, name, dynamic ? SHT_DYNSYM : SHT_SYMTAB);
}

namespace {

// One instruction of most machines: what is left of a kernel whose body was compiled away.
constexpr std::uint64_t k_return_bytes = 4;

// The one section of that name, if no other holds parts of what belongs into it.
Expected<const ElfFile::Section *> sole_section(const std::vector<ElfFile::Section> &sections,
                                                const std::string &section) {
    const ElfFile::Section *wanted = nullptr;
    for (const ElfFile::Section &candidate : sections) {
        const bool filled = candidate.header.sh_size > 0;
        if (candidate.name == section) {
            if (wanted != nullptr) {
                return failure("the linked kernel has two sections " + section + ": link it into one");
            }
            wanted = &candidate;
        } else if (filled && starts_with(candidate.name, section + ".")) {
            return failure("the linked kernel still has the section " + printable(candidate.name) + " beside " +
                           section + ": its code would be left out; link it into " + section +
                           " (or make those functions inline)");
        } else if (filled &&
                   (starts_with(candidate.name, ".rela" + section) || starts_with(candidate.name, ".rel" + section))) {
            return failure("the linked kernel still has relocations (" + printable(candidate.name) +
                           "): its code refers to a symbol that is not in it; define that symbol in the kernel");
        }
    }
    if (wanted == nullptr || wanted->header.sh_size == 0) {
        return failure("the linked kernel has no code: section " + section +
                       (wanted == nullptr ? " is missing" : " is empty"));
    }
    return wanted;
}

}  // namespace

Expected<std::string> extract_section(std::string_view bytes, const std::string &section, const std::string &entry,
                                      const std::string &machine) {
    SK_TRY(const ElfFile file, ElfFile::open(bytes));
    if (const std::string actual = machine_name(file.header().e_machine); !machine.empty() && actual != machine) {
        return failure("the linked kernel is for " + actual + ", not for " + machine +
                       "; check the SDK's \"machine\" and the linker");
    }
    SK_TRY(const std::vector<ElfFile::Section> sections, file.sections());
    SK_TRY(const ElfFile::Section *wanted, sole_section(sections, section));
    SK_TRY(const std::optional<ElfSymbol> symbol, find_in(file, entry, SHT_SYMTAB));
    if (!symbol) {
        return failure("the linked kernel does not define " + entry + "; declare it extern \"C\"");
    }
    if (symbol->section != section || symbol->offset != 0) {
        return failure(entry + " is not at the start of " + section + " (" + printable(symbol->section) + "+" +
                       std::to_string(symbol->offset) +
                       "), and the device starts there; define it before every other function, or inline those");
    }
    // Assembler sources need not say a size; the section's is the most that it can be.
    const std::uint64_t size = symbol->size > 0 ? symbol->size : wanted->header.sh_size;
    if (size <= k_return_bytes) {
        return failure("the function " + entry + " is empty (" + std::to_string(size) + " bytes in " + section +
                       "); check the source's #if conditions");
    }
    SK_TRY(const std::string_view content, file.bytes_of(*wanted));
    return std::string(content);
}

}  // namespace scene_kernels
