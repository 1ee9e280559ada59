#include "action/roots.h"

#include <doctest/doctest.h>

#include "action/expand.h"

using namespace scene_kernels;

TEST_CASE("paths inside the source root are relative, those at a named root carry its name") {
    const Roots roots("/src/checkout",
                      {{"sdk", "/opt/sdk"}, {"isa", "/opt/sdk/isa"}, {"inner", "/src/checkout/third"}});
    CHECK(roots.logical("/src/checkout/a/b.h") == "a/b.h");
    CHECK(roots.logical("a/./b.h") == "a/b.h");
    CHECK(roots.logical("/src/checkout") == ".");
    CHECK(roots.logical("/src/checkout/third/x.h") == "third/x.h");
    CHECK(roots.logical("/opt/sdk/x.h") == "<sdk>/x.h");
    CHECK(roots.logical("/opt/sdk/isa/x.h") == "<isa>/x.h");
    CHECK(roots.logical("/opt/sdkother/x.h") == "/opt/sdkother/x.h");
    CHECK(roots.logical("../outside.h") == "../outside.h");
}

TEST_CASE("every logical path leads back to the file that it stands for") {
    const Roots roots("/src/checkout", {{"sdk", "/opt/sdk"}});
    for (const char *path : {"/src/checkout/a/b.h", "/opt/sdk/x.h", "/usr/include/x.h", "/src/checkout", "/opt/sdk",
                             "/src/checkout/<sdk>/x.h", "/src/checkout/-x.cpp", "/src/checkout/@args"}) {
        CAPTURE(path);
        CHECK(roots.real(roots.logical(path)) == path);
    }
    CHECK(roots.command("-x.cpp") == "./-x.cpp");
    CHECK(roots.command("@args") == "./@args");
    CHECK(roots.command("<sdk>/x.h") == "/opt/sdk/x.h");
}

TEST_CASE("prefix maps name roots from the outermost on, and say nothing of where they are in keys") {
    const Roots roots("/a/b", {{"deep", "/a/b2/deeper"}, {"top", "/a"}});
    CHECK(roots.prefix_map_options() == std::vector<std::string>{"-ffile-prefix-map=/a=<top>",
                                                                 "-ffile-prefix-map=/a/b=.",
                                                                 "-ffile-prefix-map=/a/b2/deeper=<deep>"});
    const Roots moved("/x/b", {{"deep", "/y/deeper"}, {"top", "/"}});
    CHECK(roots.logical_prefix_map_options() == moved.logical_prefix_map_options());
}

TEST_CASE("texts are expanded in both spellings at once") {
    Expander expander;
    expander.placeholders.emplace("arch", Spelled("a5"));
    expander.variable = [](const std::string &name) -> Expected<Spelled> {
        if (name != "HOME_DIR") {
            return input_error("$" + name + " is not set");
        }
        return Spelled("/opt/x", "<HOME_DIR>");
    };
    CHECK(*expander.expand("-I${HOME_DIR}/{arch}") == Spelled("-I/opt/x/a5", "-I<HOME_DIR>/a5"));
    CHECK(*expander.expand("$HOME_DIR.h") == Spelled("/opt/x.h", "<HOME_DIR>.h"));
    CHECK(*expander.expand("{{}} $$") == Spelled("{} $"));
    for (const char *text : {"{", "}", "{nothing}", "$", "${", "${X}", "{ar ch}", "$1!{"}) {
        CAPTURE(text);
        CHECK_FALSE(expander.expand(text));
    }
}
