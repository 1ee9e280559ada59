#include "action/file_memory.h"

#include <functional>
#include <string>

#include <doctest/doctest.h>

#include "forwarding_filesystem.h"
#include "memory_filesystem.h"
#include "temporary_directory.h"

using namespace scene_kernels;

namespace {

// Sources live in memory, where the clock can be moved; memory files live on the disk, because their locks do.
class SplitFileSystem final : public ForwardingFileSystem {
public:
    SplitFileSystem(MemoryFileSystem &sources, std::string disk)
        : ForwardingFileSystem(sources), m_disk(std::move(disk)) {}

    std::function<void()> before_read;  // called before the content of a source is read
    int disk_reads = 0;
    int disk_appends = 0;
    int disk_writes = 0;

    Expected<std::string> read(const std::string &path) override {
        if (on_disk(path)) {
            ++disk_reads;
        } else if (before_read) {
            before_read();
        }
        return ForwardingFileSystem::read(path);
    }
    Expected<void> append(const std::string &path, std::string_view bytes) override {
        ++disk_appends;
        return ForwardingFileSystem::append(path, bytes);
    }
    Expected<void> write(const std::string &path, std::string_view bytes, bool durable) override {
        ++disk_writes;
        return ForwardingFileSystem::write(path, bytes, durable);
    }

protected:
    FileSystem &target(const std::string &path) override {
        return on_disk(path) ? real_filesystem() : ForwardingFileSystem::target(path);
    }

private:
    [[nodiscard]] bool on_disk(const std::string &path) const { return path.starts_with(m_disk); }
    std::string m_disk;
};

struct World {
    TemporaryDirectory disk;
    FakeClock clock;
    MemoryFileSystem sources{clock};
    SplitFileSystem files{sources, disk.path()};
    std::string memory_path = disk / "memory";

    // Looks at `path` in what could be another process, which loads the memory first and saves it afterwards. Returns
    // how many files were hashed.
    std::uint64_t hashed_by_a_run(const std::string &path, bool with_source = false) {
        FileMemory memory(files, clock);
        memory.load(memory_path);
        REQUIRE((with_source ? memory.source_of(path) : memory.look(path)));
        memory.save(memory_path);
        return memory.counters().hashed_files;
    }
};

const std::string k_file = "/s/a.h";

}  // namespace

TEST_CASE("a file is looked at once: one more stat to see that it held still, then none") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.tick();
    FileMemory memory(world.files, world.clock);
    const FileFacts *facts = memory.look(k_file).value();
    REQUIRE(facts != nullptr);
    CHECK(facts->digest == Sha256::of("abc"));
    CHECK(facts->stat.size == 3);
    CHECK(memory.look(k_file).value() == facts);
    CHECK(memory.stat_of(k_file).value()->size == 3);
    CHECK(memory.counters().stats == 2);
    CHECK(memory.counters().hashed_files == 1);
    CHECK(memory.counters().hashed_bytes == 3);
    CHECK(world.sources.reads == 1);
}

TEST_CASE("what is no regular file has no facts") {
    World world;
    world.sources.add_directory("/s/dir");
    FileMemory memory(world.files, world.clock);
    CHECK(memory.look("/s/dir").value() == nullptr);
    CHECK(memory.look("/s/absent").value() == nullptr);
    CHECK(memory.source_of("/s/absent").value() == nullptr);
    CHECK(memory.stat_of("/s/dir").value()->type == FileType::directory);
    CHECK_FALSE(memory.stat_of("/s/absent").value());
    CHECK(memory.counters().stats == 2);
    CHECK(world.sources.reads == 0);
}

TEST_CASE("a remembered file costs one stat and no read, in any process") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.tick();
    CHECK(world.hashed_by_a_run(k_file) == 1);
    FileMemory memory(world.files, world.clock);
    memory.load(world.memory_path);
    world.sources.stats = 0;
    CHECK(memory.look(k_file).value()->digest == Sha256::of("abc"));
    CHECK(world.sources.stats == 1);
    CHECK(memory.counters().hashed_files == 0);
}

TEST_CASE("every part of a file's identity counts") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.tick();
    REQUIRE(world.hashed_by_a_run(k_file) == 1);
    REQUIRE(world.hashed_by_a_run(k_file) == 0);
    SUBCASE("size") {
        world.sources.add(k_file, "abcd");
    }
    SUBCASE("content alone") {
        world.sources.add(k_file, "abd");
    }
    SUBCASE("inode") {
        REQUIRE(world.sources.remove(k_file));
        world.sources.add(k_file, "abc");
    }
    SUBCASE("mtime set back, so that only the ctime shows the change") {
        const std::int64_t mtime = world.sources.stat(k_file).value()->mtime_ns;
        world.sources.add(k_file, "abd");
        REQUIRE(world.sources.set_mtime(k_file, mtime));
    }
    SUBCASE("mtime") {
        REQUIRE(world.sources.set_mtime(k_file, 7));
    }
    world.clock.tick();
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file) == 0);
}

