#include "action/depfile.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "os/process.h"
#include "temporary_directory.h"

using namespace scene_kernels;
using Names = std::vector<std::string>;

namespace {

struct Sample {
    const char *what;
    DepfileWriter writer;
    std::string text;
    Names names;
};

const auto k_compiler = DepfileWriter::compiler;
const auto k_assembler = DepfileWriter::assembler;
const auto k_linker = DepfileWriter::linker;

// As the tools printed them: g++ 12.2, clang 14 and 19, GNU as, ld and gold 2.40, lld 14 and 19.
const Sample k_samples[] = {
    {"g++",
     k_compiler,
     "s.o: s.cpp /usr/include/stdc-predef.h a\\ b.h a\\#b.h a$$b.h a:b.h a\\b.h \\\n"
     " a\\\\\\ b.h a\\\\\\\\\\ b.h a\\\\#b.h a'b.h \xc3\xa9.h a\\\tb.h a%b.h a\\$$b.h a;b&c|d.h \\\n"
     " a*b?[c].h a\\:b.h tail: \\#x.h \\ lead.h a\\ \\ b.h a(b).h \\\n"
     " a=b.h a\\\\b.h a$$$$b.h a\\\\\\#b.h\n",
     {"s.cpp",     "/usr/include/stdc-predef.h",
      "a b.h",     "a#b.h",
      "a$b.h",     "a:b.h",
      "a\\b.h",    "a\\ b.h",
      "a\\\\ b.h", "a\\#b.h",
      "a'b.h",     "\xc3\xa9.h",
      "a\tb.h",    "a%b.h",
      "a\\$b.h",   "a;b&c|d.h",
      "a*b?[c].h", "a\\:b.h",
      "tail:",     "#x.h",
      " lead.h",   "a  b.h",
      "a(b).h",    "a=b.h",
      "a\\\\b.h",  "a$$b.h",
      "a\\\\#b.h"}},
    {"clang",
     k_compiler,
     "s.o: s.cpp a\\ b.h a/\\#b.h a\tb.h a/$$b.h \\\n  \\ lead.h a\\ \\ b.h a//\\#b.h\n",
     {"s.cpp", "a b.h", "a/#b.h", "a\tb.h", "a/$b.h", " lead.h", "a  b.h", "a//#b.h"}},
    {"g++ -MP and several targets",
     k_compiler,
     "x y p$q c:d p$$q:\\ r\\#: u.cpp a\\ b.h \\\n a:b.h\na\\ b.h:\na:b.h:\n",
     {"u.cpp", "a b.h", "a:b.h"}},
    {"clang 14 -MP", k_compiler, "o\\ $$\\#:\\ x.o: u.cpp a\\ b.h\n\na\\ b.h:\n\nz.h:\n", {"u.cpp", "a b.h"}},
    {"GNU as",
     k_assembler,
     "t.o: a\\ b.h a#b.h a\\#b.h a$$b.h a\\\\\\ b.h a\\\tb.h tail\\\\ a\\:b.h \\\n a\\\\b.h t.s\n",
     {"a b.h", "a#b.h", "a\\#b.h", "a$b.h", "a\\ b.h", "a\tb.h", "tail\\", "a\\:b.h", "a\\\\b.h", "t.s"}},
    {"GNU ld and gold",
     k_linker,
     "o t#$.so: \\\n  ./a b.o \\\n  ./a#b.o \\\n  ./a$$b.o \\\n  ./a\\ b.o \\\n  ./a: b.o \\\n  ./a\\ \\\n   lead.o\n\n"
     "./a b.o:\n\n./a: b.o:\n",
     {"./a b.o", "./a#b.o", "./a$$b.o", "./a\\ b.o", "./a: b.o", "./a\\", " lead.o"}},
    {"lld",
     k_linker,
     "out.so: \\\n a\\ b.o \\\n a\\#b.o \\\n a$$b.o \\\n a/\\#b.o \\\n \\ lead.o\n\na\\ b.o:\n",
     {"a b.o", "a#b.o", "a$b.o", "a/#b.o", " lead.o"}},
    {"one line, as mold", k_linker, "out.so: a.o b.so\n\na.o:\n", {"a.o", "b.so"}},
    {"CRLF", k_compiler, "a.o: a.cpp \\\r\n b.h\r\n\r\nb.h:\r\n", {"a.cpp", "b.h"}},
    {"nothing at the end", k_compiler, "a.o: a.cpp \\\n b.h", {"a.cpp", "b.h"}},
    {"tabs as separators", k_compiler, "a.o:\ta.cpp \t\\\n\t\tb.h\t \n", {"a.cpp", "b.h"}},
    {"each once", k_compiler, "a.o: a.h b.h a.h\nc.o: b.h c.h\n", {"a.h", "b.h", "c.h"}},
    {"no inputs", k_compiler, "a.o:\n", {}},
    {"backslashes before a line end", k_compiler, "a.o: b\\\\\\\n c\\\\\n", {"b\\\\", "c\\\\"}},
    {"a lone dollar", k_compiler, "a.o: b$c $$$d\n", {"b$c", "$$d"}},
};

}  // namespace

TEST_CASE("parse_depfile reads what the tools write") {
    for (const Sample &sample : k_samples) {
        CAPTURE(sample.what);
        const auto names = parse_depfile(sample.text, sample.writer);
        REQUIRE(names.has_value());
        CHECK(*names == sample.names);
    }
}

TEST_CASE("parse_depfile reads a very long list") {
    std::string text = "a.o:";
    Names expected;
    for (int i = 0; i < 20000; ++i) {
        expected.push_back("dir/h" + std::to_string(i));
        text += " \\\n " + expected.back();
    }
    const auto names = parse_depfile(text + "\n");
    REQUIRE(names.has_value());
    CHECK(*names == expected);
}

