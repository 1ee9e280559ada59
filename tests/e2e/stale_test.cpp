// Changes that a cache may overlook, each alone: what read the changed file is built again, the identical rerun is not,
// and the old content is a hit again.
#include <doctest/doctest.h>

#include "support/checkout.h"
#include "support/suite_text.h"

namespace scene_kernels::e2e {

using Names = std::vector<std::string>;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const Names k_kernel = {"s0_k0.cpp"};
const Names k_kernels = {"common.cpp", "s0_k0.cpp"};

// A suite of one kernel of its own and the common one, whose first kernel says `value` after `preamble`.
struct Suite : WarmSuite {
    explicit Suite(const std::string &preamble = "", const std::string &value = "0")
        : WarmSuite({1, 1}), root(checkout.root()), kernel(root / "scenes/s0/kernels/s0_k0.cpp") {
        REQUIRE(first.result.status == 0);
        if (!preamble.empty()) {
            write_file(kernel, preamble + "\n#include \"first.h\"\n" + kernel_text(value));
        }
    }

    // Warms, and checks that exactly `names` were compiled.
    void expect(const Names &names) const {
        const Outcome outcome = checkout.warm();
        INFO(outcome.result.text());
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled() == names);
        CHECK(outcome.figure("actions", "uncacheable") == 0);
    }
    // After a change: `names` are compiled, once.
    void expect_once(const Names &names) const {
        expect(names);
        expect({});
    }
    [[nodiscard]] std::string packed() const { return read_file(checkout.artifact("s0/s0")); }

    fs::path root;
    fs::path kernel;
};

void add_args(const fs::path &root, const Names &args) {
    change_json(root / "sdk/tiny.sdk.json", [&args](json &sdk) {
        for (const std::string &arg : args) {
            sdk["platforms"]["sim"]["image"]["args"].push_back(arg);
        }
    });
}

}  // namespace

TEST_CASE("a file that __has_include found and nobody read is the only difference between two trees") {
    const TemporaryFolder folder;
    std::vector<std::string> packed;
    for (const char *name : {"with", "without"}) {
        Checkout checkout(folder.path() / name, folder.path() / "home");
        checkout.write_suite({1, 1});
        checkout.options = {"--store", (folder.path() / "store").string()};
        edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "// a comment\n",
                  "#if __has_include(\"maybe.h\")\n#define MAYBE 1\n#else\n#define MAYBE 2\n#endif\n");
        edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "DEEP_VALUE + 0", "DEEP_VALUE + MAYBE");
        if (std::string(name) == "with") {
            write_file(checkout.root() / "sdk/include/maybe.h", "");
        }
        const Outcome outcome = checkout.warm();
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled().size() == (packed.empty() ? 5 : 1));
        packed.push_back(read_file(checkout.artifact("s0/s0")));
    }
    CHECK(packed[0] != packed[1]);
}

TEST_CASE("a hundred thousand unrelated files in a searched directory") {
    Suite suite;
    for (int i = 0; i < 100'000; ++i) {
        write_file(suite.root / "sdk/before" / ("unrelated" + std::to_string(i) + ".h"), "");
    }
    suite.expect({});
    write_file(suite.root / "sdk/before/one_more.h", "");
    suite.expect({});
    write_file(suite.root / "sdk/before/first.h", "#define FIRST_VALUE 6\n");
    suite.expect_once(k_kernel);
}

TEST_CASE("a header replaced by an older one") {
    Suite suite;
    const fs::path older = suite.root / "sdk/older.h";
    write_file(older, "#pragma once\n#define FIRST_VALUE 4\n");
    set_mtime(older, -1'000'000);
    fs::rename(older, suite.root / "sdk/include/first.h");
    suite.expect_once(k_kernel);
}

