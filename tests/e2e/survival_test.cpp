// Processes that are killed at any moment, locks whose owners die or hang, and stores that cannot be written.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <random>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

namespace {

namespace fs = std::filesystem;

// Calls by which something that others see comes to be, or goes.
constexpr const char *k_changing_calls =
    "openat,write,pwrite64,rename,renameat,renameat2,mkdir,unlink,rmdir,symlink,ftruncate,fsync,flock,utimensat,chmod";

// The same command under strace, which kills every process in it at its `count`-th changing call.
Command killed_at(Command command, int count) {
    const std::string calls = k_changing_calls;
    std::vector<std::string> argv = {"/usr/bin/strace",
                                     "-f",

                                     "-qq",
                                     "-o",
                                     "/dev/null",
                                     "-e",
                                     "trace=" + calls,
                                     "-e",
                                     "signal=none",
                                     "-e",
                                     "inject=" + calls + ":signal=SIGKILL:when=" + std::to_string(count)};
    argv.insert(argv.end(), command.argv.begin(), command.argv.end());
    command.argv = argv;
    return command;
}

bool has(const Result &result, const std::string &text) {
    return result.text().find(text) != std::string::npos;
}

// Every output in the store by "<action>/<file>", through the refs of the graph.
std::map<std::string, std::string> outputs_of(const Checkout &checkout) {
    std::map<std::string, std::string> outputs;
    for (const std::string &ref : checkout.refs()) {
        const fs::path manifest = fs::canonical(checkout.graph_dir() / "refs" / ref);
        for (const auto &file : fs::directory_iterator(manifest.parent_path())) {
            if (file.path().filename() != "artifact.json") {
                outputs[ref + "/" + file.path().filename().string()] = read_file(file.path());
            }
        }
    }
    return outputs;
}

// The same tree, warmed into a store of its own.
std::map<std::string, std::string> outputs_without_store(const Checkout &checkout, const fs::path &folder) {
    Checkout fresh(checkout.root(), folder / "home");
    fresh.options = {"--store", (folder / "store").string(), "--build-dir", (folder / "build").string()};
    const Outcome outcome = fresh.warm();
    REQUIRE_MESSAGE(outcome.result.status == 0, outcome.result.text());
    return outputs_of(fresh);
}

void check_clean(const Checkout &checkout) {
    CHECK(tree_files(checkout.store() / "tmp").empty());
    const Result verified = run(checkout.command("verify", {}, {}));
    CHECK_MESSAGE(verified.status == 0, verified.text());
}

// To `process` and everything below it: Ninja gives each of its commands a process group of its own.
void signal_tree(pid_t process, int number) {
    ::kill(process, number);
    std::ifstream children("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children");
    for (pid_t child = 0; children >> child;) {
        signal_tree(child, number);
    }
}

// Holds the lock of every recipe that is being built now.
std::vector<int> hold_locks(const fs::path &store) {
    std::vector<int> held;
    for (const auto &file : fs::directory_iterator(store / "locks")) {
        const int descriptor = ::open(file.path().c_str(), O_RDWR | O_CLOEXEC);
        if (file.path().filename().string().size() == 64 && descriptor >= 0 &&
            ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
            held.push_back(descriptor);
        }
    }
    return held;
}

}  // namespace

TEST_CASE("killed a hundred times at random points: the store stays whole, and the result is right") {
    std::mt19937 random(4711);  // NOLINT(cert-msc51-cpp): the same every time
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({2, 1});
    const fs::path header = checkout.root() / "sdk/include/sub/deep.h";
    const std::string text = read_file(header);
    int killed = 0;
    for (int round = 0; round < 100; ++round) {
        // Every now and then everything is outdated, at other times a part of the work was done before.
        if (round % 4 == 0) {
            write_file(header, text + "#define ROUND " + std::to_string(round) + "\n");
        }
        const int range = 1 << (2 + random() % 9);
        const int count = 1 + static_cast<int>(random() % static_cast<unsigned>(range));
        const bool through_ninja =
            round % 2 == 1 && fs::exists(checkout.build_dir() / "scene-kernels/default/build.ninja");
        const Command command =
            through_ninja ? Command{{"/usr/bin/ninja", "-j", "2", "-C",
                                     (checkout.build_dir() / "scene-kernels/default").string(), "warm-kernels"},
                                    checkout.root(),
                                    checkout.command("warm").environment}
                          : checkout.command("warm", {"-j", "2"});
        const Result result = run(killed_at(command, count));
        killed += result.status != 0 ? 1 : 0;
    }
    CHECK(killed > 40);
    const Outcome rest = checkout.warm();
    INFO(rest.result.text());
    CHECK(rest.result.status == 0);
    check_clean(checkout);
    CHECK(checkout.warm().built() == 0);
    const TemporaryFolder other;
    CHECK(outputs_of(checkout) == outputs_without_store(checkout, other.path()));
}