TEST_CASE("a file that changed within a clock tick of being read is not remembered") {
    World world;
    world.sources.add(k_file, "abc");
    SUBCASE("at the same time") {}
    SUBCASE("almost a tick later") {
        world.clock.now += k_clock_tick_ns - 1;
    }
    CHECK(world.hashed_by_a_run(k_file) == 1);
    world.sources.add(k_file, "abd");
    FileMemory memory(world.files, world.clock);
    memory.load(world.memory_path);
    CHECK(memory.look(k_file).value()->digest == Sha256::of("abd"));
}

TEST_CASE("exactly a tick later is late enough") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.now += k_clock_tick_ns;
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file) == 0);
}

TEST_CASE("times in whole seconds need two seconds more") {
    World world;
    world.clock.now = 1'700'000'000'000'000'000;
    world.sources.add(k_file, "abc");
    world.clock.now += 2'000'000'000;
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file) == 1);
    world.clock.now += k_clock_tick_ns;
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file) == 0);
}

TEST_CASE("an mtime in the future does not make every run hash the file again") {
    World world;
    world.sources.add(k_file, "abc");
    REQUIRE(world.sources.set_mtime(k_file, world.clock.now + 3'600'000'000'000));
    world.clock.tick();
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file) == 0);
}

TEST_CASE("a ctime in the future is never trusted") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.now -= 3'600'000'000'000;
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file) == 1);
}

TEST_CASE("a file that changes while it is read is read again") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.tick();
    int changes = 0;
    world.files.before_read = [&] {
        if (changes < 1) {
            ++changes;
            world.sources.add(k_file, "new text");
            world.clock.tick();
        }
    };
    FileMemory memory(world.files, world.clock);
    const FileFacts *facts = memory.look(k_file).value();
    CHECK(facts->digest == Sha256::of("new text"));
    CHECK(facts->stat.size == 8);
    CHECK(memory.stat_of(k_file).value()->size == 8);
    CHECK(world.sources.reads == 2);
}

TEST_CASE("a file that never holds still is read three times and not remembered") {
    World world;
    world.sources.add(k_file, "abc");
    world.files.before_read = [&] {
        world.clock.tick();
        world.sources.add(k_file, "x");
        world.clock.tick();
    };
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.sources.reads == 3);
    CHECK_FALSE(*real_filesystem().stat(world.memory_path));
    world.files.before_read = {};
    CHECK(world.hashed_by_a_run(k_file) == 1);
}

TEST_CASE("a file that vanishes while it is read is absent") {
    World world;
    world.sources.add(k_file, "abc");
    world.files.before_read = [&] { REQUIRE(world.sources.remove(k_file)); };
    FileMemory memory(world.files, world.clock);
    CHECK(memory.look(k_file).value() == nullptr);
    CHECK_FALSE(memory.stat_of(k_file).value());
}

TEST_CASE("scan results are remembered with the digest") {
    World world;
    world.sources.add(k_file, "#pragma once\n#include \"b.h\"\n");
    world.clock.tick();
    CHECK(world.hashed_by_a_run(k_file, true) == 1);
    FileMemory memory(world.files, world.clock);
    memory.load(world.memory_path);
    const FileFacts *facts = memory.source_of(k_file).value();
    CHECK(facts->scanned);
    CHECK(facts->source.pragma_once);
    REQUIRE(facts->source.directives.size() == 1);
    CHECK(facts->source.directives[0].name == "b.h");
    CHECK(memory.counters().hashed_files == 0);
}

TEST_CASE("a file known by its digest alone is read once for its scan") {
    World world;
    world.sources.add(k_file, "#pragma once\n");
    world.clock.tick();
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file, true) == 1);
    CHECK(world.hashed_by_a_run(k_file, true) == 0);
    CHECK(world.hashed_by_a_run(k_file) == 0);
}

TEST_CASE("a file that changed between its digest and its scan is an error, until it is forgotten") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.tick();
    FileMemory memory(world.files, world.clock);
    REQUIRE(memory.look(k_file).value() != nullptr);
    world.sources.add(k_file, "abd");
    world.clock.tick();
    CHECK_FALSE(memory.source_of(k_file));
    CHECK(memory.look(k_file).value()->digest == Sha256::of("abc"));
    memory.forget(k_file);
    CHECK(memory.source_of(k_file).value()->digest == Sha256::of("abd"));
}

TEST_CASE("forgetting makes the next look go to the file system") {
    World world;
    world.sources.add(k_file, "abc");
    FileMemory memory(world.files, world.clock);
    REQUIRE(memory.look(k_file));
    world.sources.add(k_file, "abd");
    CHECK(memory.look(k_file).value()->digest == Sha256::of("abc"));
    memory.forget_all();
    CHECK(memory.look(k_file).value()->digest == Sha256::of("abd"));
}