TEST_CASE("two headers swap their names") {
    Suite suite;
    write_file(suite.root / "sdk/include/first2.h", "#pragma once\n#define FIRST_VALUE 4\n");
    edit_file(suite.kernel, "// a comment", "#include \"first2.h\"\n#undef FIRST_VALUE");
    suite.expect_once(k_kernel);
    fs::rename(suite.root / "sdk/include/first.h", suite.root / "sdk/t");
    fs::rename(suite.root / "sdk/include/first2.h", suite.root / "sdk/include/first.h");
    fs::rename(suite.root / "sdk/t", suite.root / "sdk/include/first2.h");
    suite.expect_once(k_kernel);
}

TEST_CASE("a header that is a link: another target, and another content of the target") {
    Suite suite;
    const fs::path header = suite.root / "sdk/include/first.h";
    write_file(suite.root / "elsewhere/a.h", read_file(header));
    write_file(suite.root / "elsewhere/b.h", "#pragma once\n#define FIRST_VALUE 6\n");
    fs::remove(header);
    fs::create_symlink("../../elsewhere/a.h", header);
    suite.expect({});
    fs::remove(header);
    fs::create_symlink("../../elsewhere/b.h", header);
    suite.expect_once(k_kernel);
    edit_file(suite.root / "elsewhere/b.h", "6", "8");
    suite.expect_once(k_kernel);
    // A directory that is a link, likewise.
    fs::rename(suite.root / "sdk/include/sub", suite.root / "elsewhere/sub");
    fs::create_directory_symlink("../../elsewhere/sub", suite.root / "sdk/include/sub");
    suite.expect({});
    edit_file(suite.root / "elsewhere/sub/deep.h", "7", "8");
    suite.expect_once(k_kernels);
}

TEST_CASE("a computed include") {
    Suite suite("#define NAME \"named.h\"\n#include NAME", "NAMED");
    write_file(suite.root / "sdk/include/named.h", "#define NAMED 1\n");
    suite.expect_once(k_kernel);
    edit_file(suite.root / "sdk/include/named.h", "1", "2");
    suite.expect_once(k_kernel);
    write_file(suite.root / "sdk/before/named.h", "#define NAMED 3\n");
    suite.expect_once(k_kernel);
}

TEST_CASE("a computed include whose name an option gives") {
    Suite suite("#include NAME", "NAMED");
    write_file(suite.root / "sdk/include/one.h", "#define NAMED 1\n");
    write_file(suite.root / "sdk/include/two.h", "#define NAMED 2\n");
    add_args(suite.root, {"-DNAME=\"one.h\""});
    suite.expect_once(k_kernels);
    write_file(suite.root / "sdk/before/one.h", "#define NAMED 3\n");
    suite.expect_once(k_kernel);
}

TEST_CASE("include_next: a header appears between the two") {
    Suite suite("#include \"next.h\"", "NEXT");
    change_json(suite.root / "sdk/tiny.sdk.json", [](json &sdk) {
        sdk["platforms"]["sim"]["image"]["include_dirs"] = {"before", "between", "include"};
    });
    fs::create_directories(suite.root / "sdk/between");
    write_file(suite.root / "sdk/before/next.h", "#include_next <next.h>\n");
    write_file(suite.root / "sdk/include/next.h", "#define NEXT 1\n");
    suite.expect_once(k_kernels);
    write_file(suite.root / "sdk/between/next.h", "#define NEXT 2\n");
    suite.expect_once(k_kernel);
}

TEST_CASE("directories that options add") {
    Suite suite("#include <system.h>", "SYSTEM");
    add_args(suite.root, {"-isystem", "sdk/system1", "-isystem", "sdk/system2", "-idirafter", "sdk/after"});
    write_file(suite.root / "sdk/after/system.h", "#define SYSTEM 1\n");
    suite.expect_once(k_kernels);
    edit_file(suite.root / "sdk/after/system.h", "1", "2");
    suite.expect_once(k_kernel);
    write_file(suite.root / "sdk/system2/system.h", "#define SYSTEM 3\n");
    suite.expect_once(k_kernel);
    write_file(suite.root / "sdk/system1/system.h", "#define SYSTEM 4\n");
    suite.expect_once(k_kernel);
}

