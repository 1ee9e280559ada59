// Any bytes as a dependency file, whoever wrote it: distinct names, or an error. Names written as GCC does come back.
#include <set>

#include "action/depfile.h"
#include "fuzz_check.h"

namespace scene_kernels {

namespace {

// What GCC's mkdeps.cc does to a name.
std::string munged(const std::string &name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == ' ' || name[i] == '\t') {
            for (std::size_t j = i; j > 0 && name[j - 1] == '\\'; --j) {
                text += '\\';
            }
            text += '\\';
        } else if (name[i] == '$') {
            text += '$';
        } else if (name[i] == '#') {
            text += '\\';
        }
        text += name[i];
    }
    return text;
}

void check_written_again(const std::vector<std::string> &names) {
    std::string text = "out.o:";
    for (const std::string &name : names) {
        // What these would do at the end of a line, or of a name, GCC does not prevent.
        if (name.find_first_of("\r\n") != std::string::npos || name.ends_with('\\')) {
            return;
        }
        text += " \\\n " + munged(name);
    }
    const auto again = parse_depfile(text + "\n", DepfileWriter::compiler);
    check(again && *again == names, "written names come back", text);
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string_view text = text_of(data, size);
    for (const auto writer : {DepfileWriter::compiler, DepfileWriter::assembler, DepfileWriter::linker}) {
        const auto names = parse_depfile(text, writer);
        if (!names) {
            check_error(names.error(), ErrorKind::failure);
            continue;
        }
        std::size_t bytes = 0;
        for (const std::string &name : *names) {
            check(!name.empty() && name.find('\0') == std::string::npos, "a name without NUL");
            bytes += name.size();
        }
        check(bytes <= size, "names are no longer than the text");
        check(std::set<std::string>(names->begin(), names->end()).size() == names->size(), "names are distinct");
        if (!names->empty()) {
            check_written_again(*names);
        }
    }
    return 0;
}
