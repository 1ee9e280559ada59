#include "action/source_scan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace scene_kernels;
using namespace std::string_literals;

namespace {

// One line per fact: "include <x.h>", "has_include_next \"x.h\"", "hidden 1 @3", "alias X", "computed", "once", "asm".
std::string facts_text(const SourceFacts &facts) {
    static const char *const k_kinds[] = {"", "include", "include_next", "has_include", "has_include_next"};
    std::string text;
    for (const Directive &directive : facts.directives) {
        text += k_kinds[static_cast<int>(directive.kind)];
        text.append(directive.quoted ? " \"" : " <").append(directive.name).append(directive.quoted ? "\"\n" : ">\n");
    }
    for (const HiddenInputPlace &place : facts.hidden) {
        text.append("hidden ").append(std::to_string(static_cast<int>(place.kind)));
        text.append(" @").append(std::to_string(place.line)).append("\n");
    }
    for (const std::string &alias : facts.aliases) {
        text.append("alias ").append(alias).append("\n");
    }
    text += facts.computed_include ? "computed\n" : "";
    text += facts.pragma_once ? "once\n" : "";
    text += facts.mentions_asm ? "asm\n" : "";
    return text;
}

std::string scan(std::string_view text, const std::vector<std::string> &operators = {}) {
    const std::vector<char> exact(text.begin(), text.end());  // so that reading past the end is noticed
    return facts_text(scan_source(std::string_view(exact.data(), exact.size()), operators));
}

struct Sample {
    std::string source;
    std::string facts;
};

void check_all(const std::vector<Sample> &samples) {
    for (const Sample &sample : samples) {
        CAPTURE(sample.source);
        CHECK(scan(sample.source) == sample.facts);
    }
}

}  // namespace

TEST_CASE("include directives are found in every spelling") {
    check_all({
        {"#include <a.h>\n", "include <a.h>\n"},
        {"#include \"a.h\"", "include \"a.h\"\n"},
        {"\xef\xbb\xbf#include<a.h>", "include <a.h>\n"},
        {"  # /* c */ include /* c\n */ <a/../b c.h> // d", "include <a/../b c.h>\n"},
        {"#include \"x.h\" // \"y.h\"\r\n", "include \"x.h\"\n"},
        {"#include \"x#$'.h\"\r\n", "include \"x#$'.h\"\n"},
        {"#include <a//b/*c>\n", "include <a//b/*c>\n"},
        {"#in\\\nclu\\ \t\nde\\\r\n <a\\\n.h>\n", "include <a.h>\n"},
        {"#\\\n\\\n\\\ninclude <a.h>\n", "include <a.h>\n"},
        {"%:include <a.h>\n", "include <a.h>\n"},
        {"%\\\n:include <a.h>\n", "include <a.h>\n"},
        {"\?\?=include <a\?\?(.h>\n", "include <a[.h>\n"},
        {"#inc\?\?/\nlude <a.h>\n", "include <a.h>\n"},
        {"foo\?\?/\n__has_include(<a.h>)", "has_include <a.h>\n"},
        {"#import <a.h>\n", "include <a.h>\nonce\n"},
        {"#include_next <a.h>\n", "include_next <a.h>\n"},
        {"/* #include <a.h> */ \"#include <b.h>\"", "include <a.h>\ninclude <b.h>\n"},
        {"R\"(\n#include <a.h>\n)\"", "include <a.h>\n"},
        {"#include <a.h>\n#include <a.h>\n#include \"a.h\"\n", "include <a.h>\ninclude \"a.h\"\n"},
        {"#\0include\0<a.h>"s, "include <a.h>\n"},
    });
}

TEST_CASE("computed and broken includes") {
    check_all({
        {"#include HEADER\n", "computed\n"},
        {"#include /**/ STR(x)\n", "computed\n"},
        {"#include <a.h\n>", "computed\n"},
        {"#include \"a.h\n", "computed\n"},
        {"#include \\u00e9\n", "computed\n"},
        {"#include", ""},
        {"#include\n<a.h>", ""},
        {"#", ""},
        {"%", ""},
        {"#define X(x) #x", ""},
        {"#includes <a.h>", ""},
        {"include <a.h>", ""},
        {"", ""},
    });
}

TEST_CASE("__has_include asks for what it names") {
    check_all({
        {"#if __has_include(<a.h>)\n", "has_include <a.h>\n"},
        {"#if __has_include ( /* c */ \"a.h\" /**/ )\n", "has_include \"a.h\"\n"},
        {"#elif X && __has_include_next(<a.h>)\n", "has_include_next <a.h>\n"},
        {"#if __has_include__(<a.h>)\n", "has_include <a.h>\n"},
        {"#if __has\\\n_inc\\\nlude(<a.h>)\n", "has_include <a.h>\n"},
        {"#define HAS __has_include(<x.h>)\n", "has_include <x.h>\n"},
        {"// __has_include(<x.h>)\n", "has_include <x.h>\n"},
        {"#pragma GCC dependency \"x.y\"\n", "has_include \"x.y\"\n"},
    });
}

