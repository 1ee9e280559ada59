// Any bytes as the list of a plan's inputs, and as names of such inputs: what is listed is read back, by us as by
// whoever reads depfiles.
#include <algorithm>
#include <set>

#include "action/depfile.h"
#include "base/strings.h"
#include "fuzz_check.h"
#include "memory_filesystem.h"
#include "ninja/input_list.h"
#include "temporary_directory.h"

namespace scene_kernels {

namespace {

// Adding takes a real lock.
const std::string &graph_directory() {
    static const TemporaryDirectory s_directory;
    return s_directory.path();
}

// The lines of `text` as files below /project and elsewhere, in memory.
std::set<std::string> files_named(MemoryFileSystem &files, const std::string &text) {
    std::set<std::string> paths;
    for (const std::string &line : split(text, '\n')) {
        const std::string path = path_normal("/inputs/" + line);
        if (path != "/" && path.find('\0') == std::string::npos && !files.exists(path)) {
            files.add(path, "");
            paths.insert(path);
        }
    }
    return paths;
}

std::vector<std::string> read(const InputList &list) {
    const auto names = list.read();
    check(names.has_value(), "a list is read");
    return *names;
}

void check_written(MemoryFileSystem &files, InputList &list, const std::set<std::string> &paths) {
    check(list.write(paths).has_value(), "a list is written");
    const std::vector<std::string> names = read(list);
    check(names.size() == paths.size(), "every input is listed");
    for (const std::string &name : names) {
        check(**files.stat(path_join(graph_directory(), name)) != FileStat{}, "a name leads to its input", name);
    }
    if (!paths.empty()) {
        const std::string text = *files.read(path_join(graph_directory(), "plan.d"));
        const auto parsed = parse_depfile(text);
        check(parsed && *parsed == names, "a depfile's reader sees the same", text);
    }
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::vector<std::string> parts = parts_of(text_of(data, size), 2);
    FakeClock clock;
    MemoryFileSystem files(clock);
    files.add(path_join(graph_directory(), "plan.d"), parts[0]);
    InputList list(files, graph_directory(), "/inputs");
    const std::size_t before = read(list).size();
    check(list.stamp_time(clock.now, clock.now).has_value(), "the time of any list");
    const std::set<std::string> paths = files_named(files, parts[1]);
    check(list.add(paths).has_value(), "inputs are added");
    check(read(list).size() <= before + paths.size(), "inputs are added once");
    check_written(files, list, paths);
    check(list.add(paths).has_value() && read(list).size() == paths.size(), "what is listed is not added");
    return 0;
}
