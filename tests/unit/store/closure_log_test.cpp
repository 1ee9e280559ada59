#include "store/closure_log.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "temporary_directory.h"

using namespace scene_kernels;

namespace {

// A process's own tables and its view of a log.
struct Process {
    explicit Process(const std::string &path) : log(real_filesystem(), path, names, searches) {}
    NameTable names;
    SearchTable searches;
    ClosureLog log;

    std::vector<NameId> ids(const std::vector<std::string> &texts) {
        std::vector<NameId> list;
        for (const std::string &text : texts) {
            list.push_back(names.intern(text));
        }
        return list;
    }
    std::vector<std::string> texts(const std::vector<NameId> &list) const {
        std::vector<std::string> texts;
        for (const NameId id : list) {
            texts.push_back(names.text(id));
        }
        return texts;
    }
    Closure closure(const std::vector<std::string> &sources, const std::string &directory = "include") {
        ClosureGroup group;
        group.search =
            searches.intern({ids({directory + "/quote"}), ids({directory, "<sdk:x>/include"}), ids({"gone"})});
        group.sources = ids(sources);
        group.files = ids({"/usr/lib/crt1.o"});
        group.names = ids({"-lm"});
        return Closure{{group, group}};
    }
    void add(const Digest &recipe, const std::vector<std::string> &sources) {
        REQUIRE(log.add(recipe, closure(sources)));
    }
    // The sources of the first group of every closure, the latest first.
    std::vector<std::vector<std::string>> sources_of(const Digest &recipe) const {
        std::vector<std::vector<std::string>> list;
        for (const Closure &known : log.closures_of(recipe)) {
            list.push_back(texts(known.groups.at(0).sources));
        }
        return list;
    }
};

struct Log {
    TemporaryDirectory directory;
    std::string path = directory / "log";

    std::uint64_t size() const {
        const auto status = real_filesystem().stat(path).value();
        return status ? status->size : 0;
    }
    // Appends a record of any content, with a good check.
    void append(ClosureRecord type, std::string payload) const {
        struct Ignore final : LogVisitor {
            void restart() override {}
            void record(std::uint32_t, std::string_view) override {}
        } ignore;
        LogPosition position;
        RecordLog log(real_filesystem(), path, "skclose1");
        REQUIRE(log.append(position, ignore, [&] {
            return std::vector<LogRecord>{{static_cast<std::uint32_t>(type), std::move(payload)}};
        }));
    }
};

const Digest k_recipe = Sha256::of("recipe");
const Digest k_other = Sha256::of("other");
const Digest k_key = Sha256::of("key");

KnownArtifact artifact(const std::string &name) {
    return {Sha256::of("manifest " + name), {{name, 7, Sha256::of(name)}, {"second", 0, Sha256::of("")}}};
}

}  // namespace

TEST_CASE("an absent log knows nothing") {
    const Log log;
    Process process(log.path);
    REQUIRE(process.log.load());
    CHECK(process.log.closures_of(k_recipe).empty());
    CHECK(process.log.artifact(k_key) == nullptr);
    CHECK(log.size() == 0);
}

TEST_CASE("closures and artifacts mean the same in a process with other numbers") {
    const Log log;
    Process writer(log.path);
    writer.add(k_recipe, {"a.cpp", "b.h", "c.h"});
    REQUIRE(writer.log.add_artifact(k_key, artifact("out.bin")));
    Process reader(log.path);
    (void)reader.ids({"something", "c.h", "else"});
    (void)reader.searches.intern({{}, reader.ids({"x"}), {}});
    REQUIRE(reader.log.load());
    REQUIRE(reader.log.closures_of(k_recipe).size() == 1);
    CHECK(reader.log.closures_of(k_recipe)[0] == reader.closure({"a.cpp", "b.h", "c.h"}));
    REQUIRE(reader.log.artifact(k_key) != nullptr);
    CHECK(*reader.log.artifact(k_key) == artifact("out.bin"));
    CHECK(reader.log.closures_of(k_other).empty());
}

TEST_CASE("the latest closure comes first, and adding it again writes nothing") {
    const Log log;
    Process process(log.path);
    process.add(k_recipe, {"a"});
    process.add(k_recipe, {"b"});
    CHECK(process.sources_of(k_recipe) == std::vector<std::vector<std::string>>{{"b"}, {"a"}});
    const std::uint64_t size = log.size();
    process.add(k_recipe, {"b"});
    CHECK(log.size() == size);
    Process(log.path).add(k_recipe, {"b"});
    CHECK(log.size() == size);
    process.add(k_recipe, {"a"});
    CHECK(log.size() > size);
    Process reader(log.path);
    REQUIRE(reader.log.load());
    CHECK(reader.sources_of(k_recipe) == std::vector<std::vector<std::string>>{{"a"}, {"b"}});
}

