#include "ninja/input_list.h"

#include <doctest/doctest.h>

#include "memory_filesystem.h"
#include "os/clock.h"

using namespace scene_kernels;

namespace {

struct Fixture {
    FakeClock clock;
    MemoryFileSystem files{clock};
    InputList list{files, "/src/build/g", "/src"};
    Fixture() {
        files.add_directory("/src/build/g");
        files.add("/src/a b.h", "");
        files.add("/src/odd:name.h", "");
        files.add("/usr/x.h", "");
    }
};

}  // namespace

TEST_CASE("inputs are listed once, relative inside the source root, odd names through links, absent ones not at all") {
    Fixture f;
    REQUIRE(f.list.write({"/src/a b.h", "/src/odd:name.h", "/usr/x.h", "/src/absent.h"}));
    const auto names = f.list.read();
    REQUIRE(names);
    REQUIRE(names->size() == 3);
    CHECK((*names)[0] == "../../a b.h");
    CHECK((*names)[1].compare(0, 3, "in/") == 0);
    CHECK((*names)[2] == "/usr/x.h");
    CHECK(*f.files.read_link("/src/build/g/" + (*names)[1]).value() == "../../../odd:name.h");
}

TEST_CASE("an unchanged list is not written again") {
    Fixture f;
    REQUIRE(f.list.write({"/src/a b.h"}));
    const int writes = f.files.writes;
    REQUIRE(f.list.write({"/src/a b.h"}));
    CHECK(f.files.writes == writes);
}

TEST_CASE("the stamp is the newest input's time, but not that of one which changed while the plan ran") {
    Fixture f;
    REQUIRE(f.list.write({"/src/a b.h", "/usr/x.h"}));
    const std::int64_t old = f.clock.now;
    f.clock.tick();
    const std::int64_t start = f.clock.now;
    CHECK(f.list.stamp_time(start, start + 1000).value() == old);

    CHECK(f.files.set_mtime("/usr/x.h", start + 500));
    CHECK(f.list.stamp_time(start, start + 1000).value() == start - k_clock_tick_ns - 1);

    const std::int64_t future = start + 86'400'000'000'000;
    CHECK(f.files.set_mtime("/usr/x.h", future));
    CHECK(f.list.stamp_time(start, start + 1000).value() == future);
}

TEST_CASE("what is added to a list that was cut off does not become part of its last name") {
    for (const char *text :
         {"plan.stamp: \\\n ../../a", "plan.stamp: \\\n ../../a \\", "plan.stamp: \\\n ../../a \\\n"}) {
        Fixture f;
        f.files.add("/src/build/g/plan.d", text);
        REQUIRE(f.list.add({"/usr/x.h"}));
        CHECK(f.list.read().value() == std::vector<std::string>{"../../a", "/usr/x.h"});
    }
}
