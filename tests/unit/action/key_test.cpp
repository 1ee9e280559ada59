// Each input of a key alone: changed, the key changes; the same again, the same key.
#include "action/key.h"

#include <doctest/doctest.h>

#include "action/recipe.h"
#include "memory_filesystem.h"

using namespace scene_kernels;

namespace {

// Two include directories, a kernel beside a header, and a system header.
class Tree {
public:
    Tree() : files(clock), roots("/src", {}) {
        files.add("/src/k/k.cpp", "#include \"own.h\"\n#include <lib.h>\n#if __has_include(<opt.h>)\n#endif\n");
        files.add("/src/k/own.h", "#include <sub/deep.h>\n");
        files.add("/src/two/lib.h", "#include_next <sys.h>\n");
        files.add("/src/two/sub/deep.h", "int deep;\n");
        files.add("/usr/include/sys.h", "int sys;\n");
        files.add_directory("/src/one");
        clock.tick();
        action.source = "k/k.cpp";
        action.platform = "sim";
        action.steps.resize(1);
        action.steps[0].key_argv = {"<compiler>", "-O2"};
    }

    Digest key() {
        action.recipe = recipe_digest(action);
        NameTable names;
        SearchTable searches;
        FileMemory memory(files, clock);
        KeyMaker maker(files, memory, roots, names, searches);
        SearchList list;
        list.directories = {names.intern("one"), names.intern("two"), names.intern("/usr/include")};
        list.elsewhere = {names.intern("missing")};
        ClosureGroup group;
        group.search = searches.intern(list);
        for (const char *name : {"k/k.cpp", "k/own.h", "two/lib.h", "two/sub/deep.h", "/usr/include/sys.h"}) {
            group.sources.push_back(names.intern(name));
        }
        for (const std::string &file : extra_files) {
            group.files.push_back(names.intern(file));
        }
        const auto made = maker.key(action, parts, Closure{{group}});
        REQUIRE(made);
        lists = files.lists;
        return made->value_or(Digest{});
    }

    FakeClock clock;
    MemoryFileSystem files;
    Roots roots;
    Action action;
    std::vector<Digest> parts;
    std::vector<std::string> extra_files;
    int lists = 0;
};

template <typename Change>
void check_miss(const char *what, Change change) {
    CAPTURE(what);
    Tree tree;
    const Digest before = tree.key();
    CHECK(tree.key() == before);
    change(tree);
    tree.clock.tick();
    const Digest after = tree.key();
    CHECK(after != before);
    CHECK(tree.key() == after);
}

template <typename Change>
void check_hit(const char *what, Change change) {
    CAPTURE(what);
    Tree tree;
    const Digest before = tree.key();
    CHECK_FALSE(before.empty());
    change(tree);
    CHECK(tree.key() == before);
}

}  // namespace

TEST_CASE("what changes the key") {
    check_miss("a source", [](Tree &t) { t.files.add("/src/k/k.cpp", "int x;\n"); });
    check_miss("a system header", [](Tree &t) { t.files.add("/usr/include/sys.h", "int other;\n"); });
    check_miss("a shadow in an earlier directory", [](Tree &t) { t.files.add("/src/one/lib.h", ""); });
    check_miss("a shadow below an earlier directory", [](Tree &t) { t.files.add("/src/one/sub/deep.h", ""); });
    check_miss("a shadow beside the including file", [](Tree &t) {
        t.files.add("/src/k/lib.h", "");
        t.files.add("/src/one/lib.h", "");
    });
    check_miss("a directory that did not exist", [](Tree &t) { t.files.add("/src/missing/lib.h", ""); });
    check_miss("what __has_include asked for", [](Tree &t) { t.files.add("/src/two/opt.h", ""); });
    check_miss("a stop for include_next", [](Tree &t) { t.files.add("/src/two/sys.h", ""); });
    check_miss("a precompiled header", [](Tree &t) { t.files.add("/src/k/own.h.gch", ""); });
    check_miss("a precompiled header in an earlier directory", [](Tree &t) { t.files.add("/src/one/lib.h.gch", ""); });
    check_miss("a deleted header", [](Tree &t) { CHECK(*t.files.remove("/src/two/lib.h")); });
    check_miss("an argument", [](Tree &t) { t.action.steps[0].key_argv.emplace_back("-DX"); });
    check_miss("the order of arguments", [](Tree &t) { t.action.steps[0].key_argv = {"-O2", "<compiler>"}; });
    check_miss("the fingerprint", [](Tree &t) { t.action.fingerprint = Sha256::of("other"); });
    check_miss("the platform", [](Tree &t) { t.action.platform = "other"; });
    check_miss("the runtime", [](Tree &t) { t.action.runtime = "other"; });
    check_miss("the kind", [](Tree &t) { t.action.kind = ActionKind::object; });
    check_miss("an allowed variable", [](Tree &t) { t.action.environment["X"] = "1"; });
    check_miss("the entry symbol", [](Tree &t) { t.action.entry_symbol = "other"; });
    check_miss("a part", [](Tree &t) { t.parts.push_back(Sha256::of("part")); });
    check_miss("an extra file", [](Tree &t) { t.extra_files.emplace_back("k/own.h"); });
    check_miss("a declared input", [](Tree &t) { t.action.inputs.emplace_back("k/own.h"); });
}

TEST_CASE("what does not change the key") {
    check_hit("an unrelated file in a searched directory", [](Tree &t) { t.files.add("/src/one/unrelated.h", ""); });
    check_hit("a file behind the one that is found", [](Tree &t) { t.files.add("/usr/include/lib.h", ""); });
    check_hit("a folder of a header's name", [](Tree &t) { t.files.add_directory("/src/one/lib.h"); });
    check_hit("modification times", [](Tree &t) { CHECK(t.files.set_mtime("/src/k/own.h", 5)); });
    check_hit("description and users", [](Tree &t) {
        t.action.description = "AIV x";
        t.action.users = {"x"};
        t.action.name = "y";
    });
    check_hit("the launcher", [](Tree &t) { t.action.launcher = Launcher::ccache; });
}

TEST_CASE("a thousand unrelated files in a searched directory cost one listing") {
    Tree tree;
    const Digest before = tree.key();
    const int lists = tree.lists;
    for (int i = 0; i < 1000; ++i) {
        tree.files.add("/src/one/unrelated" + std::to_string(i) + ".h", "");
    }
    tree.files.lists = 0;
    CHECK(tree.key() == before);
    CHECK(tree.lists == lists);
}

TEST_CASE("a recipe's packing fields count one by one") {
    Action action;
    action.kind = ActionKind::callable;
    action.pack = PackSpec{};
    action.pack->children.resize(1);
    const Digest before = recipe_digest(action);
    const auto differs = [&](auto change) {
        Action changed = action;
        change(*changed.pack);
        return recipe_digest(changed) != before;
    };
    CHECK(differs([](PackSpec &pack) { pack.function_name = "f"; }));
    CHECK(differs([](PackSpec &pack) { pack.config_name = "c"; }));
    CHECK(differs([](PackSpec &pack) { pack.signature = {ArgDirection::in}; }));
    CHECK(differs([](PackSpec &pack) { pack.children[0].func_id = 1; }));
    CHECK(differs([](PackSpec &pack) { pack.children[0].core_type = CoreType::aic; }));
    CHECK(differs([](PackSpec &pack) { pack.children[0].name = "n"; }));
    CHECK(differs([](PackSpec &pack) { pack.children[0].signature = {ArgDirection::out}; }));
}