TEST_CASE("sixteen processes on one store, killed at random, while it is pruned all the time") {
    std::mt19937 random(815);  // NOLINT(cert-msc51-cpp)
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({2, 1});
    REQUIRE(checkout.warm().result.status == 0);
    const auto expected = outputs_of(checkout);
    const auto make_old = [&checkout] {
        std::error_code ignored;
        for (const auto &entry : fs::recursive_directory_iterator(checkout.store() / "artifacts", ignored)) {
            const struct timespec times[2] = {{1, 0}, {1, 0}};
            if (entry.path().filename().string().size() == 64) {
                (void)::utimensat(AT_FDCWD, entry.path().c_str(), times, AT_SYMLINK_NOFOLLOW);
            }
        }
    };
    std::vector<std::unique_ptr<Background>> processes;
    std::vector<bool> doomed;
    for (int i = 0; i < 16; ++i) {
        Command command = checkout.command("warm", {"-j", "1"});
        for (std::string &argument : command.argv) {
            argument = argument == "build/sim" ? "build/number" + std::to_string(i) : argument;
        }
        doomed.push_back(i % 2 == 1);
        processes.push_back(std::make_unique<Background>(
            doomed.back() ? killed_at(command, 1 + static_cast<int>(random() % 300)) : command));
    }
    Command prune = checkout.command("prune", {}, {});
    prune.argv = {program().string(), "prune", "--max-age", "1d", "--store", checkout.store().string()};
    for (int i = 0; i < 20; ++i) {
        make_old();
        const Result pruned = run(prune);
        INFO(pruned.text());
        CHECK(pruned.status == 0);
    }
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const Result result = processes[i]->wait();
        // What was pruned between being built and being packed is built by the next run.
        const bool pruned_away = has(result, "is damaged in") || has(result, "is not built");
        CHECK_MESSAGE((doomed[i] || pruned_away || result.status == 0), result.text());
    }
    const Outcome rest = checkout.warm();
    INFO(rest.result.text());
    CHECK(rest.result.status == 0);
    CHECK(outputs_of(checkout) == expected);
    check_clean(checkout);
}

TEST_CASE("a lock whose owner was killed is free at once") {
    SuiteShape shape{1, 1};
    shape.gated = true;
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite(shape);
    {
        Gate gate(checkout.tools(), "s0_k0.cpp.before");
        Background owner(checkout.command("warm"));
        REQUIRE(gate.wait_reached(owner));
        owner.signal_group(SIGKILL);
        (void)owner.wait();
    }
    checkout.environment["SCENE_KERNELS_LOCK_LIMIT"] = "1";
    const Outcome next = checkout.warm();
    CHECK(next.result.status == 0);
    CHECK_FALSE(has(next.result, "is being built by"));
}

TEST_CASE("a lock whose owner hangs: a bounded wait that says for whom, then a build of one's own") {
    SuiteShape shape{1, 1};
    shape.gated = true;
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite(shape);
    Gate gate(checkout.tools(), "s0_k0.cpp.before");
    Background owner(checkout.command("warm"));
    REQUIRE(gate.wait_reached(owner));
    // Stopped, the owner holds its locks and does nothing; the gate is open for the others.
    signal_tree(owner.pid(), SIGSTOP);
    gate.open();
    Checkout other(checkout.root(), folder.path() / "home");
    other.options = {"--build-dir", (folder.path() / "other").string()};
    other.environment["SCENE_KERNELS_LOCK_LIMIT"] = "4";
    const Result result = run(other.command("warm"));
    INFO(result.text());
    CHECK(result.status == 0);
    CHECK(has(result, "is being built by process "));
    CHECK(has(result, "waiting for it, at most 4 s"));
    CHECK(has(result, "building it here, too"));
    signal_tree(owner.pid(), SIGCONT);
    CHECK(owner.wait().status == 0);
    check_clean(checkout);
}