TEST_CASE("__has_include that is only tested for is no use") {
    check_all({
        {"#ifdef __has_include\n#endif // __has_include\n", ""},
        {"#ifndef __has_include\n#define __has_include(x) 0\n#endif\n", ""},
        {"#if defined(__has_include)\n", ""},
        {"#if defined ( __has_include )\n", ""},
        {"#if defined __has_include\n", ""},
        {"%:ifdef __has_include\n# undef __has_include\n", ""},
        {"/* __has_include\n * and __has_include_next */\n", ""},
        {"const char *s = \"__has_include\";\n", ""},
        {"const char *s = R\"x(__has_include)x\";\n", ""},
        {"#define __glibc_has_include __has_included\n", ""},
        {"struct __has_##NAME {};\n", ""},
    });
}

TEST_CASE("computed __has_include is hidden") {
    check_all({
        {"\n#if __has_include(HEADER)\n", "hidden 1 @2\n"},
        {"\\\n\\\n#if __has_include(<a.h)\n", "hidden 1 @3\n"},
        {"\\          \n\n\n\n#if __has_include(HEADER)\n", "hidden 1 @5\n"},
        {"#if __has_include HEADER\n", "hidden 1 @1\n"},
        {"#if __has_include(\"a.h\" X)\n", "has_include \"a.h\"\nhidden 1 @1\n"},
        {"#if CALL(__has_include, <a.h>)\n", "hidden 1 @1\n"},
        {"#if CALL(__has_inc, lude)(<a.h>)\n", "hidden 1 @1\n"},
        {"#if CALL(__has_, include)(<a.h>)\n", "hidden 1 @1\n"},
        {"#if xdefined(__has_include)\n", "hidden 1 @1\n"},
        {"#define F(x) __has_include(<x.h>)\n", "has_include <x.h>\n"},
        {"#define F(x) __has_include(S(x))\n", "hidden 1 @1\n"},
        {"#define F(x, y) __has_include(x)\n", "hidden 1 @1\n"},
        {"#define F(x) __has_include(y)\n", "hidden 1 @1\n"},
        {"#define F __has_include (\n", "hidden 1 @1\n"},
        {"__has_include", "hidden 1 @1\n"},
        {"__has_include(", "hidden 1 @1\n"},
        {"__has_include(<", "hidden 1 @1\n"},
    });
}

TEST_CASE("a comment hides only where every dialect sees one") {
    const std::string use = "\n__has_include(X)\n";
    const std::vector<std::string> openers = {
        "#include <a/*b>",
        "#include <it's> /* c\n */*",
        "#if __has_include(<a//b>) && \\",
        "don't /*",
        "R\"x(\" /* )x\"",
        "1'0 /* '",
        "\"/*",
        "\"\\\"/*\"",
        "'/*'",
        "R\"(a)\\\n\" /* )\"",
        "'\\\\' + '\"/*\"'",
        "R\"(\\\n)\" \"/*",
        "// x\r/*",
        "#include </*>",
        "%:include </*>",
        "// c",
        "/* c */",
        "u8R\"(\")\" \"/*\"",
    };
    for (const std::string &opener : openers) {
        CAPTURE(opener);
        CHECK(scan(opener + use).find("hidden 1") != std::string::npos);
    }
    check_all({
        {"/*" + use + "*/", ""},
        {"// x \\" + use, ""},
        {"// x\r__has_include(X)\n", "hidden 1 @1\n"},
        {"#include <a.h> // b\n/*" + use + "*/", "include <a.h>\n"},
        {"int x = 1'000'000; /*" + use + "*/", ""},
        {"char c = '\"'; /*" + use + "*/", ""},
        {"\"a /* b\"; /*" + use, ""},
    });
}

