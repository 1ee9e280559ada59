// A store in a directory of its own, with a clock that tests move, and a way to put entries into it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory_filesystem.h"
#include "store/store.h"
#include "temporary_directory.h"

namespace scene_kernels {

// Writes one output, out.bin, and returns the manifest for it; the key is the digest of `key_text`.
inline Manifest fill(FileSystem &files, const std::string &directory, std::string_view key_text,
                     std::string_view bytes) {
    Manifest manifest;
    manifest.kind = ActionKind::image;
    manifest.key = Sha256::of(key_text);
    manifest.platform = "a2a3sim";
    manifest.outputs = {{"out.bin", bytes.size(), Sha256::of(bytes)}};
    (void)files.write(directory + "/out.bin", bytes);
    return manifest;
}

struct StoreWorld {
    TemporaryDirectory disk;
    FileSystem &files = real_filesystem();
    FakeClock clock;
    std::string root = disk / "cache/kernels";

    Store open() { return Store::open(files, clock, root, false); }
    // Publishes an entry, last used now by the world's clock.
    Digest publish(std::string_view key_text, std::string_view bytes) {
        Store store = open();
        Expected<Staging> staging = store.stage();
        REQUIRE_MESSAGE(staging, (staging ? "" : staging.error().message));
        const Manifest manifest = fill(files, staging->directory(), key_text, bytes);
        const Expected<Digest> digest = store.publish(std::move(*staging), manifest);
        REQUIRE_MESSAGE(digest, (digest ? "" : digest.error().message));
        REQUIRE(files.set_mtime(store.artifact_directory(manifest.key), clock.now));
        return manifest.key;
    }
};

// Runs `work` in a child process; returns what waitpid says of it.
inline pid_t start(const std::function<bool()> &work) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::_exit(work() ? 0 : 1);
    }
    return child;
}
inline int status_of(pid_t child) {
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return status;
}

}  // namespace scene_kernels