TEST_CASE("parse_depfile refuses what cannot be a whole dependency file") {
    const auto message = [](std::string_view text, DepfileWriter writer = k_compiler) {
        const auto names = parse_depfile(text, writer);
        return names ? std::string("accepted") : names.error().message;
    };
    CHECK(message("").find("empty") != std::string::npos);
    CHECK(message(" \n\\\n\n").find("empty") != std::string::npos);
    CHECK(message("a.o a.cpp\n").find("line 1: a rule without a colon") != std::string::npos);
    CHECK(message("a.o: a\nb.h c.h\n").find("line 2: a rule without a colon") != std::string::npos);
    CHECK(message("a.o: a.h \\").find("cut off") != std::string::npos);
    CHECK(message(std::string_view("a.o: a\0b", 8)).find("NUL") != std::string::npos);
    CHECK(message("o: \\\n  a.o", k_linker).find("cut off") != std::string::npos);
    CHECK(message("o: \\\n  a.o \\\n  \n", k_linker).find("empty name") != std::string::npos);
    CHECK(message("o: \\\n  a\nb.o\n\n", k_linker).find("line break") != std::string::npos);
    CHECK(message(std::string_view("o: \\\n  a\0b\n", 11), k_linker).find("NUL") != std::string::npos);
}

TEST_CASE("parse_depfile survives every truncation and every changed byte") {
    for (const Sample &sample : k_samples) {
        for (std::size_t i = 0; i <= sample.text.size(); ++i) {
            const std::vector<char> exact(sample.text.begin(), sample.text.begin() + static_cast<std::ptrdiff_t>(i));
            (void)parse_depfile(std::string_view(exact.data(), exact.size()), sample.writer);
            for (const char c : {'\\', ' ', '\t', ':', '\n', '\r', '$', '#', '\0'}) {
                std::vector<char> changed(sample.text.begin(), sample.text.end());
                if (i < changed.size()) {
                    changed[i] = c;
                }
                (void)parse_depfile(std::string_view(changed.data(), changed.size()), sample.writer);
            }
        }
    }
}

namespace {

ProcessResult run(const TemporaryDirectory &directory, Names argv) {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.directory = directory.path();
    spec.environment = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}};
    auto result = real_processes().run(spec);
    return result ? *result : ProcessResult{127, false, {}, result.error().message};
}

bool contains(const Names &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("parse_depfile gives back the odd names that real compilers read") {
    const Names headers = {"a b.h", "#c.h", "d$e.h", "f:g.h", " h", "i'j.h", "k  l.h", "\xc3\xa9.h", "m\tn.h", "o\\p"};
    for (const char *compiler : {"/usr/bin/g++", "/usr/bin/clang++-14", "/usr/bin/clang++-19"}) {
        if (!real_filesystem().is_executable(compiler)) {
            continue;
        }
        CAPTURE(compiler);
        const TemporaryDirectory directory;
        std::string source;
        Names expected = {"odd #$ name.cpp"};
        for (const std::string &header : headers) {
            if (header.find('\\') != std::string::npos && std::string(compiler).find("clang") != std::string::npos) {
                continue;
            }
            REQUIRE(directory.add(header, ""));
            source += "#include \"" + header + "\"\n";
            expected.push_back(header);
        }
        REQUIRE(directory.add(expected.front(), source));
        const ProcessResult result = run(directory, {compiler, "-MD", "-MP", "-MF", "x.d", "-c", expected.front()});
        REQUIRE_MESSAGE(result.exit_status == 0, result.error_output);
        const auto names = parse_depfile(real_filesystem().read(directory / "x.d").value());
        REQUIRE(names.has_value());
        for (const std::string &name : expected) {
            CAPTURE(name);
            CHECK(contains(*names, name));
        }
    }
}

TEST_CASE("parse_depfile gives back the odd names that real assemblers and linkers read") {
    if (!real_filesystem().is_executable("/usr/bin/g++")) {
        return;
    }
    const TemporaryDirectory directory;
    const Names blobs = {"a b", "#c", "d$e", "\\#f", "\\ g", "h\\"};
    std::string source = "extern const char x[] = \"\";\n";
    for (const std::string &blob : blobs) {
        REQUIRE(directory.add(blob, "x"));
        std::string literal;
        for (const char c : blob) {
            literal += c == '\\' ? "\\\\\\\\" : std::string(1, c);
        }
        source += "asm(\".incbin \\\"" + literal + "\\\"\");\n";
    }
    REQUIRE(directory.add("o #$ 1.cpp", source));
    ProcessResult result = run(directory, {"/usr/bin/g++", "-c", "o #$ 1.cpp", "-Wa,--MD,as.d"});
    REQUIRE_MESSAGE(result.exit_status == 0, result.error_output);
    const auto assembled = parse_depfile(real_filesystem().read(directory / "as.d").value(), k_assembler);
    REQUIRE(assembled.has_value());
    for (const std::string &blob : blobs) {
        CAPTURE(blob);
        CHECK(contains(*assembled, blob));
    }
    for (const std::string linker : {"bfd", "gold", "lld"}) {
        if (!real_filesystem().is_executable("/usr/bin/ld." + linker)) {
            continue;
        }
        CAPTURE(linker);
        result = run(directory, {"/usr/bin/g++", "-shared", "-fuse-ld=" + linker, "o #$ 1.o", "-o", "x.so",
                                 "-Wl,--dependency-file=ld.d"});
        REQUIRE_MESSAGE(result.exit_status == 0, result.error_output);
        const auto linked = parse_depfile(real_filesystem().read(directory / "ld.d").value(), k_linker);
        REQUIRE(linked.has_value());
        CHECK(contains(*linked, "o #$ 1.o"));
    }
}
