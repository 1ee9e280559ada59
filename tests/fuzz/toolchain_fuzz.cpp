// Any bytes as what compilers and the dynamic loader print about themselves: a toolchain that is identified without
// asking again, or an error.
#include <elf.h>

#include <cstring>

#include "action/toolchain.h"
#include "action/toolchain_questions.h"
#include "base/strings.h"
#include "fuzz_check.h"
#include "memory_filesystem.h"

namespace scene_kernels {

namespace {

enum Answer : std::size_t { version, machine, search_dirs, program_name, shown, loaded, linker, script, answer_count };

// Says what the parts of the input say.
class SayingProcesses final : public ProcessRunner {
public:
    explicit SayingProcesses(const std::vector<std::string> &answers) : m_answers(answers) {}

    Expected<ProcessResult> run(const ProcessSpec &spec) override {
        ++started;
        ProcessResult result;
        for (const std::string &word : spec.argv) {
            if (const std::optional<Answer> answer = answer_to(word)) {
                result.output = m_answers[*answer];
            }
            if (word == "-v") {
                result.error_output = m_answers[shown];
            }
        }
        return result;
    }
    int started = 0;

private:
    static std::optional<Answer> answer_to(const std::string &word) {
        if (word.starts_with("-print-prog-name=")) {
            return program_name;
        }
        const std::pair<const char *, Answer> k_questions[] = {{"--version", version},
                                                               {"-dumpmachine", machine},
                                                               {"-print-search-dirs", search_dirs},
                                                               {"--list", loaded},
                                                               {"--verbose", linker}};
        for (const auto &[question, answer] : k_questions) {
            if (word == question) {
                return answer;
            }
        }
        return std::nullopt;
    }

    const std::vector<std::string> &m_answers;
};

class OneAnswer final : public ToolchainMemory {
public:
    std::optional<std::string> get(const Digest & /*key*/) override { return m_text; }
    void put(const Digest & /*key*/, const std::string &text) override { m_text = text; }

private:
    std::optional<std::string> m_text;
};

// A program that the loader `interpreter` starts; a static one where that is empty.
std::string program(const std::string &interpreter) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = interpreter.empty() ? 0 : 1;
    Elf64_Phdr segment{};
    segment.p_type = PT_INTERP;
    segment.p_offset = sizeof header + sizeof segment;
    std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
    bytes.append(reinterpret_cast<const char *>(&segment), sizeof segment);
    return bytes + interpreter + '\0';
}

void add_program(MemoryFileSystem &files, const std::string &path, const std::string &bytes) {
    files.add(path, bytes);
    check(files.set_mode(path, 0755).has_value(), "a program is made");
}

void check_family(const std::vector<std::string> &answers, CompilerFamily family) {
    FakeClock clock;
    MemoryFileSystem files(clock);
    add_program(files, "/t/bin/c++", program("/lib/ld.so"));
    for (const char *name : {"cc1plus", "collect2", "as", "ld", "clang", "liblto_plugin.so"}) {
        add_program(files, path_join("/t/libexec", name), program(""));
    }
    add_program(files, "/t/bin/script", answers[script]);
    files.add("/lib/ld.so", program(""));
    files.add("/lib/libz.so.1", program(""));
    FileMemory memory(files, clock);
    SayingProcesses processes(answers);
    OneAnswer remembered;
    ToolchainQuery query;
    query.name = "t";
    query.compiler = "/t/bin/c++";
    query.family = family;
    query.programs = {"/t/bin/script"};
    query.wraps = {"/t/libexec/as"};
    query.search_path = "/t/libexec:/t/bin";
    query.directory = "/src";
    const auto first = identify_toolchain(files, processes, memory, remembered, query);
    if (!first) {
        check(!first.error().message.empty(), "an error says something");
        return;
    }
    const int started = processes.started;
    const auto second = identify_toolchain(files, processes, memory, remembered, query);
    check(second && second->fingerprint == first->fingerprint && second->files == first->files &&
              second->library_directories == first->library_directories && second->absent == first->absent,
          "a remembered answer is the answer");
    check(processes.started == started, "a remembered answer needs no process");
    const auto directories = ask_header_directories(processes, query, {"-DX"});
    check(directories || !directories.error().message.empty(), "header directories or an error");
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::vector<std::string> answers = parts_of(text_of(data, size), answer_count);
    for (const auto family : {CompilerFamily::gcc, CompilerFamily::clang, CompilerFamily::plain}) {
        check_family(answers, family);
    }
    return 0;
}