TEST_CASE("macros that pass their argument to __has_include are followed") {
    const std::string define = "#  define HAS(x) __has_include(x)\n";
    check_all({
        {define, "alias HAS\n"},
        {define + "#if HAS(<a.h>)\n", "has_include <a.h>\nhas_include_next <a.h>\nalias HAS\n"},
        {define + "#if HAS(\"a.h\")\n", "has_include \"a.h\"\nhas_include_next \"a.h\"\nalias HAS\n"},
        {define + "#else\n#define HAS(x) 0\n#ifdef HAS\n", "alias HAS\n"},
        {define + "#if HAS(HEADER)\n", "hidden 1 @2\nalias HAS\n"},
        {define + "#define MINE( y... ) HAS ( y )\n#if MINE(<a.h>)\n",
         "has_include <a.h>\nhas_include_next <a.h>\nalias HAS\nalias MINE\n"},
        {"#define HAS(...) (1 && __has_include(__VA_ARGS__))\n", "alias HAS\n"},
        {"#define HAS __has_include\n#if HAS(\"a.h\")\n", "has_include \"a.h\"\nhas_include_next \"a.h\"\nalias HAS\n"},
        {"#define HAS \\\n __has_include // c\n", "alias HAS\n"},
        {"#define __has_include(x) __has_include__(x)\n", ""},
    });
    CHECK(scan("#if HAS(<a.h>)\n").empty());
    CHECK(scan("#if HAS(<a.h>) && XHAS(Y) && HASX(Y)\n", {"HAS"}) == "has_include <a.h>\nhas_include_next <a.h>\n");
    CHECK(scan("#if HAS(X)\n", {"OTHER", "HAS"}) == "hidden 1 @1\n");
    CHECK(scan("#define OTHER(x) HAS(x)\n", {"HAS"}) == "alias OTHER\n");
    CHECK(scan("// HAS, defined(HAS)\n", {"HAS"}).empty());
}

TEST_CASE("plain words that GNU dialects define are asked for as the compiler expands them") {
    check_all({
        {"#if __has_include(<linux/a.h>)\n", "has_include <linux/a.h>\n"},
        {"#define X __has_include(\"linux/a.h\")\n", "has_include \"linux/a.h\"\n"},
        {"#define X __has_include(<linux/unix.h>)\n", "has_include <1/1.h>\nhas_include <linux/unix.h>\n"},
        {"#define X __has_include(<linuxx/a.h>)\n", "has_include <linuxx/a.h>\n"},
    });
}

TEST_CASE("inputs that no depfile shows are hidden") {
    check_all({
        {"\n#embed <a.bin>\n", "hidden 2 @2\n"},
        {"#em\\\nbed \"a\"\n#embed \"b\"", "hidden 2 @1\n"},
        {"#if __has_embed(<a>)\n", "hidden 2 @1\n"},
        {"#ifdef __has_embed\n// #embed <a>\n", ""},
        {"asm(\".incbin \\\"a\\\"\");\n", "hidden 3 @1\nasm\n"},
        {"__asm__ volatile(\n\".INCB\\\nIN \\\"a\\\"\");\n", "hidden 3 @2\nasm\n"},
        {"__asm(R\"(\n.incbin \"a\"\n)\");\n", "hidden 3 @2\nasm\n"},
        {"asm(DIRECTIVE(incbin, a));\n", "hidden 3 @1\nasm\n"},
        {"asm(\".Include  \\\"a\\\"\");\n", "hidden 3 @1\nasm\n"},
        {"asm(\".include \" NAME);\n", "hidden 3 @1\nasm\n"},
        {"// .incbin \"a\"\n", ""},
        {"x.include(\"a\"); y.included = 1; #include \"incbin.h\"\n", "include \"incbin.h\"\n"},
        {"int asmx, xasm, __asmx, asm_; x__asm__\n", ""},
        {"__asm__", "asm\n"},
        {"const char *t = __TIME\\\nSTAMP__;\n", "hidden 4 @1\n"},
        {"#ifdef __TIMESTAMP__\n// __TIMESTAMP__\n\"__TIMESTAMP__\" __TIME__ X__TIMESTAMP__\n", ""},
        {"__TIMESTAMP__\n.incbin\n#embed x\n__has_include(X)\n",
         "hidden 1 @4\nhidden 2 @3\nhidden 3 @2\nhidden 4 @1\n"},
        {"a \\\rb\n", "hidden 5 @1\n"},
    });
}

TEST_CASE("pragma once in every spelling") {
    for (const char *text : {"#pragma once\n", "# pragma /**/ once", "%:pragma once", "_Pragma(\"once\")", "#import X",
                             "_Pragma ( u8\"once\" )", "#define P(x) _Pragma(#x)\n", "#pra\\\ngma on\\\nce\n"}) {
        CAPTURE(text);
        CHECK(scan_source(text).pragma_once);
    }
    for (const char *text :
         {"#pragma GCC system_header\n", "_Pragma(\"GCC warning\")", "pragma once", "_Pragma x", "#pragma onceler\n"}) {
        CAPTURE(text);
        CHECK_FALSE(scan_source(text).pragma_once);
    }
}

