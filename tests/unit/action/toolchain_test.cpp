#include "action/toolchain.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "action/elf_loading.h"
#include "action/toolchain_answer.h"
#include "action/toolchain_questions.h"
#include "fake_compiler.h"
#include "os/clock.h"

using namespace scene_kernels;
using Words = std::vector<std::string>;

namespace {

const auto k_gcc = CompilerFamily::gcc;
const auto k_clang = CompilerFamily::clang;

bool contains(const Words &words, const std::string &word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

Digest print_of(FakeToolchain &fake, const ToolchainQuery &query) {
    const auto toolchain = fake.identify(query);
    REQUIRE_MESSAGE(toolchain.has_value(), (toolchain ? "" : toolchain.error().message));
    return toolchain->fingerprint;
}

// After `change` the compiler is asked again, and its fingerprint differs if `differs`; after `undo` it is as before.
template <typename Change, typename Undo>
void check_change(FakeToolchain &fake, const ToolchainQuery &query, bool differs, Change change, Undo undo) {
    const Digest before = print_of(fake, query);
    CHECK(print_of(fake, query) == before);
    CHECK(fake.processes.started == 0);
    change();
    CHECK((print_of(fake, query) != before) == differs);
    CHECK(fake.processes.started > 0);
    undo();
    CHECK(print_of(fake, query) == before);
}

std::string error_of(FakeToolchain &fake, const ToolchainQuery &query) {
    const auto toolchain = fake.identify(query);
    return toolchain ? std::string("identified") : toolchain.error().message;
}

}  // namespace

TEST_CASE("a remembered toolchain costs no process, and each of its parts counts") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    const ToolchainQuery query = fake.query(k_gcc);
    const auto toolchain = fake.identify(query);
    REQUIRE_MESSAGE(toolchain.has_value(), toolchain.error().message);
    CHECK(toolchain->version == "fake 1.0");
    CHECK(toolchain->machine == "fake-linux");
    CHECK(toolchain->library_directories == Words{fake / "lib/", "/linker/own", "/more"});
    for (const std::string name : {"bin/g++", "libexec/cc1plus", "libexec/collect2", "libexec/lto-wrapper",
                                   "libexec/liblto_plugin.so", "late/as", "late/ld"}) {
        CAPTURE(name);
        CHECK(contains(toolchain->files, fake / name));
        check_change(
            fake, query, true, [&] { fake.place(name, "changed"); }, [&] { fake.place(name); });
    }
    const auto is_libc = [](const std::string &path) { return path.find("/libc.so") != std::string::npos; };
    CHECK(std::any_of(toolchain->files.begin(), toolchain->files.end(), is_libc));
    CHECK(contains(toolchain->absent, fake / "early/cc1plus"));
    CHECK(contains(toolchain->absent, fake / "first/as"));
    CHECK(contains(toolchain->absent, fake / "lib/specs"));
}

TEST_CASE("what appears at an earlier place changes a toolchain, or is at least asked about") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    const ToolchainQuery query = fake.query(k_gcc);
    for (const std::string name :
         {"first/as", "first/ld", "early/as", "early/cc1plus", "early/collect2", "early/real-ld", "early/collect-ld",
          "early/liblto_plugin.so", "libexec/cc1", "libexec/lto1", "lib/specs"}) {
        CAPTURE(name);
        check_change(
            fake, query, true, [&] { fake.place(name, "earlier"); }, [&] { fake.remove(name); });
    }
    check_change(
        fake, query, false, [&] { fake.place("first/as"); }, [&] { fake.remove("first/as"); });
}

TEST_CASE("clang: what it shows, its configuration files, and the GCC installations that it chooses from") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    const ToolchainQuery query = fake.query(k_clang);
    const auto toolchain = fake.identify(query);
    REQUIRE_MESSAGE(toolchain.has_value(), toolchain.error().message);
    CHECK(toolchain->library_directories == Words{"/shown \"by\" driver", fake / "lib/"});
    for (const std::string name : {"bin/clang++", "libexec/clang", "late/ld"}) {
        CAPTURE(name);
        check_change(
            fake, query, true, [&] { fake.place(name, "changed"); }, [&] { fake.place(name); });
    }
    check_change(
        fake, query, true, [&] { fake.place_text("bin/clang++.cfg", "-O0\n"); },
        [&] { fake.remove("bin/clang++.cfg"); });
    check_change(
        fake, query, false, [&] { fake.place_text("gcc/fake/13", ""); }, [&] { fake.remove("gcc/fake/13"); });
    check_change(
        fake, query, false, [&] { fake.place("libexec/fake-linux-ld"); },
        [&] { fake.remove("libexec/fake-linux-ld"); });
}

