// Real toolchains, copied so that they can be changed: whatever of one is replaced by other bytes of the same version
// is noticed, and new times alone are not.
#include <algorithm>

#include <doctest/doctest.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

using Names = std::vector<std::string>;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// Of a suite with one scene of one kernel: two kernels, two objects, a library and the packer. The pack is a seventh.
constexpr int k_all = 6;

// A copy of this machine's GCC below `top`, in the layout in which a driver finds its own programs.
class CopiedGcc {
public:
    explicit CopiedGcc(const fs::path &top) : m_top(top) {
        const fs::path driver = fs::canonical("/usr/bin/g++");
        const std::string machine = fs::path(machine_of(driver)).filename().string();
        const std::string version = trimmed(run({{driver.string(), "-dumpversion"}, {}, clean_environment("/")}).out);
        const fs::path own = fs::path("/usr/lib/gcc") / machine / version;
        m_own = top / "lib/gcc" / machine / version;
        fs::create_directories(m_own);
        for (const auto &entry : fs::directory_iterator(own)) {
            const fs::path to = m_own / entry.path().filename();
            if (entry.is_symlink()) {
                fs::create_symlink(fs::canonical(entry.path()), to);
            } else if (entry.is_directory()) {
                copy_tree(entry.path(), to);
            } else {
                fs::copy_file(entry.path(), to);
            }
        }
        fs::create_directories(top / "bin");
        fs::copy_file(driver, top / "bin/g++");
        fs::copy_file(fs::canonical("/usr/bin/as"), m_own / "as");
        fs::copy_file(fs::canonical("/usr/bin/ld"), m_own / "ld");
        fs::create_directory_symlink("/usr/include", top / "include");
    }

    [[nodiscard]] fs::path driver() const { return m_top / "bin/g++"; }
    // A file of the compiler's own folder.
    [[nodiscard]] fs::path own(const std::string &name) const { return m_own / name; }

    static std::string machine_of(const fs::path &driver) {
        return trimmed(run({{driver.string(), "-dumpmachine"}, {}, clean_environment("/")}).out);
    }
    static std::string trimmed(std::string text) {
        while (text.ends_with('\n')) {
            text.pop_back();
        }
        return text;
    }

private:
    fs::path m_top;
    fs::path m_own;
};

void use_compiler(const Checkout &checkout, const std::string &program, const std::string &family) {
    change_json(checkout.root() / "sdk/tiny.sdk.json", [&](json &sdk) {
        sdk["toolchains"]["host"]["compilers"] = {{{"program", program}, {"family", family}}};
    });
}

// The same program, and other bytes.
void append(const fs::path &path, const std::string &bytes) {
    write_file(path, read_file(path) + bytes);
}

// Everything that a compiler or linker makes is made again, once.
void expect_all_built(const Checkout &checkout) {
    const Outcome outcome = checkout.warm();
    INFO(outcome.result.text());
    CHECK(outcome.result.status == 0);
    CHECK(outcome.built() >= k_all);
    const Outcome again = checkout.warm();
    CHECK(again.result.status == 0);
    CHECK(again.trace.compiler_processes() == 0);
}

bool contains(const Names &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("GCC: each of its programs, its specs, its headers, and what it links with") {
    const TemporaryFolder folder;
    const CopiedGcc gcc(folder.path() / "tool");
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    use_compiler(checkout, gcc.driver().string(), "gcc");
    edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "// a comment", "#include <stddef.h>");
    expect_all_built(checkout);

    SUBCASE("programs") {
        for (const fs::path &program :
             {gcc.driver(), gcc.own("cc1plus"), gcc.own("as"), gcc.own("ld"), gcc.own("collect2")}) {
            CAPTURE(program.string());
            append(program, "x");
            expect_all_built(checkout);
        }
    }
    SUBCASE("new times on everything") {
        touch_tree(folder.path() / "tool", 10);
        for (const char *name : {"cc1plus", "as", "ld"}) {
            const std::string bytes = read_file(gcc.own(name));
            fs::remove(gcc.own(name));
            write_file(gcc.own(name), bytes);
            fs::permissions(gcc.own(name), fs::perms(0755));
        }
        const Outcome outcome = checkout.warm();
        CHECK(outcome.result.status == 0);
        CHECK(outcome.built() == 0);
        CHECK(outcome.trace.compiled().empty());
    }
    SUBCASE("specs that appear") {
        // All of its own specs, since a driver that reads a file does not complete them as it does those built in.
        const std::string specs = run({{gcc.driver().string(), "-dumpspecs"}, {}, clean_environment("/")}).out;
        write_file(gcc.own("specs"), specs + "*cc1plus:\n+ -DSPEC=1\n\n");
        expect_all_built(checkout);
        write_file(gcc.own("specs"), specs + "*cc1plus:\n+ -DSPEC=2\n\n");
        expect_all_built(checkout);
        fs::remove(gcc.own("specs"));
        const Outcome outcome = checkout.warm();
        CHECK(outcome.built() == 0);
    }
    SUBCASE("a header of its own") {
        append(gcc.own("include/stddef.h"), "/* */\n");
        const Outcome outcome = checkout.warm();
        CHECK(outcome.result.status == 0);
        CHECK(contains(outcome.trace.compiled(), "s0_k0.cpp"));
        CHECK_FALSE(contains(outcome.trace.compiled(), "common.cpp"));
        CHECK(checkout.warm().built() == 0);
    }
    SUBCASE("what it links with") {
        for (const char *name : {"crtbeginS.o", "crtendS.o"}) {
            CAPTURE(name);
            append(gcc.own(name), std::string(1, '\0'));
            const Outcome outcome = checkout.warm();
            INFO(outcome.result.text());
            CHECK(outcome.result.status == 0);
            CHECK(outcome.figure("actions", "built") >= 3);  // two images and the library
            CHECK_FALSE(contains(outcome.trace.compiled(), "s0_orch.cpp"));
            CHECK(checkout.warm().built() == 0);
        }
    }
}