TEST_CASE("saving what is known already, or what is not wanted, writes nothing") {
    World world;
    world.sources.add(k_file, "abc");
    world.sources.add("/t/b.h", "b");
    world.clock.tick();
    FileMemory memory(world.files, world.clock);
    REQUIRE(memory.look(k_file));
    REQUIRE(memory.look("/t/b.h"));
    memory.save(world.memory_path, [](const std::string &) { return false; });
    CHECK_FALSE(*real_filesystem().stat(world.memory_path));
    memory.save(world.memory_path, [](const std::string &path) { return path.starts_with("/s/"); });
    CHECK(world.files.disk_writes == 1);
    memory.save(world.memory_path, [](const std::string &path) { return path.starts_with("/s/"); });
    CHECK(world.files.disk_writes == 1);
    CHECK(world.files.disk_appends == 0);
    CHECK(world.hashed_by_a_run(k_file) == 0);
    memory.save(world.memory_path);
    CHECK(world.files.disk_appends == 1);
    CHECK(world.hashed_by_a_run("/t/b.h") == 0);
    const std::string bytes = real_filesystem().read(world.memory_path).value();
    CHECK(bytes.find(k_file) == bytes.rfind(k_file));
}

TEST_CASE("what two processes learn at the same time is kept, and the later one of two files wins") {
    World world;
    world.sources.add(k_file, "abc");
    world.sources.add("/s/b.h", "b");
    world.clock.tick();
    FileMemory first(world.files, world.clock);
    FileMemory second(world.files, world.clock);
    first.load(world.memory_path);
    second.load(world.memory_path);
    REQUIRE(first.look(k_file));
    REQUIRE(second.look("/s/b.h"));
    first.save(world.memory_path);
    second.save(world.memory_path);
    FileMemory third(world.files, world.clock);
    third.load(world.disk / "absent");
    third.load(world.memory_path);
    REQUIRE(third.look(k_file));
    REQUIRE(third.look("/s/b.h"));
    CHECK(third.counters().hashed_files == 0);
}

TEST_CASE("a damaged or foreign memory file is an empty memory, and is replaced") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.tick();
    REQUIRE(world.hashed_by_a_run(k_file) == 1);
    std::string bytes = real_filesystem().read(world.memory_path).value();
    SUBCASE("cut off") {
        bytes.resize(bytes.size() - 1);
    }
    SUBCASE("another version") {
        bytes[7] = '9';
    }
    SUBCASE("a changed digest") {
        bytes[bytes.size() - 20] ^= 1;
    }
    SUBCASE("zeros") {
        bytes.assign(bytes.size(), '\0');
    }
    SUBCASE("empty") {
        bytes.clear();
    }
    REQUIRE(real_filesystem().write(world.memory_path, bytes));
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file) == 0);
}

TEST_CASE("a memory file grows by what changed, and is written anew when most of it is outdated") {
    World world;
    world.sources.add("/s/kept.h", "kept");
    world.sources.add("/s/gone.h", "gone");
    world.sources.add("/s/changed.h", "changed");
    world.clock.tick();
    REQUIRE(world.hashed_by_a_run("/s/kept.h") == 1);
    REQUIRE(world.hashed_by_a_run("/s/gone.h") == 1);
    REQUIRE(world.hashed_by_a_run("/s/changed.h") == 1);
    REQUIRE(world.sources.remove("/s/gone.h"));
    world.sources.add("/s/changed.h", "changed again");
    std::uint64_t largest = 0;
    for (int i = 0; i < 600; ++i) {
        world.sources.add(k_file, std::to_string(i));
        world.clock.tick();
        REQUIRE(world.hashed_by_a_run(k_file) == 1);
        largest = std::max(largest, real_filesystem().stat(world.memory_path).value()->size);
    }
    CHECK(world.files.disk_writes == 3);  // the first time, and twice anew
    CHECK(largest < 300 * 120);
    const std::string bytes = real_filesystem().read(world.memory_path).value();
    CHECK(bytes.find("/s/gone.h") == std::string::npos);
    CHECK(bytes.find("/s/changed.h") == std::string::npos);
    CHECK(world.hashed_by_a_run("/s/kept.h") == 0);
    CHECK(world.hashed_by_a_run(k_file) == 0);
}

TEST_CASE("a memory file that cannot be written is no trouble") {
    World world;
    world.sources.add(k_file, "abc");
    world.clock.tick();
    world.memory_path = world.disk / "no/such/folder/memory";
    CHECK(world.hashed_by_a_run(k_file) == 1);
    CHECK(world.hashed_by_a_run(k_file) == 1);
}
