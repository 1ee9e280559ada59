#include "os/record_log.h"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/lock.h"
#include "temporary_directory.h"

using namespace scene_kernels;

namespace {

constexpr const char *k_magic = "testlog1";

// Remembers what it is shown.
struct Seen final : LogVisitor {
    std::vector<std::pair<std::uint32_t, std::string>> records;
    int restarts = 0;
    void restart() override {
        ++restarts;
        records.clear();
    }
    void record(std::uint32_t type, std::string_view payload) override { records.emplace_back(type, payload); }
};

struct Reader {
    explicit Reader(const std::string &path, const char *magic = k_magic) : log(real_filesystem(), path, magic) {}
    RecordLog log;
    Seen seen;
    LogPosition position;

    std::size_t read() {
        REQUIRE(log.read(position, seen));
        return seen.records.size();
    }
    void append(std::vector<LogRecord> records) {
        REQUIRE(log.append(position, seen, [&] { return std::move(records); }));
    }
};

std::string content(const std::string &path) {
    return real_filesystem().read(path).value();
}

}  // namespace

TEST_CASE("a missing log is empty, and reading does not create it") {
    const TemporaryDirectory directory;
    Reader reader(directory / "log");
    CHECK(reader.read() == 0);
    CHECK(reader.position == LogPosition{});
    CHECK_FALSE(*real_filesystem().lstat(directory / "log"));
    CHECK_FALSE(*real_filesystem().lstat(directory / "log.lock"));
}

TEST_CASE("records come back in order, once, to writer and reader alike") {
    const TemporaryDirectory directory;
    Reader writer(directory / "log");
    writer.append({{1, "one"}, {2, ""}});
    CHECK(writer.seen.records.size() == 2);
    Reader reader(directory / "log");
    CHECK(reader.read() == 2);
    writer.append({{3, std::string("a\0b", 3)}});
    CHECK(reader.read() == 3);
    CHECK(reader.read() == 3);
    CHECK(reader.seen.restarts == 1);
    CHECK(reader.seen.records == writer.seen.records);
    CHECK(reader.seen.records[2] == std::pair<std::uint32_t, std::string>(3, std::string("a\0b", 3)));
    CHECK(reader.position == writer.position);
    CHECK(content(directory / "log").size() == 16 + 3 * 16 + 6);
}

TEST_CASE("a writer is shown what others wrote before it decides") {
    const TemporaryDirectory directory;
    Reader first(directory / "log");
    Reader second(directory / "log");
    first.append({{1, "a"}});
    second.append({{1, "b"}});
    std::size_t known = 0;
    REQUIRE(first.log.append(first.position, first.seen, [&] {
        known = first.seen.records.size();
        return std::vector<LogRecord>{};
    }));
    CHECK(known == 2);
}

TEST_CASE("a writer with nothing to say leaves even a damaged file alone") {
    const TemporaryDirectory directory;
    Reader writer(directory / "log");
    writer.append({{1, "a"}});
    REQUIRE(real_filesystem().append(directory / "log", "torn"));
    const std::string before = content(directory / "log");
    writer.append({});
    CHECK(content(directory / "log") == before);
}

TEST_CASE("at whatever byte a log is cut, the records before it stand and the next writer repairs it") {
    const TemporaryDirectory directory;
    Reader writer(directory / "log");
    writer.append({{1, "first"}, {2, "second"}});
    const std::string whole = content(directory / "log");
    const std::size_t one_end = 16 + 16 + 5;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        REQUIRE(real_filesystem().write(directory / "log", whole.substr(0, size)));
        Reader reader(directory / "log");
        const std::size_t good = size >= one_end ? 1 : 0;
        CHECK(reader.read() == good);
        reader.append({{3, "third"}});
        Reader again(directory / "log");
        REQUIRE(again.read() == good + 1);
        CHECK(again.seen.records.back().second == "third");
    }
}

TEST_CASE("a changed byte anywhere ends the log there") {
    const TemporaryDirectory directory;
    Reader writer(directory / "log");
    writer.append({{1, "first"}, {2, "second"}});
    const std::string whole = content(directory / "log");
    for (std::size_t at = 16; at < whole.size(); ++at) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
        REQUIRE(real_filesystem().write(directory / "log", bytes));
        Reader reader(directory / "log");
        CHECK(reader.read() == (at < 16 + 16 + 5 ? 0 : 1));
    }
}

