#include <chrono>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "forwarding_filesystem.h"
#include "os/environment.h"
#include "store/store.h"
#include "store/store_fixture.h"

using namespace scene_kernels;

namespace {

// Says what a file system that is mounted read-only says.
class ReadOnlyFileSystem final : public ForwardingFileSystem {
public:
    ReadOnlyFileSystem() : ForwardingFileSystem(real_filesystem()) {}
    Expected<void> write(const std::string &path, std::string_view, bool) override {
        return failure("read-only: " + path);
    }
    bool is_writable(const std::string &path) override { return !path.ends_with(only); }
    std::string only;  // the end of what is read-only; empty: everything
};

// Says that everything belongs to somebody else.
class ForeignFileSystem final : public ForwardingFileSystem {
public:
    ForeignFileSystem() : ForwardingFileSystem(real_filesystem()) {}
    Expected<std::optional<FileStat>> stat(const std::string &path) override {
        auto status = ForwardingFileSystem::stat(path);
        if (status && *status) {
            (*status)->owner = user_id() + 1;
        }
        return status;
    }
};

}  // namespace

TEST_CASE("opening an absent store makes one that says what it is") {
    StoreWorld world;
    const Store store = world.open();
    CHECK(store.state().access == StoreAccess::write);
    CHECK(store.state().why.empty());
    CHECK(world.files.read(world.root + "/VERSION").value() == "scene-kernels store 1\n");
    CHECK(world.files.read(world.root + "/CACHEDIR.TAG")
              .value()
              .starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    CHECK(world.open().state().access == StoreAccess::write);
}

TEST_CASE("a fresh volume and an empty directory become stores, anything else does not") {
    StoreWorld world;
    REQUIRE(world.files.create_directories(world.root + "/lost+found"));
    StoreAccess expected = StoreAccess::write;
    SUBCASE("fresh volume") {}
    SUBCASE("another process is opening it as well") {
        REQUIRE(world.files.write(world.root + "/VERSION.tmp.1.0", "sce"));
    }
    SUBCASE("somebody's files") {
        REQUIRE(world.files.write(world.root + "/thesis.txt", "dear"));
        expected = StoreAccess::none;
    }
    const Store store = world.open();
    CHECK(store.state().access == expected);
    CHECK(store.state().why.empty() == (expected == StoreAccess::write));
    CHECK((*world.files.stat(world.root + "/artifacts")).has_value() == (expected == StoreAccess::write));
}

TEST_CASE("a store that is not ours to use says why") {
    StoreWorld world;
    Digest key = world.publish("k", "bytes");
    SUBCASE("another version") {
        REQUIRE(world.files.write(world.root + "/VERSION", "scene-kernels store 2\n"));
        CHECK(world.open().state().why.find("VERSION") != std::string::npos);
    }
    SUBCASE("a VERSION that lost its bytes") {
        REQUIRE(world.files.write(world.root + "/VERSION", ""));
    }
    SUBCASE("a file in its place") {
        REQUIRE(world.files.remove_all(world.root));
        REQUIRE(world.files.write(world.root, "file"));
    }
    const Store store = world.open();
    CHECK(store.state().access == StoreAccess::none);
    CHECK(store.state().why.find(world.root) != std::string::npos);
    CHECK_FALSE(store.find(key, false));
    CHECK_FALSE(world.open().stage());
}

TEST_CASE("another user's store is refused unless it is allowed") {
    StoreWorld world;
    const Digest key = world.publish("k", "bytes");
    ForeignFileSystem foreign;
    const Store refused = Store::open(foreign, world.clock, world.root, false);
    CHECK(refused.state().access == StoreAccess::none);
    CHECK(refused.state().why.find("belongs to user") != std::string::npos);
    CHECK_FALSE(refused.find(key, false));
    CHECK(Store::open(foreign, world.clock, world.root, true).find(key, false));
}

TEST_CASE("a store that cannot be written is read") {
    StoreWorld world;
    const Digest key = world.publish("k", "bytes");
    ReadOnlyFileSystem files;
    Store store = Store::open(files, world.clock, world.root, false);
    CHECK(store.state().access == StoreAccess::read);
    CHECK_FALSE(store.state().why.empty());
    CHECK(store.find(key, true));
    CHECK_FALSE(store.stage());
    CHECK_FALSE(store.remove_entry(key, [] { return true; }));
    CHECK_FALSE(store.lock(key, std::chrono::milliseconds(0), [] {}));
    CHECK(store.remove_abandoned() == 0);
    CHECK(world.open().find(key, true));
}

TEST_CASE("a store of which a part cannot be written, or takes no locks, is read") {
    StoreWorld world;
    const Digest key = world.publish("k", "bytes");
    ReadOnlyFileSystem files;
    files.only = "/locks";
    SUBCASE("one folder") {}
    SUBCASE("the folder itself") {
        files.only = "/kernels";
    }
    SUBCASE("no locks") {
        files.only = "/nothing";
        REQUIRE(world.files.remove_all(world.root + "/tmp"));
        REQUIRE(world.files.write(world.root + "/tmp", "no directory"));
        REQUIRE(world.files.set_mode(world.root + "/tmp", 0777));
    }
    const Store store = Store::open(files, world.clock, world.root, false);
    CHECK(store.state().access == StoreAccess::read);
    CHECK_FALSE(store.state().why.empty());
    CHECK(store.find(key, true));
}

TEST_CASE("eight processes that open an absent store at once all get it") {
    for (int round = 0; round < 10; ++round) {
        StoreWorld world;
        std::vector<pid_t> children;
        for (int i = 0; i < 8; ++i) {
            children.push_back(start([&] { return world.open().state().access == StoreAccess::write; }));
        }
        for (const pid_t child : children) {
            CHECK(status_of(child) == 0);
        }
    }
}
