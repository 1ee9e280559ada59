#include "base/strings.h"
#include "cli/commands.h"
#include "os/environment.h"

namespace scene_kernels {

Expected<FileLock> lock_graph(FileSystem &files, const std::string &graph_directory, LockMode mode) {
    if (environment_variable(k_lock_variable) == graph_directory) {
        return FileLock();
    }
    SK_CHECK(files.create_directories(graph_directory));
    const std::string path = path_join(graph_directory, "lock");
    auto lock = FileLock::try_acquire(path, mode);
    if (!lock) {
        return FileLock();  // no flock here: two at a time cannot be told apart, as with plain Ninja
    }
    if (!*lock) {
        return failure("another scene-kernels or ninja is at work in " + graph_directory +
                       "; wait for it, or give another --build-dir");
    }
    return std::move(**lock);
}

}  // namespace scene_kernels