TEST_CASE("a known artifact is written again only if it changed") {
    const Log log;
    Process process(log.path);
    REQUIRE(process.log.add_artifact(k_key, artifact("out.bin")));
    const std::uint64_t size = log.size();
    REQUIRE(process.log.add_artifact(k_key, artifact("out.bin")));
    CHECK(log.size() == size);
    REQUIRE(process.log.add_artifact(k_key, artifact("new.bin")));
    CHECK(log.size() > size);
    Process reader(log.path);
    REQUIRE(reader.log.load());
    CHECK(*reader.log.artifact(k_key) == artifact("new.bin"));
}

TEST_CASE("names are written once") {
    const Log log;
    Process process(log.path);
    process.add(k_recipe, {"a/long/name/of/a/header.h"});
    process.add(k_other, {"a/long/name/of/a/header.h"});
    const std::string bytes = real_filesystem().read(log.path).value();
    CHECK(bytes.find("a/long/name") == bytes.rfind("a/long/name"));
}

TEST_CASE("a recipe keeps the latest sixteen closures") {
    const Log log;
    Process process(log.path);
    for (int i = 0; i < 20; ++i) {
        process.add(k_recipe, {std::to_string(i)});
    }
    Process reader(log.path);
    REQUIRE(reader.log.load());
    for (const Process *each : {&process, &reader}) {
        const auto sources = each->sources_of(k_recipe);
        REQUIRE(sources.size() == k_closures_per_recipe);
        CHECK(sources.front() == std::vector<std::string>{"19"});
        CHECK(sources.back() == std::vector<std::string>{"4"});
    }
}

TEST_CASE("a writer learns the numbers that others gave before it gives its own") {
    const Log log;
    Process first(log.path);
    Process second(log.path);
    REQUIRE(first.log.load());
    REQUIRE(second.log.load());
    first.add(k_recipe, {"a", "b"});
    second.add(k_other, {"c", "b", "d"});
    first.add(k_recipe, {"d", "e"});
    Process reader(log.path);
    REQUIRE(reader.log.load());
    CHECK(reader.sources_of(k_recipe) == std::vector<std::vector<std::string>>{{"d", "e"}, {"a", "b"}});
    CHECK(reader.sources_of(k_other) == std::vector<std::vector<std::string>>{{"c", "b", "d"}});
    CHECK(first.sources_of(k_other) == reader.sources_of(k_other));
}

TEST_CASE("a log that is cut anywhere keeps what came before, and goes on") {
    const Log log;
    Process process(log.path);
    process.add(k_recipe, {"a"});
    const std::uint64_t first = log.size();
    process.add(k_other, {"b"});
    const std::string whole = real_filesystem().read(log.path).value();
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        REQUIRE(real_filesystem().write(log.path, whole.substr(0, size)));
        Process writer(log.path);
        REQUIRE(writer.log.load());
        CHECK(writer.log.closures_of(k_recipe).size() == (size >= first ? 1 : 0));
        CHECK(writer.log.closures_of(k_other).empty());
        writer.add(k_other, {"z", "b"});
        Process reader(log.path);
        REQUIRE(reader.log.load());
        CHECK(reader.sources_of(k_other) == std::vector<std::vector<std::string>>{{"z", "b"}});
    }
}

TEST_CASE("compacting drops what is refused, over the limit or unused, and keeps the rest in order") {
    const Log log;
    Process process(log.path);
    for (int i = 0; i < 20; ++i) {
        process.add(k_recipe, {"name-" + std::to_string(i)});
    }
    process.add(k_other, {"kept"});
    REQUIRE(process.log.add_artifact(k_key, artifact("out.bin")));
    REQUIRE(process.log.add_artifact(k_other, artifact("pruned.bin")));
    Process stale(log.path);
    REQUIRE(stale.log.load());
    REQUIRE(process.log.compact([](const Digest &key) { return key == k_key; }));
    stale.add(k_other, {"late"});
    Process reader(log.path);
    REQUIRE(reader.log.load());
    CHECK(reader.sources_of(k_recipe).size() == k_closures_per_recipe);
    CHECK(reader.sources_of(k_recipe).front() == std::vector<std::string>{"name-19"});
    CHECK(reader.sources_of(k_recipe) == stale.sources_of(k_recipe));
    CHECK(reader.sources_of(k_other) == std::vector<std::vector<std::string>>{{"late"}, {"kept"}});
    CHECK(*reader.log.artifact(k_key) == artifact("out.bin"));
    CHECK(reader.log.artifact(k_other) == nullptr);
    const std::string bytes = real_filesystem().read(log.path).value();
    CHECK(bytes.find("name-3") == std::string::npos);
    CHECK(bytes.find("name-4") != std::string::npos);
    CHECK(bytes.find("pruned.bin") == std::string::npos);
}

