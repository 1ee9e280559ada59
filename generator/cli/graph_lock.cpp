#include "cli/graph_lock.h"

#include <chrono>

#include "base/strings.h"
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

Expected<FileLock> lock_builders(FileSystem &files, const std::string &graph_directory, LockMode mode) {
    constexpr std::chrono::minutes k_limit(10);
    constexpr std::chrono::seconds k_say_after(2);
    auto lock = FileLock::acquire(path_join(graph_directory, "builders"), mode, k_limit, k_say_after, [&] {
        static_cast<void>(files.append(
            "/dev/stderr", "scene-kernels: waiting for builds that an earlier run left in " + graph_directory + "\n"));
    });
    if (!lock) {
        return FileLock();  // no flock here
    }
    if (!*lock) {
        return failure("builds of an earlier run have been at work in " + graph_directory +
                       " for more than 10 minutes; end them, or give another --build-dir");
    }
    return std::move(**lock);
}

}  // namespace scene_kernels
