// The commands that look at stores and builds: log, verify, prune, stats, explain, doctor.
#include <algorithm>

#include <doctest/doctest.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

using nlohmann::json;

namespace {

bool has(const Result &result, const std::string &text) {
    return result.text().find(text) != std::string::npos;
}

// Commands on what is built take no scenes.
Result look(const Checkout &checkout, const std::string &subcommand, std::vector<std::string> extra = {}) {
    return run(checkout.command(subcommand, std::move(extra), {}));
}

// Commands on a store know nothing of SDKs and build directories.
Result at_store(const Checkout &checkout, const std::string &subcommand, std::vector<std::string> extra = {}) {
    Command command = checkout.command(subcommand, {}, {});
    const bool named = std::find(extra.begin(), extra.end(), "--store") != extra.end();
    command.argv = {program().string(), subcommand};
    command.argv.insert(command.argv.end(), extra.begin(), extra.end());
    if (!named) {
        command.argv.insert(command.argv.end(), {"--store", checkout.store().string()});
    }
    return run(command);
}

std::filesystem::path first_entry(const Checkout &checkout, const std::string &file) {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(checkout.store() / "artifacts")) {
        if (entry.path().filename() == file) {
            return entry.path();
        }
    }
    FAIL("no entry has a " << file);
    return {};
}

void overwrite(const std::filesystem::path &path, const std::string &bytes) {
    std::filesystem::permissions(path, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
    write_file(path, bytes);
}

}  // namespace

TEST_CASE("log shows the warnings of hits") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "// a comment\n", "#warning look here\n");
    const Outcome built = checkout.warm();
    REQUIRE(built.result.status == 0);
    CHECK(built.result.count("look here") >= 1);
    const Outcome hit = checkout.warm();
    CHECK(hit.built() == 0);
    CHECK(hit.result.count("look here") == 0);
    for (const char *name : {"s0/s0", "s0"}) {
        const Result log = look(checkout, "log", {name});
        CHECK(log.status == 0);
        CHECK(has(log, "== image/scenes/s0/kernels/s0_k0.cpp"));
        CHECK(has(log, "s0_k0.cpp:4:2: warning: #warning look here"));
    }
    // Another checkout that only restores the store has them, too.
    const TemporaryFolder elsewhere;
    const Checkout other(elsewhere.path() / "other", elsewhere.path() / "home");
    copy_tree(checkout.root(), other.root());
    std::filesystem::remove_all(other.root() / "build/sim");
    CHECK(other.warm().trace.compiler_processes() == 0);
    CHECK(has(look(other, "log", {"s0"}), "warning: #warning look here"));
    CHECK(has(look(checkout, "log", {"s1"}), "did you mean"));
    CHECK(look(checkout, "log", {"s1"}).status == 2);
}

TEST_CASE("verify finds every kind of damage, and a warm heals it") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    const auto before = checkout.artifacts();
    CHECK(look(checkout, "verify").status == 0);
    CHECK(look(checkout, "verify").count("damaged") == 0);
    const auto damage = [&](const char *what, const auto &apply) {
        CAPTURE(what);
        apply();
        const Result found = look(checkout, "verify");
        CHECK(found.status == 1);
        CHECK(found.count("damaged: ") == 1);
        const Outcome healed = checkout.warm();
        CHECK(healed.result.status == 0);
        CHECK(healed.built() >= 1);
        CHECK(checkout.artifacts() == before);
        CHECK(look(checkout, "verify").status == 0);
    };
    damage("truncated", [&] { std::filesystem::resize_file(first_entry(checkout, "image.bin"), 100); });
    damage("flipped", [&] {
        const std::filesystem::path path = first_entry(checkout, "library.so");
        std::string bytes = read_file(path);
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        overwrite(path, bytes);
    });
    damage("empty", [&] { overwrite(first_entry(checkout, "object.o"), ""); });
    damage("missing", [&] { std::filesystem::remove(first_entry(checkout, "callable.bin")); });
    damage("no manifest",
           [&] { std::filesystem::remove(first_entry(checkout, "image.bin").parent_path() / "artifact.json"); });
    damage("another schema", [&] {
        const std::filesystem::path path = first_entry(checkout, "callable.bin").parent_path() / "artifact.json";
        std::string text = read_file(path);
        text.replace(text.find("\"schema\": "), 11, "\"schema\": 9");
        overwrite(path, text);
    });
    damage("the manifest of another key", [&] {
        const std::filesystem::path one = first_entry(checkout, "image.bin").parent_path() / "artifact.json";
        const std::filesystem::path other = first_entry(checkout, "library.so").parent_path() / "artifact.json";
        overwrite(one, read_file(other));
    });
    damage("a link in place of a file", [&] {
        const std::filesystem::path path = first_entry(checkout, "image.bin");
        std::filesystem::rename(path, path.parent_path() / "elsewhere");
        std::filesystem::create_symlink("elsewhere", path);
    });
}