TEST_CASE("a sysroot") {
    Suite suite("#include <rooted.h>", "ROOTED");
    add_args(suite.root, {"--sysroot=sdk/sysroot", "-isystem", "=/usr/include"});
    write_file(suite.root / "sdk/sysroot/usr/include/rooted.h", "#define ROOTED 1\n");
    // The kernels are linked without start files and libraries, which that sysroot has not.
    add_args(suite.root, {"-nostdlib"});
    suite.expect_once(k_kernels);
    edit_file(suite.root / "sdk/sysroot/usr/include/rooted.h", "1", "2");
    suite.expect_once(k_kernel);
    write_file(suite.root / "sdk/sysroot/usr/local/include/rooted.h", "#define ROOTED 3\n");
    suite.expect_once(k_kernel);
}

TEST_CASE("two byte-equal headers with #pragma once in one unit are not kept") {
    Suite suite;
    write_file(suite.root / "sdk/include/a/same.h", "#pragma once\n#include \"value.h\"\n");
    write_file(suite.root / "sdk/include/b/same.h", "#pragma once\n#include \"value.h\"\n");
    write_file(suite.root / "sdk/include/a/value.h", "#define A 1\n");
    write_file(suite.root / "sdk/include/b/value.h", "#define B 1\n");
    edit_file(suite.kernel, "// a comment", "#include \"a/same.h\"\n#include \"b/same.h\"");
    for (int round = 0; round < 2; ++round) {
        const Outcome outcome = suite.checkout.warm();
        INFO(outcome.result.text());
        CHECK(outcome.result.status == 0);
        CHECK(outcome.trace.compiled() == k_kernel);
        CHECK(outcome.figure("callables", "uncacheable") == 1);
        CHECK(outcome.result.text().find("same.h") != std::string::npos);
    }
}

TEST_CASE("what the assembler includes") {
    Suite suite;
    write_file(suite.root / "payload.bin", "payload 1");
    write_file(suite.root / "more.inc", ".byte 1\n");
    edit_file(suite.kernel, "// a comment",
              "asm(\".data\\n.inc\" \"bin \\\"payload.bin\\\"\\n.include \\\"more.inc\\\"\\n.text\\n\");");
    suite.expect_once(k_kernel);
    const std::string before = suite.packed();
    write_file(suite.root / "payload.bin", "payload 2");
    suite.expect_once(k_kernel);
    CHECK(suite.packed() != before);
    write_file(suite.root / "more.inc", ".byte 2\n");
    suite.expect_once(k_kernel);
    write_file(suite.root / "payload.bin", "payload 1");
    write_file(suite.root / "more.inc", ".byte 1\n");
    suite.expect({});
    CHECK(suite.packed() == before);
}

TEST_CASE("declared inputs") {
    Suite suite;
    write_file(suite.root / "scenes/s0/table.bin", "table 1");
    edit_file(suite.kernel, "// a comment", "asm(\".data\\n.incbin \\\"scenes/s0/table.bin\\\"\\n.text\\n\");");
    change_json(suite.root / "scenes/s0/s0.scene.json", [](json &scene) {
        scene["callables"][0]["incores"][0]["extra_inputs"] = {"table.bin", "unread.bin"};
    });
    write_file(suite.root / "scenes/s0/unread.bin", "1");
    suite.expect_once(k_kernel);
    write_file(suite.root / "scenes/s0/table.bin", "table 2");
    suite.expect_once(k_kernel);
    write_file(suite.root / "scenes/s0/unread.bin", "2");
    suite.expect_once(k_kernel);
}

TEST_CASE("date and time are the same at any time") {
    const Suite suite("extern \"C\" const char *built() { return __DATE__ \" \" __TIME__; }");
    suite.expect_once(k_kernel);
    CHECK(suite.packed().find("Jan  1 1980 00:00:00") != std::string::npos);
}