TEST_CASE("locks that somebody else holds are waited for, and then done without") {
    WarmSuite suite({1, 1});
    Checkout &checkout = suite.checkout;
    const std::vector<int> held = hold_locks(checkout.store());
    REQUIRE_FALSE(held.empty());
    fs::remove_all(checkout.store() / "artifacts");
    checkout.environment["SCENE_KERNELS_LOCK_LIMIT"] = "0";
    const Outcome outcome = checkout.warm();
    INFO(outcome.result.text());
    CHECK(outcome.result.status == 0);
    CHECK(outcome.result.count("building it here, too") >= 1);
    for (const int descriptor : held) {
        ::close(descriptor);
    }
    check_clean(checkout);
}

TEST_CASE("a file system without locks: built all the same, and said") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    edit_file(checkout.root() / "sdk/include/sub/deep.h", "7", "8");
    Command command = checkout.command("warm", {"--summary", (suite.folder.path() / "summary").string()});
    const std::vector<std::string> strace = {
        "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:error=ENOLCK"};
    command.argv.insert(command.argv.begin(), strace.begin(), strace.end());
    const Result result = run(command);
    INFO(result.text());
    CHECK(result.status == 0);
    CHECK(has(result, "warning: built without the store"));
    CHECK(has(result, "No locks available"));
}

TEST_CASE("a read-only store: hits write nothing there, misses are built, and the summary says what was not kept") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    if (::geteuid() == 0) {
        MESSAGE("skipped in part: for root no directory is read-only; an immutable mount stands in for it elsewhere");
    }
    for (const auto &entry : fs::recursive_directory_iterator(checkout.store())) {
        if (entry.is_directory()) {
            fs::permissions(entry.path(), fs::perms::owner_read | fs::perms::owner_exec);
        }
    }
    fs::permissions(checkout.store(), fs::perms::owner_read | fs::perms::owner_exec);
    const auto before = tree_contents(checkout.store());
    // For root, the calls that would change the store are refused by strace.
    const auto warm = [&] {
        Command command = checkout.command("warm");
        if (::geteuid() == 0) {
            const std::vector<std::string> setpriv = {
                "/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--inh-caps=-all"};
            command.argv.insert(command.argv.begin(), setpriv.begin(), setpriv.end());
        }
        return run(command);
    };
    const Result hit = warm();
    INFO(hit.text());
    CHECK(hit.status == 0);
    CHECK(has(hit, "1 hit, 0 built"));
    CHECK(tree_contents(checkout.store()) == before);
    edit_file(checkout.root() / "sdk/include/sub/deep.h", "7", "8");
    const Result built = warm();
    CHECK(built.status == 0);
    CHECK(has(built, "0 hit, 1 built"));
    CHECK(has(built, "warning: built without the store"));
    CHECK(has(built, "is not writable"));
    CHECK(tree_contents(checkout.store()) == before);
    // What was built is kept in the graph directory.
    CHECK(has(warm(), "1 hit, 0 built"));
    for (const auto &entry : fs::recursive_directory_iterator(checkout.store())) {
        if (entry.is_directory()) {
            fs::permissions(entry.path(), fs::perms::owner_all);
        }
    }
    fs::permissions(checkout.store(), fs::perms::owner_all);
}

TEST_CASE("a full disk: the build succeeds, and says what it could not keep") {
    const TemporaryFolder folder;
    const fs::path mount = folder.path() / "full";
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    fs::create_directories(mount);
    // A mount of its own, in a namespace of its own; where that is not allowed, nothing can be shown.
    const std::string script = "mount -t tmpfs -o size=160k tmpfs \"$1\" && shift && exec \"$@\"";
    std::vector<std::string> unshare = {"/usr/bin/unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh",
                                        mount.string()};
    std::vector<std::string> probe = unshare;
    probe.emplace_back("true");
    const auto environment = clean_environment(folder.path());
    if (run({probe, {}, environment}).status != 0) {
        unshare.erase(unshare.begin() + 2);  // as root no user namespace is needed
        probe = unshare;
        probe.emplace_back("true");
        if (run({probe, {}, environment}).status != 0) {
            MESSAGE("skipped: no tmpfs can be mounted here");
            return;
        }
    }
    Command command = checkout.command("warm", {"--store", (mount / "store").string()});
    std::vector<std::string> argv = unshare;
    argv.insert(argv.end(), command.argv.begin(), command.argv.end());
    command.argv = argv;
    const Result result = run(command);
    INFO(result.text());
    CHECK(result.status == 0);
    CHECK(has(result, "callables: 0 hit, 1 built"));
    CHECK(has(result, "No space left on device"));
}