TEST_CASE("zeros in the place of records, as after a power loss, are no records") {
    const TemporaryDirectory directory;
    Reader writer(directory / "log");
    writer.append({{1, "first"}});
    REQUIRE(real_filesystem().append(directory / "log", std::string(4096, '\0')));
    CHECK(Reader(directory / "log").read() == 1);
}

TEST_CASE("a file with another magic has no records and is started anew by a writer") {
    const TemporaryDirectory directory;
    Reader(directory / "log", "testlog0").append({{1, "old"}});
    Reader reader(directory / "log");
    CHECK(reader.read() == 0);
    reader.append({{1, "new"}});
    Reader again(directory / "log");
    CHECK(again.read() == 1);
    CHECK(again.seen.records[0].second == "new");
    CHECK(Reader(directory / "log", "testlog0").read() == 0);
}

TEST_CASE("after a rewrite every reader restarts, and a stale position never cuts the new file") {
    const TemporaryDirectory directory;
    Reader writer(directory / "log");
    writer.append({{1, "a"}, {1, "bbbbbbbbbbbb"}, {1, "c"}});
    Reader reader(directory / "log");
    Reader stale(directory / "log");
    REQUIRE(reader.read() == 3);
    REQUIRE(stale.read() == 3);
    std::size_t known = 0;
    REQUIRE(writer.log.rewrite(writer.position, writer.seen, [&] {
        known = writer.seen.records.size();
        return std::vector<LogRecord>{{1, "kept"}, {1, std::string(100, 'x')}};
    }));
    CHECK(known == 3);
    CHECK(writer.seen.records.size() == 2);
    stale.append({{1, "late"}});
    CHECK(stale.seen.records.size() == 3);
    CHECK(stale.seen.records[0].second == "kept");
    CHECK(reader.read() == 3);
    CHECK(reader.seen.restarts == 2);
    CHECK(reader.seen.records == stale.seen.records);
}

TEST_CASE("a log that vanishes takes its records with it") {
    const TemporaryDirectory directory;
    Reader writer(directory / "log");
    writer.append({{1, "a"}});
    REQUIRE(real_filesystem().remove(directory / "log"));
    CHECK(writer.read() == 0);
    writer.append({{1, "b"}});
    CHECK(Reader(directory / "log").read() == 1);
}

TEST_CASE("a record that is too large is refused and nothing is written") {
    const TemporaryDirectory directory;
    Reader writer(directory / "log");
    writer.append({{1, "a"}});
    const std::string before = content(directory / "log");
    CHECK_FALSE(writer.log.append(writer.position, writer.seen, [] {
        return std::vector<LogRecord>{{1, "b"}, {1, std::string(k_max_record_bytes + 1, 'x')}};
    }));
    CHECK(content(directory / "log") == before);
    CHECK(writer.seen.records.size() == 1);
}

TEST_CASE("a directory in the place of the log has no records") {
    const TemporaryDirectory directory;
    REQUIRE(real_filesystem().create_directory(directory / "log"));
    CHECK(Reader(directory / "log").read() == 0);
}

TEST_CASE("writers in several processes lose nothing") {
    const TemporaryDirectory directory;
    constexpr int k_processes = 4;
    constexpr int k_records = 25;
    std::vector<pid_t> children;
    for (int process = 0; process < k_processes; ++process) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            RecordLog log(real_filesystem(), directory / "log", k_magic);
            LogPosition position;
            Seen seen;
            bool good = true;
            for (int i = 0; i < k_records; ++i) {
                good =
                    good &&
                    log.append(
                           position, seen,
                           [&] {
                               return std::vector<LogRecord>{{static_cast<std::uint32_t>(process), std::to_string(i)}};
                           })
                        .has_value();
            }
            ::_exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
    Reader reader(directory / "log");
    CHECK(reader.read() == k_processes * k_records);
    std::vector<int> next(k_processes, 0);
    for (const auto &[type, payload] : reader.seen.records) {
        CHECK(payload == std::to_string(next[type]++));
    }
}