TEST_CASE("Clang: its program, its configuration file, its headers") {
    const fs::path from = "/usr/lib/llvm-14";
    if (!fs::exists(from / "bin/clang")) {
        MESSAGE("skipped: clang-14 is not installed");
        return;
    }
    const TemporaryFolder folder;
    const fs::path tool = folder.path() / "tool";
    fs::create_directories(tool / "bin");
    fs::create_directories(tool / "lib");
    fs::copy_file(fs::canonical(from / "bin/clang"), tool / "bin/clang");
    const std::string name = CopiedGcc::machine_of("/usr/bin/g++") + "-clang++";
    fs::create_symlink("clang", tool / "bin" / name);
    const fs::path resources = CopiedGcc::trimmed(
        run({{(tool / "bin" / name).string(), "-print-resource-dir"}, {}, clean_environment("/")}).out);
    REQUIRE(resources.string().starts_with(tool.string()));
    copy_tree(fs::canonical(from / "lib/clang" / resources.filename() / "include"), resources / "include");

    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    use_compiler(checkout, (tool / "bin" / name).string(), "clang");
    edit_file(checkout.root() / "scenes/s0/kernels/s0_k0.cpp", "// a comment", "#include <stddef.h>");
    expect_all_built(checkout);

    append(tool / "bin/clang", "x");
    expect_all_built(checkout);
    write_file(tool / "bin" / (name + ".cfg"), "-DCONFIGURED=1\n");
    expect_all_built(checkout);
    write_file(tool / "bin" / (name + ".cfg"), "-DCONFIGURED=2\n");
    expect_all_built(checkout);
    append(resources / "include/stddef.h", "/* */\n");
    const Outcome header = checkout.warm();
    CHECK(header.result.text().find("AIV s0/s0_k0\n") != std::string::npos);
    CHECK(header.result.text().find("AIV s0/common\n") == std::string::npos);
    touch_tree(tool, 10);
    CHECK(checkout.warm().built() == 0);
}

TEST_CASE("another assembler, and another compiler, first on PATH") {
    const TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    use_compiler(checkout, "g++", "gcc");
    const fs::path first = folder.path() / "first";
    fs::create_directories(first);
    checkout.environment["PATH"] = first.string() + ":/usr/bin:/bin";
    expect_all_built(checkout);
    fs::copy_file(fs::canonical("/usr/bin/as"), first / "as");
    CHECK(checkout.warm().built() == 0);  // the same bytes
    append(first / "as", "x");
    expect_all_built(checkout);
    const CopiedGcc gcc(folder.path() / "tool");
    append(gcc.driver(), "x");
    checkout.environment["PATH"] = gcc.driver().parent_path().string() + ":/usr/bin:/bin";
    expect_all_built(checkout);
}

TEST_CASE("a library that the compiler loads") {
    const TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    const fs::path tool = folder.path() / "tool";
    write_file(tool / "helper.c", "int helper(void) { return 0; }\n");
    write_file(tool / "driver.c",
               "#include <unistd.h>\nint helper(void);\n"
               "int main(int count, char **words) {\n    (void)count;\n    words[0] = \"/usr/bin/g++\";\n"
               "    return helper() + execv(words[0], words);\n}\n");
    const auto compile = [&tool](Names words) {
        words.insert(words.begin(), "/usr/bin/gcc");
        const Result result = run({words, tool, clean_environment(tool)});
        REQUIRE_MESSAGE(result.status == 0, result.text());
    };
    compile({"-shared", "-fPIC", "helper.c", "-o", "libhelper.so"});
    compile({"driver.c", "-o", "cxx", "-L.", "-lhelper", "-Wl,-rpath,$ORIGIN"});
    use_compiler(checkout, (tool / "cxx").string(), "gcc");
    change_json(checkout.root() / "sdk/tiny.sdk.json",
                [](json &sdk) { sdk["toolchains"]["host"]["compilers"][0]["wraps"] = {"/usr/bin/g++"}; });
    expect_all_built(checkout);
    append(tool / "libhelper.so", "x");
    expect_all_built(checkout);
}

TEST_CASE("a script as compiler says what it wraps, or is refused") {
    const TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    const fs::path script = folder.path() / "g++";
    write_file(script, "#!/bin/sh\nexec /usr/bin/g++ \"$@\"\n");
    fs::permissions(script, fs::perms(0755));
    use_compiler(checkout, script.string(), "gcc");
    const Outcome refused = checkout.warm();
    INFO(refused.result.text());
    CHECK(refused.result.status == 2);
    CHECK(refused.result.text().find("\"wraps\"") != std::string::npos);
    CHECK(refused.trace.compiled().empty());
    change_json(checkout.root() / "sdk/tiny.sdk.json",
                [](json &sdk) { sdk["toolchains"]["host"]["compilers"][0]["wraps"] = {"/usr/bin/g++"}; });
    expect_all_built(checkout);
    append(script, "# other\n");
    expect_all_built(checkout);
}

}  // namespace scene_kernels::e2e
