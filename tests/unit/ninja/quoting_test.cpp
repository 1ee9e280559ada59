#include "ninja/quoting.h"

#include <doctest/doctest.h>

using namespace scene_kernels;

TEST_CASE("paths and values in Ninja files") {
    CHECK(ninja_path("a b:c$d") == "a$ b$:c$$d");
    CHECK(ninja_value("a b:c$d") == "a b:c$$d");
}

TEST_CASE("paths in depfiles") {
    CHECK(depfile_can_hold("../a b/c#d$e.h"));
    CHECK(depfile_path("../a b/c#d$e.h") == "../a\\ b/c\\#d$$e.h");
    CHECK(depfile_can_hold("\xc3\xa9.h"));
    for (const char *path : {"", "a*", "a&b", "a;b", "a|b", "a?", "<a>", "a^", "{a}", "a`", "a\tb", "a\"b", "a'b",
                             "a\\", "a:", "a:b", "a\nb", "/"}) {
        CAPTURE(path);
        CHECK_FALSE(depfile_can_hold(path));
    }
}