TEST_CASE("a toolchain is the same wherever it is installed") {
    FakeToolchain one;
    FakeToolchain other;
    if (!one.usable() || !other.usable()) {
        return;
    }
    for (const CompilerFamily family : {k_gcc, k_clang, CompilerFamily::plain}) {
        CHECK(print_of(one, one.query(family)) == print_of(other, other.query(family)));
    }
    CHECK(print_of(one, one.query(k_gcc)) != print_of(one, one.query(k_clang)));
}

TEST_CASE("each part of a query is asked about on its own") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    const ToolchainQuery query = fake.query(k_gcc);
    (void)print_of(fake, query);
    const auto asks = [&fake, &query](const auto &change) {
        ToolchainQuery changed = query;
        change(changed);
        REQUIRE(fake.identify(changed).has_value());
        return fake.processes.started > 0;
    };
    CHECK_FALSE(asks([](ToolchainQuery &changed) { changed.name = "other"; }));
    CHECK(asks([](ToolchainQuery &changed) { changed.args = {"-m32"}; }));
    CHECK(asks([&](ToolchainQuery &changed) { changed.programs = {fake / "late/ld"}; }));
    CHECK(asks([&](ToolchainQuery &changed) { changed.wraps = {fake / "late/ld"}; }));
    CHECK(asks([](ToolchainQuery &changed) { changed.search_path += ":/usr/bin"; }));
    CHECK(asks([](ToolchainQuery &changed) { changed.environment["X"] = "y"; }));
    // The working directory matters only to an option with a relative path: checkouts share what was learnt.
    CHECK_FALSE(asks([&](ToolchainQuery &changed) { changed.directory = fake / "lib"; }));
    CHECK(asks([&](ToolchainQuery &changed) { changed.args = {"-B./tools"}; }));
    CHECK(asks([&](ToolchainQuery &changed) {
        changed.args = {"-B./tools"};
        changed.directory = fake / "lib";
    }));
    CHECK(asks([](ToolchainQuery &changed) { changed.family = CompilerFamily::plain; }));
}

TEST_CASE("options that select programs, plugins and specs") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    ToolchainQuery query = fake.query(k_gcc);
    query.args = {"-fuse-ld=gold"};
    CHECK(error_of(fake, query).find("ld.gold is not found along PATH") != std::string::npos);
    fake.place("late/ld.gold", "gold");
    check_change(
        fake, query, true, [&] { fake.place("late/ld.gold", "x"); }, [&] { fake.place("late/ld.gold", "gold"); });
    query.args = {"-specs=mine.specs"};
    CHECK(error_of(fake, query).find("mine.specs\" is not found") != std::string::npos);
    fake.place_text("lib/mine.specs", "a");
    check_change(
        fake, query, true, [&] { fake.place_text("mine.specs", "b"); }, [&] { fake.remove("mine.specs"); });
    query.args = {"-fplugin=lib/plugin.so"};
    fake.place("lib/plugin.so");
    check_change(
        fake, query, true, [&] { fake.place("lib/plugin.so", "x"); }, [&] { fake.place("lib/plugin.so"); });
    query.args = {"@options"};
    CHECK(error_of(fake, query).find("response file") != std::string::npos);
    query.args = {"-wrapper", "x"};
    CHECK(error_of(fake, query).find("another program") != std::string::npos);
}

TEST_CASE("what cannot be identified is an error that says why") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    const ToolchainQuery query = fake.query(k_gcc);
    const auto with = [&fake, &query](const std::string &removed) {
        fake.remove(removed);
        const std::string message = error_of(fake, query);
        fake.place(removed);
        return message;
    };
    CHECK(with("bin/g++").find("its compiler is missing: " + (fake / "bin/g++")) != std::string::npos);
    CHECK(with("late/as").find("its as is not found") != std::string::npos);
    CHECK(with("libexec/cc1plus").find("neither cc1plus nor cc1") != std::string::npos);
    fake.place_text("late/as", "no program");
    CHECK(error_of(fake, query).find("neither an ELF program") != std::string::npos);
    fake.place("late/as");
    CHECK(fake.answers.texts.empty());
    ToolchainQuery failing = fake.query(CompilerFamily::clang);
    failing.compiler = "/bin/false";
    CHECK(error_of(fake, failing).find("exit status 1") != std::string::npos);
}