TEST_CASE("an extra file in an entry harms nobody") {
    WarmSuite suite({1, 1});
    write_file(first_entry(suite.checkout, "image.bin").parent_path() / "extra", "x");
    CHECK(suite.checkout.warm().built() == 0);
    CHECK(look(suite.checkout, "verify").status == 0);
}

TEST_CASE("verify --rebuild builds again and compares") {
    WarmSuite suite({2, 1});
    const Checkout &checkout = suite.checkout;
    const Result all = look(checkout, "verify", {"--rebuild", "100"});
    INFO(all.text());
    CHECK(all.status == 0);
    const std::string total = std::to_string(action_count({2, 1}));
    CHECK(has(all, total + " of " + total + " actions built again"));
    CHECK(has(all, ": " + total + " same, 0 different, 0 outdated, 0 failed"));
    CHECK(has(look(checkout, "verify", {"--rebuild", "3", "--seed", "7"}), "3 of " + total));
    // A whole entry of other bytes: as if a compiler had been wrong once.
    const std::filesystem::path image = first_entry(checkout, "image.bin");
    const std::filesystem::path manifest = image.parent_path() / "artifact.json";
    const std::string old_bytes = read_file(image);
    overwrite(image, old_bytes + "x");
    json text = json::parse(read_file(manifest));
    text["outputs"][0]["size"] = old_bytes.size() + 1;
    const Result digest = run({{"/usr/bin/sha256sum", image.string()}, {}, clean_environment(suite.folder.path())});
    text["outputs"][0]["sha256"] = digest.out.substr(0, 64);
    overwrite(manifest, text.dump());
    const Result wrong = look(checkout, "verify", {"--rebuild", "100"});
    INFO(wrong.text());
    CHECK(wrong.status == 1);
    CHECK(has(wrong, "different: image/"));
    CHECK(has(wrong, " 1 different, "));
}

TEST_CASE("verify --rebuild of what has changed since says so") {
    WarmSuite suite({1, 1});
    edit_file(suite.checkout.root() / "sdk/include/first.h", "5", "6");
    const Result outdated = look(suite.checkout, "verify", {"--rebuild", "100"});
    CHECK(has(outdated, "outdated: image/scenes/s0/kernels/s0_k0.cpp"));
    CHECK(outdated.status == 0);
}

TEST_CASE("prune: a dry run says what a real one does") {
    WarmSuite suite({1, 2});
    const Checkout &checkout = suite.checkout;
    const int entries = action_count({1, 2});
    for (const auto &entry : std::filesystem::recursive_directory_iterator(checkout.store() / "artifacts")) {
        if (std::filesystem::exists(entry.path() / "image.bin")) {
            set_mtime(entry.path(), -20 * 86400);
        }
    }
    const Result dry = at_store(checkout, "prune", {"--dry-run"});
    CHECK(dry.status == 0);
    CHECK(dry.count("would remove ") == 3 + 2);
    CHECK(has(dry, "would remove 3 entries"));
    CHECK(has(dry, std::to_string(entries - 3) + " stay"));
    CHECK(checkout.warm().built() == 0);
    for (const auto &entry : std::filesystem::recursive_directory_iterator(checkout.store() / "artifacts")) {
        if (std::filesystem::exists(entry.path() / "image.bin")) {
            set_mtime(entry.path(), -20 * 86400);
        }
    }
    const Result real = at_store(checkout, "prune", {"--max-age", "19d"});
    CHECK(real.status == 0);
    CHECK(has(real, "removed 3 entries"));
    const Outcome again = checkout.warm();
    CHECK(again.result.status == 0);
    CHECK(again.built() == 3);
    CHECK(look(checkout, "verify").status == 0);
}

