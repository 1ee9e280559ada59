#include "store/store.h"

#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "forwarding_filesystem.h"
#include "store/store_fixture.h"

using namespace scene_kernels;

namespace {

// Kills its process before the changing call of a given number.
class MortalFileSystem final : public ForwardingFileSystem {
public:
    explicit MortalFileSystem(int calls_to_live) : ForwardingFileSystem(real_filesystem()), m_left(calls_to_live) {}

    Expected<void> write(const std::string &path, std::string_view bytes, bool durable) override {
        live();
        return ForwardingFileSystem::write(path, bytes, durable);
    }
    Expected<bool> create_directory(const std::string &path) override {
        live();
        return ForwardingFileSystem::create_directory(path);
    }
    Expected<bool> rename(const std::string &from, const std::string &to) override {
        live();
        return ForwardingFileSystem::rename(from, to);
    }
    Expected<bool> remove(const std::string &path) override {
        live();
        return ForwardingFileSystem::remove(path);
    }
    Expected<void> remove_all(const std::string &path) override {
        live();
        return ForwardingFileSystem::remove_all(path);
    }
    Expected<void> set_mode(const std::string &path, std::uint32_t mode) override {
        live();
        return ForwardingFileSystem::set_mode(path, mode);
    }
    Expected<void> sync(const std::string &path) override {
        live();
        return ForwardingFileSystem::sync(path);
    }

private:
    void live() {
        if (m_left-- == 0) {
            (void)::raise(SIGKILL);
        }
    }
    int m_left;
};

// Counts flushes, and remembers in which order paths were flushed and renamed.
class FlushLog final : public ForwardingFileSystem {
public:
    FlushLog() : ForwardingFileSystem(real_filesystem()) {}
    std::vector<std::string> log;
    Expected<void> write(const std::string &path, std::string_view bytes, bool durable) override {
        if (durable) {
            log.push_back("write " + path.substr(path.rfind('/') + 1));
        }
        return ForwardingFileSystem::write(path, bytes, durable);
    }
    Expected<bool> rename(const std::string &from, const std::string &to) override {
        log.emplace_back("rename");
        return ForwardingFileSystem::rename(from, to);
    }
    Expected<void> sync(const std::string &path) override {
        log.push_back("sync " + path.substr(path.rfind('/') + 1));
        return ForwardingFileSystem::sync(path);
    }
};

}  // namespace

TEST_CASE("what is published is found, whole and read-only, and nothing else is") {
    StoreWorld world;
    Store store = world.open();
    Staging staging = store.stage().value();
    REQUIRE(world.files.write(staging.directory() + "/scratch.o", "x"));
    REQUIRE(world.files.create_directories(staging.directory() + "/scratch/deep"));
    REQUIRE(world.files.write(staging.directory() + "/tool", "#!"));
    REQUIRE(world.files.set_mode(staging.directory() + "/tool", 0775));
    Manifest manifest = fill(world.files, staging.directory(), "k", "bytes");
    manifest.outputs.push_back({"tool", 2, Sha256::of("#!")});
    const std::string staged = staging.directory();
    const Digest digest = store.publish(std::move(staging), manifest).value();
    CHECK(digest == Sha256::of(world.files.read(store.manifest_path(manifest.key)).value()));
    CHECK(store.find(manifest.key, true) == manifest);
    CHECK_FALSE(store.find(Sha256::of("other"), false));
    const std::string entry = store.artifact_directory(manifest.key);
    CHECK(world.files.list(entry).value()->size() == 3);
    CHECK(world.files.stat(entry + "/out.bin").value()->mode == 0444);
    CHECK(world.files.stat(entry + "/tool").value()->mode == 0555);
    CHECK(world.files.stat(entry + "/artifact.json").value()->mode == 0444);
    CHECK_FALSE(*world.files.stat(staged));
}

TEST_CASE("directories of a group's store keep what the umask gave them") {
    StoreWorld world;
    const mode_t before = ::umask(0002);
    const Digest key = world.publish("k", "bytes");
    ::umask(before);
    CHECK(world.files.stat(world.open().artifact_directory(key)).value()->mode == 0775);
    CHECK(world.files.stat(world.root + "/artifacts").value()->mode == 0775);
}

