#include "store/prune.h"

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "forwarding_filesystem.h"
#include "store/closure_log.h"
#include "store/entry.h"
#include "store/store_fixture.h"
#include "store/upkeep.h"

using namespace scene_kernels;

namespace {

constexpr std::int64_t k_hour_ns = 3'600'000'000'000;
constexpr std::int64_t k_now_ns = 1'700'000'000'000'000'000;

StoreEntry entry(const std::string &name, std::int64_t age_ns, std::uint64_t bytes) {
    return {Sha256::of(name), name, k_now_ns - age_ns, bytes};
}

// The names of what would be chosen, each followed by why.
std::string chosen(const std::vector<StoreEntry> &entries, const PruneLimits &limits) {
    std::string text;
    for (const PrunedEntry &pruned : choose_entries(entries, limits, k_now_ns)) {
        text += pruned.entry.directory + (pruned.reason == PruneReason::age ? ":age " : ":size ");
    }
    return text;
}

// A store with entries of several ages.
struct PruneWorld : StoreWorld {
    Digest publish_aged(const std::string &name, std::int64_t age_ns, const std::string &bytes = "bytes") {
        const Digest key = publish(name, bytes);
        set_age(key, age_ns);
        return key;
    }
    void set_age(const Digest &key, std::int64_t age_ns) {
        REQUIRE(files.set_mtime(open().artifact_directory(key), clock.now - age_ns));
    }
    bool has(const Digest &key) { return open().find(key, true).has_value(); }
    PruneReport prune(const PruneLimits &limits, bool dry_run = false) {
        Store store = open();
        const auto report = scene_kernels::prune(files, clock, store, limits, dry_run);
        REQUIRE_MESSAGE(report, (report ? "" : report.error().message));
        return *report;
    }
    std::uint64_t entry_bytes() {
        std::uint64_t bytes = 0;
        for (const StoreEntry &entry : open().entries().value()) {
            bytes += entry.disk_bytes;
        }
        return bytes;
    }
    bool exists(const std::string &name) { return files.lstat(root + "/" + name).value().has_value(); }
};

}  // namespace

TEST_CASE("which entries go, and why") {
    const std::vector<StoreEntry> entries = {entry("new", 2 * k_hour_ns, 10), entry("old", 20 * k_day_ns, 10),
                                             entry("week", 7 * k_day_ns, 10), entry("busy", k_hour_ns, 100)};
    PruneLimits limits;
    CHECK(chosen(entries, limits) == "old:age ");
    limits.max_age_ns = 20 * k_day_ns;
    CHECK(chosen(entries, limits) == "");
    limits.max_bytes = 130;
    CHECK(chosen(entries, limits) == "");
    limits.max_bytes = 129;
    CHECK(chosen(entries, limits) == "old:size ");
    limits.max_bytes = 119;
    CHECK(chosen(entries, limits) == "old:size week:size ");
    limits.max_age_ns = 14 * k_day_ns;
    CHECK(chosen(entries, limits) == "old:age week:size ");
}

TEST_CASE("what was used within the hour stays, whatever the limits say") {
    const std::vector<StoreEntry> entries = {entry("an hour", k_hour_ns, 10), entry("more", k_hour_ns + 1, 10),
                                             entry("future", -k_day_ns, 10)};
    PruneLimits limits;
    limits.max_age_ns = 0;
    limits.max_bytes = 0;
    CHECK(chosen(entries, limits) == "more:age ");
}

TEST_CASE("a time before 1970 is very old") {
    CHECK(chosen({entry("x", 8'000'000'000'000'000'000, 1)}, {}) == "x:age ");
}

