#include "action/option_files.h"

#include <doctest/doctest.h>

#include "memory_filesystem.h"

namespace scene_kernels {

using Words = std::vector<std::string>;

namespace {

struct Fixture {
    FakeClock clock;
    MemoryFileSystem files{clock};

    Words expanded(const Words &words, Words *read = nullptr) {
        std::vector<Spelled> spelled(words.begin(), words.end());
        Words names;
        const auto result = expand_response_files(files, "/src", std::move(spelled), names);
        if (read != nullptr) {
            *read = names;
        }
        Words texts;
        if (!result) {
            return {"error: " + result.error().message};
        }
        for (const Spelled &word : *result) {
            texts.push_back(word.real);
        }
        return texts;
    }
    std::string refused(const Words &words) { return refused_option(files, "/src", words).value(); }
    Words named(const Words &words) {
        Words absent;
        return files_named_by(files, "/src", words, absent);
    }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "response files are taken apart as libiberty does it") {
    files.add("/src/a.rsp", "-DA=1 '-DB=x y'\n\t\"-DC=\\\"q\\\"\" -DD\\ E '' @b.rsp");
    files.add("/src/b.rsp", "-last");
    Words read;
    CHECK(expanded({"-c", "@a.rsp", "x.cpp"}, &read) ==
          Words{"-c", "-DA=1", "-DB=x y", "-DC=\"q\"", "-DD E", "", "-last", "x.cpp"});
    CHECK(read == Words{"/src/a.rsp", "/src/b.rsp"});
    CHECK(expanded({"@"}) == Words{"@"});
}

TEST_CASE_FIXTURE(Fixture, "response files that cannot be taken apart") {
    CHECK(expanded({"@gone.rsp"}).front().find("@gone.rsp: there is no such response file") != std::string::npos);
    files.add("/src/loop.rsp", "@loop.rsp");
    CHECK(expanded({"@loop.rsp"}).front().find("nested this deeply") != std::string::npos);
    files.add("/src/large.rsp", std::string(std::size_t{2} << 20U, 'x'));
    CHECK(expanded({"@large.rsp"}).front().find("of this size") != std::string::npos);
    std::string often;
    for (int i = 0; i < 40; ++i) {
        often += "@one.rsp ";
    }
    files.add("/src/one.rsp", "x");
    files.add("/src/often.rsp", often);
    CHECK(expanded({"@often.rsp"}) == Words(40, "x"));
    CHECK(expanded(Words(40, "@often.rsp")).front().find("so many of them") != std::string::npos);
    files.add("/src/control.rsp", "a\x02output\x02");
    CHECK(expanded({"@control.rsp"}).front().find("control character") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "files that options name, whatever the option") {
    for (const char *name : {"x.map", "y.so", "dir/z", "c,omma", "script"}) {
        files.add(std::string("/src/") + name, "");
    }
    files.add("/abs/w", "");
    CHECK(named({"-Wl,--version-script=x.map,-z,now"}) == Words{"/src/x.map"});
    CHECK(named({"-Xclang", "-load", "-Xclang", "y.so"}) == Words{"/src/y.so"});
    CHECK(named({"-fplugin=./y.so", "-fplugin-arg-y-file=dir/z"}) == Words{"/src/dir/z", "/src/y.so"});
    CHECK(named({"-Tscript"}) == Words{"/src/script"});
    CHECK(named({"-Wl,-Tscript"}) == Words{"/src/script"});
    CHECK(named({"-T/abs/w"}) == Words{"/abs/w"});
    CHECK(named({"-odd=c,omma"}) == Words{"/src/c,omma"});
    // A macro's value is no file of the compiler's, a folder has no content, and what is not there is only watched.
    CHECK(named({"-DX=script", "-Uscript", "-Idir", "-fsomething=auto", "-O2"}).empty());
    Words absent;
    CHECK(files_named_by(files, "/src", {"-fauto=later.txt", "-flto=auto"}, absent).empty());
    CHECK(absent.back() == "/src/later.txt");
}

TEST_CASE_FIXTURE(Fixture, "options that hide what is read") {
    for (const char *option : {"-M",
                               "-MMD",
                               "-MF",
                               "-MG",
                               "--MD",
                               "-Wp,-MD,x",
                               "-Xpreprocessor",
                               "-fmodules",
                               "-fmodules-ts",
                               "-fmodule-file=x",
                               "-fcxx-modules",
                               "-fprebuilt-module-path=x",
                               "-include-pch",
                               "-fpch-preprocess",
                               "--config=x.cfg",
                               "--config",
                               "-ivfsoverlay",
                               "-wrapper",
                               "-DX=__has_include(<x>)",
                               "-DT=__TIMESTAMP__",
                               "-Wl,@x",
                               "-Wl,--dependency-file=x",
                               "-Wa,--MD=x",
                               "-Wa,--MD",
                               "-fprofile-use",
                               "-fprofile-use=gone",
                               "-fprofile-instr-use",
                               "-specs=gone.specs",
                               "--specs=gone.specs",
                               "-fauto-profile",
                               "-dependency-file"}) {
        CAPTURE(option);
        CHECK(refused({"-O2", option}).starts_with(std::string("option ") + option + ": "));
    }
    files.add("/src/good.specs", "*cc1:\n+ -DX\n");
    files.add("/src/more.specs", "%include <good.specs>\n");
    CHECK(refused({"-specs=good.specs", "--specs=good.specs", "-fplugin=good.specs", "-specs", "good.specs"}).empty());
    CHECK(refused({"-specs=more.specs"}).find("include further files") != std::string::npos);
    CHECK(refused({"-O2", "-march=native", "-mavx", "-fno-exceptions", "-Wl,-z,now", "-Wall", "-fPIC", "-include",
                   "x.h", "-ffile-prefix-map=a=b", "-fprofile-generate"})
              .empty());
}

}  // namespace scene_kernels