TEST_CASE("everything is on the disk before the name is, and the name before success is reported") {
    StoreWorld world;
    (void)world.publish("k", "bytes");
    FlushLog files;
    Store store = Store::open(files, world.clock, world.root, false);
    Staging staging = store.stage().value();
    const std::string name = staging.directory().substr(staging.directory().rfind('/') + 1);
    const Manifest manifest = fill(world.files, staging.directory(), "k2", "bytes");
    const std::string shard = manifest.key.hex().substr(0, 2);
    REQUIRE(store.publish(std::move(staging), manifest));
    CHECK(files.log == std::vector<std::string>{"sync out.bin", "write artifact.json", "sync " + name, "sync artifacts",
                                                "rename", "sync " + shard});
}

TEST_CASE("outputs that are not what the manifest says are not published") {
    StoreWorld world;
    Store store = world.open();
    Staging staging = store.stage().value();
    Manifest manifest = fill(world.files, staging.directory(), "k", "bytes");
    const std::string output = staging.directory() + "/out.bin";
    SUBCASE("missing") {
        REQUIRE(world.files.remove(output));
    }
    SUBCASE("another size") {
        manifest.outputs[0].size = 4;
    }
    SUBCASE("another content") {
        REQUIRE(world.files.write(output, "Bytes"));
    }
    SUBCASE("a link") {
        REQUIRE(world.files.write_link(output, "/dev/null"));
    }
    SUBCASE("uncacheable") {
        manifest.uncacheable = ".incbin in a.h:1";
    }
    SUBCASE("no key") {
        manifest.key = {};
    }
    SUBCASE("a name that leads elsewhere") {
        manifest.outputs[0].name = "../out.bin";
    }
    const std::string staged = staging.directory();
    CHECK_FALSE(store.publish(std::move(staging), manifest));
    CHECK_FALSE(store.find(manifest.key, false));
    CHECK_FALSE(*world.files.stat(staged));
}

TEST_CASE("a good entry stays when the same key is published again") {
    StoreWorld world;
    const Digest key = world.publish("k", "first");
    const std::string before = world.files.read(world.open().manifest_path(key)).value();
    Store store = world.open();
    Staging staging = store.stage().value();
    const Manifest other = fill(world.files, staging.directory(), "k", "second");
    CHECK(store.publish(std::move(staging), other).value() == Sha256::of(before));
    CHECK(world.files.read(store.artifact_directory(key) + "/out.bin").value() == "first");
    CHECK(world.files.list(world.root + "/tmp").value()->empty());
}

TEST_CASE("a damaged entry is a miss, and publishing replaces it") {
    StoreWorld world;
    const Digest key = world.publish("k", "bytes");
    Store store = world.open();
    const std::string entry = store.artifact_directory(key);
    bool shallow = false;
    SUBCASE("zeros of the right size") {
        REQUIRE(world.files.write(entry + "/out.bin", std::string(5, '\0')));
        shallow = true;
    }
    SUBCASE("a truncated output") {
        REQUIRE(world.files.write(entry + "/out.bin", "byt"));
    }
    SUBCASE("a missing output") {
        REQUIRE(world.files.remove(entry + "/out.bin"));
    }
    SUBCASE("a link in the place of an output") {
        REQUIRE(world.files.write(entry + "/l.bin", "bytes"));
        REQUIRE(world.files.write_link(entry + "/out.bin", "l.bin"));  // as long as the output should be
    }
    SUBCASE("an empty manifest") {
        REQUIRE(world.files.write(entry + "/artifact.json", ""));
    }
    SUBCASE("another key's manifest") {
        const Digest other = world.publish("k2", "bytes");
        REQUIRE(world.files.write(entry + "/artifact.json", world.files.read(store.manifest_path(other)).value()));
    }
    SUBCASE("no manifest") {
        REQUIRE(world.files.remove(entry + "/artifact.json"));
    }
    SUBCASE("an empty directory") {
        REQUIRE(world.files.remove_all(entry));
        REQUIRE(world.files.create_directory(entry));
    }
    SUBCASE("a file in the place of the entry") {
        REQUIRE(world.files.remove_all(entry));
        REQUIRE(world.files.write(entry, "file"));
    }
    SUBCASE("a dangling link in the place of the entry") {
        REQUIRE(world.files.remove_all(entry));
        REQUIRE(world.files.write_link(entry, "/nowhere"));
    }
    SUBCASE("a directory without permission to write") {
        REQUIRE(world.files.remove(entry + "/out.bin"));
        REQUIRE(world.files.set_mode(entry, 0555));
    }
    CHECK(store.find(key, false).has_value() == shallow);
    CHECK(world.publish("k", "bytes") == key);
    CHECK(store.find(key, true));
    CHECK(world.files.read(entry + "/out.bin").value() == "bytes");
    CHECK(world.files.list(world.root + "/tmp").value()->empty());
}