TEST_CASE("compacting keeps the recipes that were added last") {
    const Log log;
    Process process(log.path);
    LogNumbers none;
    ClosureEncoder encoder(process.names, process.searches, none, none);
    for (std::size_t i = 0; i < k_recipes_kept + 5; ++i) {
        encoder.closure(Sha256::of(std::to_string(i)), {});
    }
    for (LogRecord &record : encoder.take()) {
        log.append(static_cast<ClosureRecord>(record.type), std::move(record.payload));
    }
    REQUIRE(process.log.compact([](const Digest &) { return true; }));
    CHECK(process.log.closures_of(Sha256::of("4")).empty());
    CHECK(process.log.closures_of(Sha256::of("5")).size() == 1);
    CHECK(process.log.closures_of(Sha256::of(std::to_string(k_recipes_kept + 4))).size() == 1);
}

TEST_CASE("records that make no sense are left out, and what follows them counts") {
    const Log log;
    Process process(log.path);
    process.add(k_recipe, {"good"});
    ByteWriter writer;
    SUBCASE("a closure with an unknown name") {
        writer.digest(k_other);
        writer.varint(1);
        writer.varint(0);
        writer.varint(1);
        writer.varint(2000);
        writer.varint(0);
        writer.varint(0);
        log.append(ClosureRecord::closures, writer.take());
    }
    SUBCASE("a closure with an unknown search list") {
        writer.digest(k_other);
        writer.varint(1);
        writer.varint(1);
        writer.varint(0);
        writer.varint(0);
        writer.varint(0);
        log.append(ClosureRecord::closures, writer.take());
    }
    SUBCASE("differences that wrap around") {
        writer.digest(k_other);
        writer.varint(1);
        writer.varint(0);
        writer.varint(3);
        writer.varint(~std::uint64_t{0});
        writer.varint(~std::uint64_t{0} - 1);
        writer.varint(~std::uint64_t{0});
        writer.varint(0);
        writer.varint(0);
        log.append(ClosureRecord::closures, writer.take());
    }
    SUBCASE("more groups than bytes") {
        writer.digest(k_other);
        writer.varint(std::uint64_t{1} << 60U);
        log.append(ClosureRecord::closures, writer.take());
    }
    SUBCASE("more groups than any closure has") {
        writer.digest(k_other);
        writer.varint(k_max_closure_groups + 1);
        writer.raw(std::string((k_max_closure_groups + 1) * 4, '\0'));
        log.append(ClosureRecord::closures, writer.take());
    }
    SUBCASE("an artifact whose file lies elsewhere") {
        writer.digest(k_key);
        writer.digest(k_key);
        writer.varint(1);
        writer.text("../../etc/passwd");
        writer.varint(1);
        writer.digest(k_key);
        log.append(ClosureRecord::artifacts, writer.take());
    }
    SUBCASE("an artifact that is cut off") {
        writer.digest(k_key);
        log.append(ClosureRecord::artifacts, writer.take());
    }
    SUBCASE("a record of a type to come") {
        log.append(static_cast<ClosureRecord>(77), "whatever");
    }
    process.add(k_recipe, {"better"});
    Process reader(log.path);
    REQUIRE(reader.log.load());
    CHECK(reader.log.closures_of(k_other).empty());
    CHECK(reader.log.artifact(k_key) == nullptr);
    CHECK(reader.sources_of(k_recipe) == std::vector<std::vector<std::string>>{{"better"}, {"good"}});
}

TEST_CASE("names beyond the bound are ignored, and a full log says so") {
    const Log log;
    Process process(log.path);
    process.add(k_recipe, {"good"});
    log.append(ClosureRecord::names, std::string(k_max_log_names + 10, '\0'));
    Process reader(log.path);
    REQUIRE(reader.log.load());
    CHECK(reader.sources_of(k_recipe).size() == 1);
    const Expected<void> added = reader.log.add(k_other, reader.closure({"one more"}));
    REQUIRE_FALSE(added);
    CHECK(added.error().message.find(log.path) != std::string::npos);
    REQUIRE(reader.log.compact([](const Digest &) { return true; }));
    CHECK(reader.log.add(k_other, reader.closure({"one more"})));
}

TEST_CASE("random payloads with good checks do no harm") {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        NameTable names;
        SearchTable searches;
        LogTables tables{names, searches, {}, {}};
        std::size_t seen = 0;
        for (int record = 0; record < 20; ++record) {
            std::string payload(random() % 200, '\0');
            for (char &byte : payload) {
                byte = static_cast<char>(random() % 3 == 0 ? random() : random() % 4);
            }
            decode_record(
                1 + static_cast<std::uint32_t>(random() % 4), payload, tables,
                [&](const Digest &, const Closure &closure) {
                    for (const ClosureGroup &group : closure.groups) {
                        CHECK(group.search < searches.size());
                        for (const NameId id : group.sources) {
                            CHECK(id < names.size());
                        }
                    }
                    ++seen;
                },
                [&](const Digest &, const KnownArtifact &) { ++seen; });
        }
        CHECK(names.size() <= tables.name_numbers.size());
    }
}