TEST_CASE("equal sources in two folders, with different headers beside them") {
    const Suite suite;
    change_json(suite.root / "scenes/s0/s0.scene.json", [](json &scene) {
        json &incores = scene["callables"][0]["incores"];
        for (const char *name : {"x", "y"}) {
            json more = incores[0];
            more["func_id"] = name[0] * 2;
            more["name"] = std::string("same_") + name;
            more["source"] = std::string("kernels/") + name + "/same.cpp";
            incores.push_back(more);
        }
    });
    for (const char *name : {"x", "y"}) {
        const fs::path folder = suite.root / "scenes/s0/kernels" / name;
        write_file(folder / "same.cpp", "#include \"beside.h\"\n" + kernel_text("BESIDE"));
        write_file(folder / "beside.h", std::string("#define BESIDE '") + name + "'\n");
    }
    suite.expect_once({"same.cpp", "same.cpp"});
    std::map<std::string, int> contents;
    for (const auto &[path, bytes] : suite.checkout.artifacts()) {
        if (path.ends_with("image.so") || path.ends_with(".so")) {
            ++contents[bytes];
        }
    }
    for (const auto &[bytes, count] : contents) {
        CHECK(count == 1);
    }
    edit_file(suite.root / "scenes/s0/kernels/y/beside.h", "'y'", "'z'");
    suite.expect_once({"same.cpp"});
}

TEST_CASE("two trees that differ in one header share a store") {
    const TemporaryFolder folder;
    std::map<std::string, std::string> packed;
    for (int round = 0; round < 3; ++round) {
        for (const char *value : {"5", "6"}) {
            Checkout checkout(folder.path() / ("tree" + std::string(value)), folder.path() / "home");
            checkout.options = {"--store", (folder.path() / "store").string()};
            if (round == 0) {
                checkout.write_suite({1, 1});
                edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "DEEP_VALUE + 0", "FIRST_VALUE");
                write_file(checkout.root() / "sdk/include/first.h", "#define FIRST_VALUE " + std::string(value) + "\n");
            }
            const Outcome outcome = checkout.warm();
            CHECK(outcome.result.status == 0);
            CHECK(outcome.trace.compiled().size() == (round > 0 ? 0 : packed.empty() ? 5 : 1));
            const std::string bytes = read_file(checkout.artifact("s0/s0"));
            CHECK(packed.emplace(value, bytes).first->second == bytes);
        }
    }
    CHECK(packed["5"] != packed["6"]);
}

TEST_CASE("the source itself is edited while its compile runs") {
    for (const char *when : {"s0_k0.cpp.before", "s0_k0.cpp.after"}) {
        CAPTURE(when);
        SuiteShape shape{1, 1};
        shape.gated = true;
        const TemporaryFolder folder;
        const Checkout checkout(folder.path() / "checkout", folder.path() / "home");
        Checkout(checkout).write_suite(shape);
        const fs::path kernel = checkout.root() / "scenes/s0/kernels/s0_k0.cpp";
        {
            Gate gate(checkout.tools(), when);
            Background warm(checkout.command("warm"));
            REQUIRE(gate.wait_reached(warm));
            edit_file(kernel, "DEEP_VALUE + 0", "DEEP_VALUE + 9");
            gate.open();
            static_cast<void>(warm.wait());
        }
        CHECK(checkout.warm().result.status == 0);
        CHECK(checkout.warm().built() == 0);
        const std::string edited = read_file(checkout.artifact("s0/s0"));
        edit_file(kernel, "DEEP_VALUE + 9", "DEEP_VALUE + 0");
        CHECK(checkout.warm().result.status == 0);
        const std::string old = read_file(checkout.artifact("s0/s0"));
        Checkout fresh(folder.path() / "fresh", folder.path() / "home2");
        fresh.write_suite(shape);
        REQUIRE(fresh.warm().result.status == 0);
        CHECK(old == read_file(fresh.artifact("s0/s0")));
        edit_file(fresh.root() / "scenes/s0/kernels/s0_k0.cpp", "DEEP_VALUE + 0", "DEEP_VALUE + 9");
        REQUIRE(fresh.warm().result.status == 0);
        CHECK(edited == read_file(fresh.artifact("s0/s0")));
    }
}

}  // namespace scene_kernels::e2e