TEST_CASE("eight processes that publish one key leave one good entry and nothing else") {
    for (const bool damaged : {false, true}) {
        CAPTURE(damaged);
        StoreWorld world;
        const Digest key = Sha256::of("k");
        if (damaged) {
            REQUIRE(world.publish("k", "bytes") == key);
            REQUIRE(world.files.write(world.open().artifact_directory(key) + "/out.bin", "Bytes"));
        } else {
            REQUIRE(world.open().state().access == StoreAccess::write);
        }
        std::vector<pid_t> children;
        for (int i = 0; i < 8; ++i) {
            children.push_back(start([&world] {
                for (int round = 0; round < 5; ++round) {
                    Store store = world.open();
                    Expected<Staging> staging = store.stage();
                    if (!staging) {
                        return false;
                    }
                    const Manifest manifest = fill(world.files, staging->directory(), "k", "bytes");
                    if (!store.publish(std::move(*staging), manifest) || !store.find(manifest.key, true)) {
                        return false;
                    }
                }
                return true;
            }));
        }
        for (const pid_t child : children) {
            CHECK(status_of(child) == 0);
        }
        CHECK(world.open().find(key, true));
        CHECK(world.files.list(world.root + "/tmp").value()->empty());
    }
}

TEST_CASE("who judged an entry bad does not take away the good one that replaced it meanwhile") {
    StoreWorld world;
    const Digest key = world.publish("k", "bytes");
    const std::string entry = world.open().artifact_directory(key);
    REQUIRE(world.files.write(entry + "/out.bin", "Bytes"));
    // Lets another publisher replace the entry when ours has just read the bad output.
    class Overtaken final : public ForwardingFileSystem {
    public:
        Overtaken(std::string path, std::function<void()> overtake)
            : ForwardingFileSystem(real_filesystem()), m_path(std::move(path)), m_overtake(std::move(overtake)) {}
        Expected<std::string> read(const std::string &path) override {
            auto bytes = ForwardingFileSystem::read(path);
            if (path == m_path && m_overtake) {
                std::exchange(m_overtake, {})();
            }
            return bytes;
        }

    private:
        std::string m_path;
        std::function<void()> m_overtake;
    };
    std::uint64_t inode = 0;
    Overtaken files(entry + "/out.bin", [&] {
        (void)world.publish("k", "bytes");
        inode = world.files.stat(entry).value()->inode;
    });
    Store store = Store::open(files, world.clock, world.root, false);
    Staging staging = store.stage().value();
    const Manifest manifest = fill(world.files, staging.directory(), "k", "bytes");
    REQUIRE(store.publish(std::move(staging), manifest));
    CHECK(inode != 0);
    CHECK(world.files.stat(entry).value()->inode == inode);
    CHECK(world.files.list(world.root + "/tmp").value()->empty());
}

