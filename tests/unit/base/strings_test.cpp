#include "base/strings.h"

#include <doctest/doctest.h>

using namespace scene_kernels;

TEST_CASE("nearest finds a misspelling and nothing far-fetched") {
    const std::vector<std::string> names = {"a2a3", "a2a3sim", "a5", "a5sim"};
    CHECK(nearest("a2a3sin", names) == "a2a3sim");
    CHECK(nearest("A5", {"a5"}) == "a5");
    CHECK(nearest("wram", {"warm", "plan"}) == "warm");
    CHECK_FALSE(nearest("gpu", names));
    CHECK_FALSE(nearest(std::string(1000000, 'a'), names));
}

TEST_CASE("shell quoting leaves plain words alone and protects the rest") {
    CHECK(shell_quoted("a/b-c.cpp") == "a/b-c.cpp");
    CHECK(shell_quoted("") == "''");
    CHECK(shell_quoted("a b") == "'a b'");
    CHECK(shell_quoted("it's $x") == "'it'\\''s $x'");
    CHECK(shell_command({"g++", "-DX=\"y\""}) == "g++ '-DX=\"y\"'");
}

TEST_CASE("lexical paths") {
    CHECK(path_normal("/a/./b//../c/") == "/a/c");
    CHECK(path_normal("/../a") == "/a");
    CHECK(path_normal("../../a/..") == "../..");
    CHECK(path_normal("") == ".");
    CHECK(path_tidy("a/./b/../c//d") == "a/b/../c/d");
    CHECK(path_join("/a", "b") == "/a/b");
    CHECK(path_join("/a/", "/b") == "/b");
    CHECK(path_join("", "b") == "b");
    CHECK(path_parent("/a/b") == "/a");
    CHECK(path_parent("/a") == "/");
    CHECK(path_parent("a") == ".");
    CHECK(path_name("/a/b.c") == "b.c");
    CHECK(path_is_inside("/a/b", "/a"));
    CHECK(path_is_inside("/a", "/a"));
    CHECK_FALSE(path_is_inside("/ab", "/a"));
    CHECK(path_relative("/a/b/c", "/a/d") == "../b/c");
    CHECK(path_relative("/a", "/a") == ".");
    CHECK(path_relative("/x", "/a/b") == "../../x");
}
