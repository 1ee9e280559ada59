#include "build/elf.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "os/process.h"
#include "temporary_directory.h"

using namespace scene_kernels;
using Words = std::vector<std::string>;

namespace {

// The bytes of `output` after the commands ran in a folder with `source` as k.cpp; empty where a tool is missing.
std::string made(const std::string &source, const std::vector<Words> &commands, const std::string &output) {
    const TemporaryDirectory directory;
    if (!directory.add("k.cpp", source)) {
        return {};
    }
    for (const Words &command : commands) {
        if (!real_filesystem().is_executable(command[0])) {
            return {};
        }
        ProcessSpec spec;
        spec.argv = command;
        spec.directory = directory.path();
        spec.environment = {{"PATH", "/usr/bin:/bin"}};
        const auto result = real_processes().run(spec);
        REQUIRE_MESSAGE((result && result->exit_status == 0), (result ? result->error_output : ""));
    }
    return real_filesystem().read(directory / output).value_or("");
}

std::string compiled(const std::string &source, const Words &options, const std::string &compiler = "/usr/bin/g++") {
    Words command = {compiler, "-O2", "-fno-asynchronous-unwind-tables", "-fcf-protection=none"};
    if (compiler != "/usr/bin/g++") {
        command.pop_back();
    }
    command.insert(command.end(), options.begin(), options.end());
    for (const char *word : {"k.cpp", "-o", "out"}) {
        command.emplace_back(word);
    }
    return made(source, {command}, "out");
}

std::string linked(const std::string &source, const Words &options = {}) {
    Words command = {"/usr/bin/aarch64-linux-gnu-g++", "-O2", "-fno-asynchronous-unwind-tables", "-c"};
    command.insert(command.end(), options.begin(), options.end());
    command.emplace_back("k.cpp");
    return made(source, {command, {"/usr/bin/ld.lld-14", "-e", "kernel_entry", "-o", "out", "k.o"}}, "out");
}

std::string refusal(const std::string &bytes, const std::string &machine = {}) {
    const auto code = extract_section(bytes, ".text", "kernel_entry", machine);
    return code ? std::string("extracted") : code.error().message;
}

bool says(const std::string &message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

const std::string k_kernel = "extern \"C\" int kernel_entry(int *x) { return x[0] * 3 + x[1]; }\n";

}  // namespace

TEST_CASE("a shared library's machine, and the function that it defines") {
    const std::string bytes = compiled(k_kernel, {"-shared", "-fPIC"});
    if (bytes.empty()) {
        return;
    }
    const auto summary = summarize_elf(bytes);
    REQUIRE(summary.has_value());
    CHECK(summary->shared_library);
    CHECK_FALSE(summary->relocatable);
    const auto symbol = find_symbol(bytes, "kernel_entry", true);
    REQUIRE((symbol && *symbol));
    CHECK((*symbol)->section == ".text");
    CHECK((*symbol)->size > 4);
    const auto missing = find_symbol(bytes, "kernel_entr", true);
    CHECK((missing && !*missing));
    const std::string hidden = compiled(k_kernel, {"-shared", "-fPIC", "-fvisibility=hidden"});
    const auto unseen = find_symbol(hidden, "kernel_entry", true);
    CHECK((unseen && !*unseen));
    const std::string undefined =
        compiled("extern \"C\" int kernel_entry(); int f() { return kernel_entry(); }", {"-shared", "-fPIC"});
    const auto imported = find_symbol(undefined, "kernel_entry", true);
    CHECK((imported && !*imported));
    CHECK(machine_name(62) == "x86_64");
    CHECK(machine_name(183) == "aarch64");
    CHECK(machine_name(4321) == "machine 4321");
}

TEST_CASE("the code of a linked kernel is extracted") {
    const std::string bytes = linked(k_kernel);
    if (bytes.empty()) {
        return;
    }
    const auto code = extract_section(bytes, ".text", "kernel_entry", "aarch64");
    REQUIRE_MESSAGE(code.has_value(), code.error().message);
    CHECK(code->size() >= 12);
    CHECK(code->size() % 4 == 0);
    CHECK(code->substr(code->size() - 4) == "\xc0\x03\x5f\xd6");  // ret
    const auto summary = summarize_elf(bytes);
    REQUIRE(summary.has_value());
    CHECK(machine_name(summary->machine) == "aarch64");
}

TEST_CASE("what would not run on a device is refused, with the reason") {
    const std::string other = "__attribute__((noinline)) int other(int x) { return x * 7; }\n";
    const std::string calls = "extern \"C\" int kernel_entry(int x) { return other(x) + 1; }\n";
    if (linked(k_kernel).empty()) {
        return;
    }
    CHECK(says(refusal(linked(k_kernel), "x86_64"), "is for aarch64, not for x86_64"));
    CHECK(says(refusal(linked(other + calls)), "kernel_entry is not at the start of .text (.text+"));
    CHECK(says(refusal(linked("int other() { return 1; }")), "does not define kernel_entry"));
    CHECK(says(refusal(linked("extern \"C\" void kernel_entry() {}")), "kernel_entry is empty (4 bytes in .text)"));
    CHECK(says(refusal(linked("int x = 1;")), "has no code: section .text is "));
    const Words sections = {"/usr/bin/aarch64-linux-gnu-g++", "-O2", "-c", "-ffunction-sections", "k.cpp", "-o", "out"};
    CHECK(says(refusal(made(k_kernel, {sections}, "out")), "still has the section .text.kernel_entry"));
    const std::string far = "extern \"C\" int far(int); extern \"C\" int kernel_entry(int x) { return far(x) + 1; }\n";
    const Words object = {"/usr/bin/aarch64-linux-gnu-g++", "-O2", "-c", "k.cpp", "-o", "out"};
    CHECK(says(refusal(made(far, {object}, "out")), "relocations (.rela.text)"));
    CHECK(says(refusal(""), "it is empty"));
    CHECK(says(refusal("#!/bin/sh\nexit 0\nand so on"), "ELF magic"));
    CHECK(says(refusal("\x7f"
                       "ELF"),
               "ELF magic"));
}

TEST_CASE("hostile ELF files are survived") {
    const std::string bytes = compiled(k_kernel, {"-shared", "-fPIC", "-nostdlib"});
    if (bytes.empty()) {
        return;
    }
    const auto try_all = [](const std::vector<char> &changed) {
        const std::string_view view(changed.data(), changed.size());
        (void)summarize_elf(view);
        (void)find_symbol(view, "kernel_entry", true);
        (void)find_symbol(view, "kernel_entry", false);
        (void)extract_section(view, ".text", "kernel_entry");
    };
    for (std::size_t i = 0; i < bytes.size(); i += i < 256 ? 1 : 61) {
        try_all(std::vector<char>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i)));
    }
    // The header and the section table decide where everything else is.
    const std::size_t table = bytes.size() > 2048 ? bytes.size() - 2048 : 0;
    for (std::size_t i = 0; i < bytes.size(); i += i < 64 || i >= table ? 1 : 37) {
        for (const char c : {'\xff', '\x7f', '\x01', '\0'}) {
            std::vector<char> changed(bytes.begin(), bytes.end());
            changed[i] = c;
            try_all(changed);
        }
    }
}