TEST_CASE("a dry run says exactly what a real run then does, and changes nothing") {
    PruneWorld world;
    const Digest old = world.publish_aged("old", 30 * k_day_ns);
    const Digest large = world.publish_aged("large", 3 * k_day_ns, std::string(100'000, 'x'));
    const Digest fresh = world.publish_aged("fresh", 2 * k_hour_ns);
    REQUIRE(world.files.create_directories(world.root + "/tmp/dead/deep"));
    REQUIRE(world.files.write(world.root + "/locks/" + old.hex(), ""));
    REQUIRE(world.files.write(world.root + "/VERSION.tmp.12.0", ""));
    REQUIRE(world.files.write(world.root + "/toolchains/" + old.hex() + ".json", "{}"));
    REQUIRE(world.files.set_mtime(world.root + "/VERSION.tmp.12.0", world.clock.now - 2 * k_day_ns));
    REQUIRE(world.files.set_mtime(world.root + "/toolchains/" + old.hex() + ".json", world.clock.now - 15 * k_day_ns));
    PruneLimits limits;
    limits.max_bytes = 50'000 + world.prune(limits, true).other_bytes;
    REQUIRE(world.files.set_mtime(world.root + "/locks/" + old.hex(), world.clock.now - 2 * k_hour_ns));
    const PruneReport dry = world.prune(limits, true);
    CHECK(world.has(old));
    CHECK(world.has(large));
    CHECK(world.exists("tmp/dead/deep"));
    CHECK(world.exists("locks/" + old.hex()));
    CHECK(world.exists("VERSION.tmp.12.0"));
    CHECK_FALSE(world.exists("upkeep"));
    const PruneReport real = world.prune(limits);
    CHECK_FALSE(world.has(old));
    CHECK_FALSE(world.has(large));
    CHECK(world.has(fresh));
    CHECK_FALSE(world.exists("tmp/dead"));
    CHECK_FALSE(world.exists("locks/" + old.hex()));
    CHECK_FALSE(world.exists("VERSION.tmp.12.0"));
    CHECK_FALSE(world.exists("toolchains/" + old.hex() + ".json"));
    CHECK(world.exists("VERSION"));
    for (const PruneReport *report : {&dry, &real}) {
        REQUIRE(report->removed.size() == 2);
        CHECK(report->removed[0].entry.key == old);
        CHECK(report->removed[0].reason == PruneReason::age);
        CHECK(report->removed[1].entry.key == large);
        CHECK(report->removed[1].reason == PruneReason::size);
        CHECK(report->removed_bytes == report->removed[0].entry.disk_bytes + report->removed[1].entry.disk_bytes);
        CHECK(report->kept_entries == 1);
        CHECK(report->kept_bytes == world.entry_bytes());
        CHECK(report->abandoned == 1);
        CHECK(report->lock_files == 1);
        CHECK(report->leftovers == 2);
        CHECK(report->problems.empty());
    }
    CHECK(world.files.list(world.root + "/tmp").value()->empty());
    CHECK(world.prune(limits).removed.empty());
}

TEST_CASE("young temporary files, young answers and files of other names stay") {
    PruneWorld world;
    (void)world.open();
    const std::string answer = "toolchains/" + Sha256::of("x").hex() + ".json";
    for (const std::string &name : {std::string("VERSION.tmp.12.0"), std::string("notes.txt"), answer,
                                    std::string("closures/log.tmp.x"), std::string("locks/prune")}) {
        REQUIRE(world.files.write(world.root + "/" + name, ""));
        REQUIRE(world.files.set_mtime(world.root + "/" + name, world.clock.now - k_day_ns));
    }
    REQUIRE(world.files.set_mtime(world.root + "/notes.txt", 0));
    REQUIRE(world.files.set_mtime(world.root + "/closures/log.tmp.x", 0));
    const PruneReport report = world.prune({});
    CHECK(report.leftovers == 0);
    CHECK(report.lock_files == 0);
    CHECK(world.exists("notes.txt"));
    CHECK(world.exists(answer));
    CHECK(world.exists("closures/log.tmp.x"));
}

TEST_CASE("what somebody holds is left alone") {
    PruneWorld world;
    Store store = world.open();
    const Digest recipe = Sha256::of("recipe");
    const auto lock = store.lock(recipe, std::chrono::milliseconds(0), [] {}).value();
    REQUIRE(lock);
    const Staging staging = store.stage().value();
    const PruneReport report = world.prune({});
    CHECK(report.lock_files == 0);
    CHECK(report.abandoned == 0);
    CHECK(world.exists("locks/" + recipe.hex()));
    CHECK(world.files.stat(staging.directory()).value().has_value());
}

TEST_CASE("an entry that is used while the store is pruned stays") {
    PruneWorld world;
    const Digest key = world.publish_aged("old", 30 * k_day_ns);
    // Another process marks the entry used after it was listed: before the first lock of removal is taken.
    class UsedMeanwhile final : public ForwardingFileSystem {
    public:
        UsedMeanwhile(std::string path, std::function<void()> use)
            : ForwardingFileSystem(real_filesystem()), m_path(std::move(path)), m_use(std::move(use)) {}
        Expected<std::optional<std::vector<DirectoryEntry>>> list(const std::string &path) override {
            auto entries = ForwardingFileSystem::list(path);
            if (path == m_path) {
                m_use();
            }
            return entries;
        }

    private:
        std::string m_path;
        std::function<void()> m_use;
    };
    UsedMeanwhile files(world.open().artifact_directory(key), [&] { world.open().mark_used(key); });
    Store store = Store::open(files, world.clock, world.root, false);
    const PruneReport report = prune(files, world.clock, store, {}, false).value();
    CHECK(report.removed.empty());
    CHECK(report.kept_entries == 1);
    CHECK(world.has(key));
}

TEST_CASE("links are never followed") {
    PruneWorld world;
    const Digest key = world.publish_aged("old", 30 * k_day_ns);
    const std::string outside = world.disk / "outside";
    REQUIRE(world.files.create_directories(outside + "/" + key.hex()));
    REQUIRE(world.files.write(outside + "/" + key.hex() + "/precious", "x"));
    REQUIRE(world.files.write(outside + "/precious", "x"));
    const std::string entry_path = world.open().artifact_directory(key);
    std::size_t expected = 0;
    SUBCASE("inside an entry") {
        REQUIRE(world.files.write_link(entry_path + "/link", outside));
        world.set_age(key, 30 * k_day_ns);
        expected = 1;
    }
    SUBCASE("in the place of an entry") {
        REQUIRE(world.files.remove_all(entry_path));
        REQUIRE(world.files.write_link(entry_path, outside + "/" + key.hex()));
    }
    SUBCASE("in the place of a shard") {
        const std::string shard = entry_path.substr(0, entry_path.rfind('/'));
        REQUIRE(world.files.remove_all(shard));
        REQUIRE(world.files.write_link(shard, outside));
    }
    SUBCASE("in the place of all artifacts") {
        REQUIRE(world.files.remove_all(world.root + "/artifacts"));
        REQUIRE(world.files.create_directories(outside + "/" + key.hex().substr(0, 2) + "/" + key.hex()));
        REQUIRE(world.files.write_link(world.root + "/artifacts", outside));
    }
    SUBCASE("in tmp") {
        REQUIRE(world.files.write_link(world.root + "/tmp/link", outside));
        expected = 1;
    }
    PruneLimits limits;
    limits.max_bytes = 0;
    world.clock.now += 30 * k_day_ns;
    CHECK(world.prune(limits).removed.size() == expected);
    CHECK(*world.files.stat(outside + "/precious"));
    CHECK(*world.files.stat(outside + "/" + key.hex() + "/precious"));
}

TEST_CASE("directories that are not named like entries stay") {
    PruneWorld world;
    (void)world.open();
    const std::string hex = Sha256::of("x").hex();
    const std::string wrong_shard = hex.starts_with("00") ? "01" : "00";
    for (const std::string &name :
         {std::string("artifacts/xy/readme"), std::string("artifacts/keep"), "artifacts/" + wrong_shard + "/" + hex}) {
        REQUIRE(world.files.create_directories(world.root + "/" + name));
        REQUIRE(world.files.set_mtime(world.root + "/" + name, 0));
        CHECK(world.prune({}).removed.empty());
        CHECK(world.exists(name));
    }
}

TEST_CASE("a directory that is no store of ours is refused") {
    PruneWorld world;
    REQUIRE(world.files.create_directories(world.root + "/tmp/mine"));
    REQUIRE(world.files.write(world.root + "/thesis.txt", "dear"));
    Store store = world.open();
    const auto report = prune(world.files, world.clock, store, {}, false);
    REQUIRE_FALSE(report);
    CHECK(report.error().message.find(world.root) != std::string::npos);
    CHECK(keep_up(world.files, world.clock, store, {}, 0).store_bytes == 0);
    CHECK(world.exists("tmp/mine"));
    CHECK_FALSE(world.exists("upkeep"));
}

TEST_CASE("an entry from the future starts to age") {
    PruneWorld world;
    const Digest key = world.publish_aged("x", -400 * k_day_ns);
    CHECK(world.prune({}).kept_entries == 1);
    CHECK(world.open().entries().value().at(0).used_ns == world.clock.now);
    CHECK(world.has(key));
}

TEST_CASE("the closure log forgets what was removed") {
    PruneWorld world;
    const Digest old = world.publish_aged("old", 30 * k_day_ns);
    const Digest fresh = world.publish_aged("fresh", 0);
    NameTable names;
    SearchTable searches;
    ClosureLog log(world.files, world.open().closure_log_path(), names, searches);
    REQUIRE(log.add_artifact(old, {}));
    REQUIRE(log.add_artifact(fresh, {}));
    REQUIRE(log.add(old, {}));
    (void)world.prune({}, true);
    REQUIRE(log.load());
    CHECK(log.artifact(old) != nullptr);
    (void)world.prune({});
    REQUIRE(log.load());
    CHECK(log.artifact(old) == nullptr);
    CHECK(log.artifact(fresh) != nullptr);
    CHECK(log.closures_of(old).size() == 1);
}

TEST_CASE("one process prunes at a time") {
    PruneWorld world;
    Store store = world.open();
    const auto lock = FileLock::try_acquire(store.lock_directory() + "/prune", LockMode::exclusive).value();
    REQUIRE(lock);
    CHECK_FALSE(prune(world.files, world.clock, store, {}, false));
    CHECK_FALSE(keep_up(world.files, world.clock, store, {}, 0).round_ended);
    CHECK_FALSE(world.exists("upkeep"));
}

TEST_CASE("a limit counts what du counts") {
    PruneWorld world;
    for (int i = 0; i < 40; ++i) {
        (void)world.publish_aged("entry " + std::to_string(i), (i + 2) * k_hour_ns, std::string(20'000, 'x'));
    }
    const auto total = [&world] { return disk_bytes_below(world.files, world.root); };
    const PruneReport before = world.prune({}, true);
    CHECK(before.kept_bytes + before.other_bytes == total());
    PruneLimits limits;
    limits.max_bytes = total() / 2;
    const PruneReport report = world.prune(limits);
    CHECK(total() <= *limits.max_bytes);
    CHECK(total() + 40'000 > *limits.max_bytes);
    // The least recently used went: those that were published last.
    CHECK(world.has(Sha256::of("entry 0")));
    CHECK_FALSE(world.has(Sha256::of("entry 39")));
    CHECK(report.problems.empty());
}

TEST_CASE("a lock file that tells how long a build takes stays for a while") {
    PruneWorld world;
    const std::string lock = "locks/" + Sha256::of("recipe").hex();
    (void)world.open();
    REQUIRE(world.files.write(world.root + "/" + lock, "pid 1 seconds 2\n"));
    REQUIRE(world.files.set_mtime(world.root + "/" + lock, world.clock.now));
    CHECK(world.prune({}).lock_files == 0);
    CHECK(world.exists(lock));
}