TEST_CASE("killed at any step, a publisher leaves no half entry, and what it left is cleaned") {
    for (const bool damaged : {false, true}) {
        int survived_from = -1;
        for (int calls = 0; calls < 60 && survived_from < 0; ++calls) {
            CAPTURE(calls);
            StoreWorld world;
            const Digest key = Sha256::of("k");
            if (damaged) {
                REQUIRE(world.publish("k", "bytes") == key);
                REQUIRE(world.files.write(world.open().artifact_directory(key) + "/out.bin", "Bytes"));
            }
            const int status = status_of(start([&world, calls] {
                MortalFileSystem files(calls);
                Store store = Store::open(files, world.clock, world.root, false);
                Expected<Staging> staging = store.stage();
                if (!staging) {
                    return false;
                }
                const Manifest manifest = fill(files, staging->directory(), "k", "bytes");
                return store.publish(std::move(*staging), manifest).has_value();
            }));
            if (status == 0) {
                survived_from = calls;
            } else {
                REQUIRE(WIFSIGNALED(status));
            }
            Store store = world.open();
            REQUIRE(store.state().access == StoreAccess::write);
            const bool there = world.files.stat(store.artifact_directory(key)).value().has_value();
            CHECK((!there || damaged || store.find(key, true)));
            (void)store.remove_abandoned();
            CHECK(world.files.list(world.root + "/tmp").value()->empty());
            CHECK(world.publish("k", "bytes") == key);
            CHECK(store.find(key, true));
        }
        CHECK(survived_from > 10);
    }
}

TEST_CASE("only directories that nobody holds are abandoned") {
    StoreWorld world;
    Store store = world.open();
    const Staging held = store.stage().value();
    REQUIRE(world.files.create_directories(world.root + "/tmp/dead/scratch"));
    REQUIRE(world.files.write(world.root + "/tmp/file", "x"));
    CHECK(store.count_abandoned() == 2);
    CHECK(store.remove_abandoned() == 2);
    CHECK(store.remove_abandoned() == 0);
    CHECK(*world.files.stat(held.directory()));
}

TEST_CASE("a staging directory that is not published disappears") {
    StoreWorld world;
    Store store = world.open();
    { const Staging staging = store.stage().value(); }
    CHECK(world.files.list(world.root + "/tmp").value()->empty());
}

TEST_CASE("an entry is removed only while it is condemned") {
    StoreWorld world;
    const Digest key = world.publish("k", "bytes");
    Store store = world.open();
    CHECK_FALSE(store.remove_entry(key, [] { return false; }).value());
    CHECK(store.find(key, true));
    CHECK(store.remove_entry(key, [] { return true; }).value());
    CHECK_FALSE(store.find(key, false));
    CHECK_FALSE(store.remove_entry(key, [] { return true; }).value());
    CHECK(world.files.list(world.root + "/tmp").value()->empty());
}

TEST_CASE("the time of last use is noted once a day, and never in the future") {
    StoreWorld world;
    const Digest key = world.publish("k", "bytes");
    Store store = world.open();
    const std::string entry = store.artifact_directory(key);
    const auto used = [&] { return world.files.stat(entry).value()->mtime_ns; };
    constexpr std::int64_t k_day = 86'400'000'000'000;
    for (const std::int64_t age :
         {k_day, 100 * k_day, -100 * k_day, world.clock.now + 9'000'000'000'000'000'000 - 1'700'000'000'000'000'000}) {
        CAPTURE(age);
        REQUIRE(world.files.set_mtime(entry, world.clock.now - age));
        store.mark_used(key);
        CHECK(used() == world.clock.now);
    }
    const std::int64_t recent = world.clock.now - k_day + 1;
    REQUIRE(world.files.set_mtime(entry, recent));
    CHECK(store.entries().value().at(0).used_ns == recent);
    store.mark_used(key);
    CHECK(used() == recent);
    store.mark_used(Sha256::of("absent"));
    CHECK_FALSE(*world.files.stat(store.artifact_directory(Sha256::of("absent"))));
}

TEST_CASE("the lock of a recipe excludes others, and says that it waits") {
    StoreWorld world;
    Store store = world.open();
    const Digest recipe = Sha256::of("recipe");
    const auto held = store.lock(recipe, std::chrono::milliseconds(0), [] {}).value();
    REQUIRE(held);
    CHECK_FALSE(store.lock(recipe, std::chrono::milliseconds(0), [] {}).value());
    CHECK(store.lock(Sha256::of("other"), std::chrono::milliseconds(0), [] {}).value());
}
