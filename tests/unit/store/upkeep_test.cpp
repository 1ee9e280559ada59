#include "store/upkeep.h"

#include <string>

#include <doctest/doctest.h>

#include "store/entry.h"
#include "store/store_fixture.h"

namespace scene_kernels {

namespace {

constexpr std::int64_t k_hour_ns = 3'600'000'000'000;

struct UpkeepWorld : StoreWorld {
    Store store = open();

    // Entries of which every second one is too old.
    void fill_store(int count) {
        for (int i = 0; i < count; ++i) {
            const Digest key = publish("entry " + std::to_string(i), "bytes");
            const std::int64_t age = (i % 2 == 0 ? 1 : 30) * k_day_ns;
            REQUIRE(files.set_mtime(store.artifact_directory(key), clock.now - age));
        }
    }
    UpkeepReport step(std::uint64_t budget = k_upkeep_entries, std::uint64_t added = 0,
                      const PruneLimits &limits = {}) {
        return keep_up(files, clock, store, limits, added, budget);
    }
    std::size_t count() { return store.entries().value().size(); }
    std::uint64_t bytes() {
        std::uint64_t sum = 0;
        for (const StoreEntry &entry : store.entries().value()) {
            sum += entry.disk_bytes;
        }
        return sum;
    }
};

}  // namespace

TEST_CASE_FIXTURE(UpkeepWorld, "a small store is looked at in one step, once a day") {
    fill_store(10);
    UpkeepReport report = step();
    CHECK(report.round_ended);
    CHECK(report.removed_entries == 5);
    CHECK(report.store_bytes == bytes());
    CHECK(count() == 5);
    CHECK_FALSE(step().round_ended);
    clock.now += k_day_ns - 1;
    CHECK_FALSE(step().round_ended);
    clock.now += 1;
    CHECK(step().round_ended);
    clock.now -= 10 * k_day_ns;  // the clock was wrong, and the round began in the future
    CHECK(step().round_ended);
    CHECK_FALSE(step().round_ended);
}

TEST_CASE_FIXTURE(UpkeepWorld, "what was added since is counted") {
    fill_store(2);
    const std::uint64_t before = step().store_bytes;
    CHECK(step(k_upkeep_entries, 1000).store_bytes == before + 1000);
    CHECK(step().store_bytes == before + 1000);
    (void)publish("another", "bytes");
    clock.now += k_day_ns;
    CHECK(step().store_bytes == bytes());
}

TEST_CASE_FIXTURE(UpkeepWorld, "a large store is looked at in bounded steps, and each entry once in a round") {
    fill_store(60);
    std::uint64_t removed = 0;
    int steps = 0;
    bool ended = false;
    while (!ended) {
        REQUIRE(++steps < 1000);
        const UpkeepReport report = step(5);
        CHECK(report.removed_entries <= 5);
        removed += report.removed_entries;
        ended = report.round_ended;
    }
    CHECK(steps > 3);
    CHECK(removed == 30);
    CHECK(count() == 30);
    CHECK(step(5).store_bytes == bytes());
    CHECK_FALSE(step(5).round_ended);
}

TEST_CASE_FIXTURE(UpkeepWorld, "a size limit holds in steps, too") {
    for (int i = 0; i < 2000; ++i) {
        // Published by hand: flushing so many to the disk takes long.
        const Digest key = Sha256::of("entry " + std::to_string(i));
        const std::string directory = store.artifact_directory(key);
        REQUIRE(files.create_directories(directory));
        REQUIRE(files.write(directory + "/out.bin", "bytes"));
        REQUIRE(files.set_mtime(directory, clock.now - (i + 2) * k_hour_ns));
    }
    PruneLimits limits;
    limits.max_age_ns = 1000 * k_day_ns;
    limits.max_bytes = bytes() / 2;
    for (int i = 0; i < 2000 && !step(100, 0, limits).round_ended; ++i) {
    }
    CHECK(bytes() <= *limits.max_bytes);
    CHECK(bytes() > *limits.max_bytes / 2);
}

TEST_CASE_FIXTURE(UpkeepWorld, "damaged notes are as good as none") {
    fill_store(4);
    for (const char *text : {"", "nonsense", "scene-kernels upkeep 1: begun -1 next 0 kept 0 total 0 log 0",
                             "scene-kernels upkeep 1: begun 1 next 9999 kept 0 total 0 log 0"}) {
        REQUIRE(files.write(root + "/upkeep", text));
        CHECK(step().round_ended);
    }
    REQUIRE(files.write(root + "/upkeep", std::string(100'000, 'x')));
    CHECK(step().round_ended);
    CHECK(step().store_bytes == bytes());
}

TEST_CASE_FIXTURE(UpkeepWorld, "a whole pruning counts as a round") {
    fill_store(4);
    const auto report = prune(files, clock, store, {}, false);
    REQUIRE(report);
    note_pruned(files, clock, store, *report);
    CHECK_FALSE(step().round_ended);
    CHECK(step().store_bytes == bytes());
}

}  // namespace scene_kernels
