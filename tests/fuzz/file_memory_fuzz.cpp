// Any bytes as a memory of digests: what is read of it can be found, and a file that is remembered on top of it is
// found by the next process.
#include "action/remembered_files.h"
#include "fuzz_check.h"
#include "fuzz_log.h"
#include "memory_filesystem.h"
#include "temporary_directory.h"

namespace scene_kernels {

namespace {

// Saving takes a real lock.
const TemporaryDirectory &lock_directory() {
    static const TemporaryDirectory s_directory;
    return s_directory;
}

bool same(const RememberedFile *a, const RememberedFile &b) {
    return a != nullptr && a->path == b.path && a->identity == b.identity && a->digest == b.digest &&
           a->scanned == b.scanned && a->source == b.source;
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string path = lock_directory() / "memory";
    FakeClock clock;
    MemoryFileSystem files(clock);
    files.add(path, with_right_checks(text_of(data, size), "skfiles1"));
    files.add("/src/a.h", "text");
    RememberedFile fresh;
    fresh.path = "/src/a.h";
    fresh.identity = identity_of(**files.stat("/src/a.h"));
    fresh.digest = Sha256::of("text");
    fresh.scanned = true;
    fresh.source = "facts";

    RememberedFiles memory(files, path);
    memory.load();
    const RememberedFile *found = memory.find(fresh.path);
    check(found == nullptr || found->path == fresh.path, "a file is found by its path");
    // What is known already with the same content stays as it is.
    const bool known = found != nullptr && found->identity == fresh.identity && found->digest == fresh.digest;
    memory.save({fresh});
    RememberedFiles next(files, path);
    next.load();
    check(known ? next.find(fresh.path) != nullptr : same(next.find(fresh.path), fresh), "what is saved is found");
    check(same(memory.find(fresh.path), *next.find(fresh.path)), "one process knows what the next one knows");
    return 0;
}