TEST_CASE("the work is linear in the text, whatever the text") {
    const std::vector<std::string> pieces = {
        "#/*",
        "#/*#/**/",
        "#include <",
        "#include \"",
        "__has_include ",
        "#define A __has_include(<a.h>) ",
        "_Pragma(",
        "%:/*",
        ".include ",
        "__has_",
        "((((",
        "__has_include(/*",
        "    ",
        "\\ ",
        "\"",
        "R\"(",
        "/*",
        "/**/",
        "'",
        "1'",
        "\?\?/",
        "#pragma GCC dependency /*",
        "defined(__has_include)",
        "__asm__",
        "incbin",
        "#define F(x) __has_include(x)\n",
    };
    for (const std::string &piece : pieces) {
        CAPTURE(piece);
        std::string text;
        while (text.size() < 100000) {
            text += piece;
        }
        std::uint64_t once = 0;
        std::uint64_t twice = 0;
        (void)scan_source(text, {}, &once);
        (void)scan_source(text + text, {}, &twice);
        CHECK(once > 0);
        CHECK(twice <= 2 * once + text.size());
        CHECK(twice <= 40 * 2 * text.size());
    }
    const SourceFacts facts = scan_source("\n" + std::string(100000, ' ') + [] {
        std::string text;
        for (int i = 0; i < 100000; ++i) {
            text += "#/*";
        }
        return text;
    }());
    REQUIRE(facts.hidden.size() == 1);
    CHECK(facts.hidden[0] == HiddenInputPlace{HiddenInput::contorted, 2});
}

TEST_CASE("too many aliases give up") {
    std::string text;
    for (int i = 0; i < 1000; ++i) {
        text.append("#define A").append(std::to_string(i + 1)).append("(x) ");
        text.append(i == 0 ? "__has_include" : "A").append(i == 0 ? "" : std::to_string(i)).append("(x)\n");
    }
    const SourceFacts facts = scan_source(text);
    REQUIRE(facts.hidden.size() == 1);
    CHECK(facts.hidden[0].kind == HiddenInput::contorted);
}

TEST_CASE("a megabyte line, and needles at every place of a buffer") {
    CHECK(scan(std::string(1 << 20, 'x') + "\n__has_include(X)") == "hidden 1 @2\n");
    for (std::size_t before = 0; before < 40; ++before) {
        for (std::size_t after = 0; after < 8; ++after) {
            const std::string text = std::string(before, ' ') + "__TIMESTAMP__" + std::string(after, ' ');
            CHECK(scan(text) == "hidden 4 @1\n");
        }
    }
}

TEST_CASE("every truncation and odd byte is survived") {
    const std::string text =
        "#include <a.h>\n#define H(x, ...) __has_include(x) // \"\n_Pragma(\"once\") R\"x(1'0)x\" \\\n\?\?=pragma GCC "
        "dependency \"x\" asm(\".incbin\")\r\n%:define K( y... ) __has_include(y) __TIMESTAMP__ '\\'' /* */ #if "
        "defined "
        "( __has_embed )";
    for (std::size_t i = 0; i < text.size(); ++i) {
        (void)scan(text.substr(0, i));
        (void)scan(text.substr(i));
        for (const char c : {'\\', '\n', '\r', '"', '\'', '(', ')', '/', '*', '\0', '\xff', '?', '#'}) {
            std::string changed = text;
            changed[i] = c;
            (void)scan(changed);
        }
    }
}

TEST_CASE("facts survive encoding, and nothing else is decoded") {
    SourceFacts facts;
    facts.directives = {{DirectiveKind::include, false, "a.h"},
                        {DirectiveKind::has_include_next, true, std::string(300, 'b') + '\0'}};
    facts.hidden = {{HiddenInput::embed, 1}, {HiddenInput::contorted, 4'000'000'000U}};
    facts.aliases = {"HAS", "X"};
    facts.pragma_once = true;
    const std::string bytes = encode(facts);
    CHECK(decode_source_facts(bytes) == facts);
    CHECK(decode_source_facts(encode(SourceFacts{})) == SourceFacts{});
    for (int bits = 0; bits < 8; ++bits) {
        SourceFacts flags;
        flags.computed_include = (bits & 1) != 0;
        flags.pragma_once = (bits & 2) != 0;
        flags.mentions_asm = (bits & 4) != 0;
        CHECK(decode_source_facts(encode(flags)) == flags);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        CHECK_FALSE(decode_source_facts(bytes.substr(0, i)).has_value());
        for (int bit = 0; bit < 8; ++bit) {
            std::string changed = bytes;
            changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
            const auto decoded = decode_source_facts(changed);
            CHECK((!decoded || encode(*decoded) == changed));
        }
    }
    CHECK_FALSE(decode_source_facts(bytes + '\0').has_value());
    CHECK_FALSE(decode_source_facts("\x08").has_value());
    CHECK_FALSE(decode_source_facts("\x00\xff\xff\xff\xff\xff\xff\xff\xff\x7f").has_value());
}