TEST_CASE("prune refuses what is no store, and what it does not understand") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    const TemporaryFolder folder;
    write_file(folder.path() / "mine/thesis.txt", "dear");
    const Result refused = at_store(checkout, "prune", {"--store", (folder.path() / "mine").string()});
    CHECK(refused.status == 2);
    CHECK(has(refused, "is no store of scene-kernels"));
    CHECK(tree_files(folder.path() / "mine").size() == 1);
    CHECK(at_store(checkout, "prune", {"--max-age", "soon"}).status == 2);
    CHECK(at_store(checkout, "prune", {"--max-size", "-1"}).status == 2);
    CHECK(at_store(checkout, "prune", {"--max-size", "3X"}).status == 2);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "nowhere"));
    CHECK(at_store(checkout, "prune", {"--store", (folder.path() / "nowhere").string()}).status == 2);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "nowhere"));
}

TEST_CASE("a warm prunes on its own, by the limits of the environment") {
    WarmSuite suite({1, 1});
    Checkout &checkout = suite.checkout;
    const std::filesystem::path old = first_entry(checkout, "image.bin").parent_path();
    edit_file(checkout.root() / "sdk/include/sub/deep.h", "7", "8");
    REQUIRE(checkout.warm().result.status == 0);
    set_mtime(old, -3 * 86400);
    CHECK(checkout.warm().result.status == 0);
    CHECK(std::filesystem::exists(old));  // a round has been today
    std::filesystem::remove(checkout.store() / "upkeep");
    CHECK(checkout.warm().result.status == 0);
    CHECK(std::filesystem::exists(old));  // younger than 14 days
    std::filesystem::remove(checkout.store() / "upkeep");
    checkout.environment["SCENE_KERNELS_MAX_AGE"] = "2d";
    const Outcome pruning = checkout.warm();
    CHECK(pruning.result.status == 0);
    CHECK(pruning.built() == 0);
    CHECK_FALSE(std::filesystem::exists(old));
    checkout.environment["SCENE_KERNELS_MAX_AGE"] = "two days";
    const Outcome refused = checkout.warm();
    CHECK(refused.result.status == 2);
    CHECK(has(refused.result, "SCENE_KERNELS_MAX_AGE"));
}

TEST_CASE("stats counts what is there") {
    WarmSuite suite({1, 2});
    const Result text = at_store(suite.checkout, "stats");
    CHECK(text.status == 0);
    CHECK(has(text, "entries:    " + std::to_string(action_count({1, 2})) + " ("));
    const json stats = json::parse(at_store(suite.checkout, "stats", {"--json"}).out);
    CHECK(stats.at("entries") == action_count({1, 2}));
    CHECK(stats.at("damaged") == 0);
    std::uint64_t sum = 0;
    for (const json &kind : stats.at("kinds")) {
        sum += kind.at("bytes").get<std::uint64_t>();
        if (kind.at("kind") == "image") {
            CHECK(kind.at("entries") == 3);
            CHECK(kind.at("platform") == "sim");
        }
    }
    CHECK(sum == stats.at("bytes"));
}

TEST_CASE("explain names what changed") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    const Result hits = look(checkout, "explain", {"s0"});
    CHECK(hits.status == 0);
    CHECK(hits.count(": hit") == action_count({1, 1}));
    edit_file(checkout.root() / "sdk/include/first.h", "5", "6");
    const Result changed = look(checkout, "explain", {"s0"});
    CHECK(has(changed, "image/scenes/s0/kernels/s0_k0.cpp.aiv: to build: sdk/include/first.h has changed"));
    CHECK(has(changed, "callable/s0/s0: to build: waits for image/scenes/s0/kernels/s0_k0.cpp.aiv"));
    std::filesystem::remove(checkout.root() / "sdk/include/first.h");
    CHECK(has(look(checkout, "explain", {"s0"}), "sdk/include/first.h is gone"));
    const Result fields = look(checkout, "explain", {"--fields", "s0"});
    CHECK(has(fields, "bracketed") != has(fields, "no such tag"));
    CHECK(has(fields, "argument     -DTINY_AIV"));
    CHECK(fields.count("sdk/include/all.h") >= 2);
}

TEST_CASE("doctor says what is missing") {
    WarmSuite suite({1, 1});
    Checkout &checkout = suite.checkout;
    const Result healthy = look(checkout, "doctor");
    INFO(healthy.text());
    CHECK(healthy.status == 0);
    CHECK(healthy.count("FAIL") == 0);
    CHECK(has(healthy, "ok    toolchain    host: /usr/bin/g++"));
    checkout.environment["PATH"] = "/nonexistent";
    const Result sick = look(checkout, "doctor");
    CHECK(sick.status == 1);
    CHECK(has(sick, "FAIL  ninja"));
}

}  // namespace scene_kernels::e2e
