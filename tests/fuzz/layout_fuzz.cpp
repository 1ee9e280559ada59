// Any bytes as the layout that a packer wrote: one that its callable's manifest can carry, or an error.
#include "build/packing.h"
#include "fuzz_check.h"
#include "memory_filesystem.h"

namespace scene_kernels {

namespace {

// A packer that writes what it is told.
class Packer final : public ProcessRunner {
public:
    Packer(MemoryFileSystem &files, std::string_view layout) : m_files(files), m_layout(layout) {}
    Expected<ProcessResult> run(const ProcessSpec &spec) override {
        m_files.add(spec.argv.back(), m_layout);
        return ProcessResult{};
    }

private:
    MemoryFileSystem &m_files;
    std::string_view m_layout;
};

PackSpec two_kernels() {
    PackSpec spec;
    spec.function_name = "build_graph";
    spec.signature = {ArgDirection::in, ArgDirection::out};
    spec.children.resize(2);
    spec.children[1].func_id = 1;
    return spec;
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    FakeClock clock;
    MemoryFileSystem files(clock);
    files.add("/src/sample", "sample");
    Packer packer(files, text_of(data, size));
    const PackSpec spec = two_kernels();
    const PackFiles places{"/packer", "/src/sample", "/library", {"/a", "/b"}, "/src", "/src"};
    const auto layout = pack_callable(files, packer, spec, places, {});
    if (!layout) {
        check_error(layout.error(), ErrorKind::failure);
        return 0;
    }
    check(layout->children.size() == spec.children.size(), "a kernel for each child");
    check(layout->signature == std::vector<std::string>{"in", "out"}, "the signature is that of the spec");
    return 0;
}