TEST_CASE("scripts need to say what they run, and then all of it counts") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    const std::string script = "#!/usr/bin/env -S sh\nexec \"${0%/wrapper}/g++\" \"$@\"\n";
    fake.place_text("bin/wrapper", script);
    ToolchainQuery query = fake.query(CompilerFamily::plain);
    query.compiler = fake / "bin/wrapper";
    query.search_path += ":/usr/bin:/bin";
    CHECK(error_of(fake, query).find("\"wraps\"") != std::string::npos);
    query.wraps = {fake / "bin/g++", fake / "notes"};
    CHECK(error_of(fake, query).find("its wrapped file 2 is missing") != std::string::npos);
    fake.place_text("notes", "x");
    for (const std::string name : {"bin/g++", "notes"}) {
        check_change(
            fake, query, true, [&] { fake.place(name, "changed"); },
            [&] { name == "notes" ? fake.place_text(name, "x") : fake.place(name); });
    }
    check_change(
        fake, query, true, [&] { fake.place_text("bin/wrapper", script + "\n"); },
        [&] { fake.place_text("bin/wrapper", script); });
    const auto toolchain = fake.identify(query);
    REQUIRE(toolchain.has_value());
    CHECK(contains(toolchain->files, "/usr/bin/env"));
    CHECK(contains(toolchain->files, "/usr/bin/sh"));
}

TEST_CASE("compiler launchers are not taken for compilers") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    fake.place("tools/ccache");
    REQUIRE(real_filesystem().create_directories(fake / "masquerade").has_value());
    REQUIRE(real_filesystem().write_link(fake / "masquerade/g++", "../tools/ccache").has_value());
    ToolchainQuery query = fake.query(k_gcc);
    query.compiler = fake / "masquerade/g++";
    CHECK(error_of(fake, query).find("is ccache, not a compiler") != std::string::npos);
    FileSystem &files = real_filesystem();
    const std::string path = "::" + (fake / "masquerade") + ":" + (fake / "bin") + ":" + (fake / "tools");
    CHECK(find_program(files, "g++", path) == fake / "bin/g++");
    CHECK(find_program(files, "ccache", path) == fake / "tools/ccache");
    CHECK(find_program(files, fake / "bin/g++", "") == fake / "bin/g++");
    CHECK_FALSE(find_program(files, "fake-nothing", path).has_value());
    CHECK_FALSE(find_program(files, "", path).has_value());
    CHECK_FALSE(find_program(files, fake / "bin", "").has_value());
    REQUIRE(files.set_mode(fake / "bin/g++", 0644).has_value());
    CHECK_FALSE(find_program(files, "g++", path).has_value());
}

TEST_CASE("places where a library would be found earlier are watched") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    ToolchainQuery query = fake.query(k_gcc);
    query.environment["LD_LIBRARY_PATH"] = (fake / "shadow") + ":" + (fake / "lib");
    const auto toolchain = fake.identify(query);
    REQUIRE(toolchain.has_value());
    CHECK(contains(toolchain->absent, fake / "shadow"));
    CHECK(contains(toolchain->absent, fake / "lib/libc.so.6"));
    CHECK(contains(toolchain->absent, fake / "lib/glibc-hwcaps"));
}

TEST_CASE("a damaged memory is asked about again, and nothing else") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    const ToolchainQuery query = fake.query(k_gcc);
    const Digest before = print_of(fake, query);
    REQUIRE(fake.answers.texts.size() == 1);
    const std::string text = fake.answers.texts.begin()->second;
    for (std::size_t i = 0; i < text.size(); i += 7) {
        CHECK_FALSE(toolchain_answer_from_text(text.substr(0, i)).has_value());
        std::string changed = text;
        changed[i] = static_cast<char>(changed[i] ^ 0x11);
        (void)toolchain_answer_from_text(changed);
    }
    for (const char *other : {"", "[]", "{}", "{\"format\":1}", "null", "{\"format\":2}"}) {
        fake.answers.texts.begin()->second = other;
        CHECK(print_of(fake, query) == before);
        CHECK(fake.processes.started > 0);
    }
}

TEST_CASE("answers survive their text, whatever bytes paths have") {
    ToolchainAnswer answer;
    std::string bytes;
    for (int i = 1; i < 256; ++i) {
        bytes.push_back(static_cast<char>(i));
    }
    answer.version = bytes;
    answer.machine = "m";
    answer.files = {{"compiler", "/" + bytes, Sha256::of("x")}};
    answer.absent = {bytes};
    answer.links = {{bytes, "y"}};
    answer.witnesses = {{bytes, Sha256::of("y")}};
    answer.listings = {{"/", Sha256::of("z")}};
    answer.library_directories = {bytes, ""};
    const auto back = toolchain_answer_from_text(to_text(answer));
    REQUIRE(back.has_value());
    CHECK(to_text(*back) == to_text(answer));
    CHECK(back->files == answer.files);
    CHECK(back->absent == answer.absent);
    CHECK(back->version == bytes);
}