TEST_CASE("no HOME, a HOME that cannot be written, and TMPDIR elsewhere") {
    WarmSuite suite({1, 1});
    Checkout &checkout = suite.checkout;
    const auto warm_with = [&](const char *home, const char *temporary) {
        Command command = checkout.command("warm");
        command.environment.erase("HOME");
        command.environment.erase("XDG_CACHE_HOME");
        if (home != nullptr) {
            command.environment["HOME"] = home;
        }
        if (temporary != nullptr) {
            command.environment["TMPDIR"] = temporary;
        }
        return run(command);
    };
    for (const auto &[home, temporary] : {std::pair<const char *, const char *>{nullptr, nullptr},
                                          {"/proc", nullptr},
                                          {"/nonexistent", "/dev/shm"},
                                          {nullptr, "/nonexistent"}}) {
        const Result hit = warm_with(home, temporary);
        INFO(hit.text());
        CHECK(hit.status == 0);
        CHECK(has(hit, "1 hit, 0 built"));
    }
    fs::remove_all(checkout.store());
    const Result built = warm_with(nullptr, "/dev/shm");
    CHECK(built.status == 0);
    CHECK(has(built, "0 hit, 1 built"));
    CHECK(outputs_of(checkout).size() > 4);
}

TEST_CASE("a store that a group shares") {
    const TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    const fs::path store = folder.path() / "shared";
    fs::create_directories(store);
    REQUIRE(::chmod(store.c_str(), 02775) == 0);
    checkout.options = {"--store", store.string()};
    const mode_t old = ::umask(002);
    const Outcome outcome = checkout.warm();
    ::umask(old);
    REQUIRE(outcome.result.status == 0);
    for (const auto &entry : fs::recursive_directory_iterator(store)) {
        struct stat status {};
        REQUIRE(::lstat(entry.path().c_str(), &status) == 0);
        CAPTURE(entry.path().string());
        if (S_ISDIR(status.st_mode)) {
            CHECK((status.st_mode & 02770U) == 02770U);
        } else {
            CHECK((status.st_mode & 0040U) != 0);
        }
    }
}

TEST_CASE("a store of another user is refused unless it is allowed") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    if (::chown(checkout.store().c_str(), 65534, 65534) != 0) {
        MESSAGE("skipped: only root can give a directory away");
        return;
    }
    const Outcome refused = checkout.warm();
    CHECK(refused.result.status == 0);
    CHECK(refused.figure("callables", "hit") == 0);
    CHECK(has(refused.result, "belongs to user 65534"));
    CHECK(checkout.warm({"--allow-foreign-store"}).figure("callables", "hit") == 1);
    REQUIRE(::chown(checkout.store().c_str(), ::geteuid(), ::getegid()) == 0);
}

TEST_CASE("a failure is not remembered: it comes again with the same words") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    const fs::path kernel = checkout.root() / "scenes/s0/kernels/s0_k0.cpp";
    const std::string good = read_file(kernel);
    write_file(kernel, good + "int broken = missing;\n");
    std::string message;
    for (int round = 0; round < 2; ++round) {
        const Outcome failed = checkout.warm();
        CHECK(failed.result.status == 1);
        CHECK(failed.figure("actions", "failed") >= 1);
        CHECK(failed.trace.compiled() == std::vector<std::string>{"s0_k0.cpp"});
        const std::size_t at = failed.result.text().find("error: 'missing' was not declared");
        REQUIRE(at != std::string::npos);
        const std::string line = failed.result.text().substr(at, 60);
        CHECK((message.empty() || message == line));
        message = line;
    }
    write_file(kernel, good);
    CHECK(checkout.warm().built() == 0);
}

}  // namespace scene_kernels::e2e