TEST_CASE("commands as -### shows them") {
    CHECK(parse_shown_command(" \"/a b/c\" \"-D\\\"x\\\\\\$\" \"\"") == Words{"/a b/c", "-D\"x\\$", ""});
    CHECK_FALSE(parse_shown_command("\"/a\"").has_value());
    CHECK_FALSE(parse_shown_command(" \"/a").has_value());
    CHECK_FALSE(parse_shown_command(" \"/a\\").has_value());
    CHECK_FALSE(parse_shown_command("").has_value());
}

TEST_CASE("loading information of hostile ELF files") {
    FakeToolchain fake;
    if (!fake.usable()) {
        return;
    }
    const std::string bytes = real_filesystem().read(fake / "bin/g++").value();
    const auto loading = read_elf_loading(bytes);
    REQUIRE(loading.has_value());
    CHECK(loading->interpreter.find("/ld-") != std::string::npos);
    CHECK(loading->dynamic);
    CHECK(contains(loading->needed, "libc.so.6"));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i < 4096 || i % 64 == 0) {
            const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
            (void)read_elf_loading(std::string_view(cut.data(), cut.size()));
        }
        std::vector<char> changed(bytes.begin(), bytes.end());
        for (const char c : {'\xff', '\x7f', '\0'}) {
            changed[i] = c;
            if (i < 1024 || i % 16 == 0) {
                (void)read_elf_loading(std::string_view(changed.data(), changed.size()));
            }
        }
    }
    CHECK_FALSE(read_elf_loading("").has_value());
    CHECK_FALSE(read_elf_loading("#!/bin/sh").has_value());
    CHECK_FALSE(read_elf_loading(bytes.substr(0, 20)).has_value());
}

TEST_CASE("the compilers of this machine are identified, and remembered") {
    struct Real {
        const char *path;
        CompilerFamily family;
        const char *part;
    };
    for (const Real &real :
         {Real{"/usr/bin/g++", k_gcc, "cc1plus"}, Real{"/usr/bin/aarch64-linux-gnu-g++", k_gcc, "cc1plus"},
          Real{"/usr/bin/clang++-14", k_clang, "libLLVM"}, Real{"/usr/bin/clang++-19", k_clang, "libLLVM"}}) {
        if (!real_filesystem().is_executable(real.path)) {
            continue;
        }
        CAPTURE(real.path);
        ToolchainQuery query;
        query.name = "real";
        query.compiler = real.path;
        query.family = real.family;
        query.search_path = "/usr/bin:/bin";
        query.directory = "/";
        MapAnswers answers;
        CountingProcesses processes;
        FileMemory memory(real_filesystem(), real_clock());
        const auto first = identify_toolchain(real_filesystem(), processes, memory, answers, query);
        REQUIRE_MESSAGE(first.has_value(), first.error().message);
        CHECK(processes.started > 0);
        const auto has_part = [&real](const std::string &path) { return path.find(real.part) != std::string::npos; };
        CHECK(std::any_of(first->files.begin(), first->files.end(), has_part));
        CHECK_FALSE(first->version.empty());
        CHECK_FALSE(first->machine.empty());
        CHECK_FALSE(first->library_directories.empty());
        processes.started = 0;
        const auto second = identify_toolchain(real_filesystem(), processes, memory, answers, query);
        REQUIRE(second.has_value());
        CHECK(processes.started == 0);
        CHECK(second->fingerprint == first->fingerprint);
        CHECK(second->files == first->files);
        CHECK(second->absent == first->absent);
    }
}

TEST_CASE("header directories as the driver searches them") {
    for (const char *compiler : {"/usr/bin/g++", "/usr/bin/clang++-14", "/usr/bin/clang++-19"}) {
        if (!real_filesystem().is_executable(compiler)) {
            continue;
        }
        CAPTURE(compiler);
        const TemporaryDirectory directory;
        REQUIRE(directory.add("a b/x.h", ""));
        REQUIRE(directory.add("q/x.h", ""));
        ToolchainQuery query;
        query.name = "real";
        query.compiler = compiler;
        query.search_path = "/usr/bin:/bin";
        query.directory = directory.path();
        const auto found =
            ask_header_directories(real_processes(), query, {"-Ia b", "-iquote", "q", "-Imissing", "-Ia b"});
        REQUIRE_MESSAGE(found.has_value(), found.error().message);
        CHECK(found->quote == Words{"q"});
        REQUIRE_FALSE(found->directories.empty());
        CHECK(found->directories[0] == "a b");
        CHECK(contains(found->directories, "/usr/include"));
        CHECK(contains(found->elsewhere, "missing"));
        CHECK(contains(found->elsewhere, "a b"));
        CHECK(contains(found->missing, "missing"));
        CHECK_FALSE(contains(found->missing, "a b"));
        const auto failed = ask_header_directories(real_processes(), query, {"-fno-such-option-at-all=x"});
        CHECK_FALSE(failed.has_value());
    }
}
