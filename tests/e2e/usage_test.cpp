// Wrong input: one message with the place, the cause and the remedy, exit status 2, and nothing else happens.
#include <doctest/doctest.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

namespace {

struct Edit {
    std::string what;
    std::string from;  // in scenes/s0/s0.scene.json
    std::string to;
    std::string message;  // a part of what must be said
};

const Edit k_edits[] = {
    {"bad JSON", "\"schema\": 1", "\"schema\" 1", "s0.scene.json:"},
    {"cut off", "\"schema\": 1\n}", "", "s0.scene.json:"},
    {"unknown schema", "\"schema\": 1", "\"schema\": 2", "/schema"},
    {"schema of a wrong type", "\"schema\": 1", "\"schema\": \"1\"", "/schema"},
    {"unknown key", "\"runtime\":", "\"runtme\": 1, \"runtime\":", "did you mean \"runtime\"?"},
    {"unknown nested key",
     "\"function_name\":", "\"function\": \"f\", \"function_name\":", "/callables/0/orchestration"},
    {"unknown runtime", "host_build_graph", "host_build_grap", "did you mean \"host_build_graph\"?"},
    {"runtime of a wrong type", "\"host_build_graph\"", "[]", "/runtime"},
    {"scene name with a slash", "\"name\": \"s0\",\n  \"runtime\"", "\"name\": \"s/0\",\n  \"runtime\"", "/name"},
    {"empty scene name", "\"name\": \"s0\",\n  \"runtime\"", "\"name\": \"\",\n  \"runtime\"", "/name"},
    {"unknown core type", "\"core_type\": \"aic\"", "\"core_type\": \"aix\"", "/callables/0/incores/1/core_type"},
    {"core type in capitals", "\"core_type\": \"aic\"", "\"core_type\": \"AIC\"", "aic"},
    {"missing source", "kernels/s0_k1.cpp", "kernels/s0_k9.cpp", "s0_k9.cpp"},
    {"source is a folder", "kernels/s0_k1.cpp", "kernels", "/callables/0/incores/1/source"},
    {"absolute source", "kernels/s0_k1.cpp", "/etc/passwd", "/callables/0/incores/1/source"},
    {"source with a newline", "kernels/s0_k1.cpp", "kernels/s0\\nk1.cpp", "/callables/0/incores/1/source"},
    {"duplicate func id", "\"func_id\": 1,", "\"func_id\": 0,", "/callables/0/incores/1/func_id"},
    {"negative func id", "\"func_id\": 1,", "\"func_id\": -1,", "/callables/0/incores/1/func_id"},
    {"huge func id", "\"func_id\": 1,", "\"func_id\": 99999999999,", "/callables/0/incores/1/func_id"},
    {"func id with a fraction", "\"func_id\": 1,", "\"func_id\": 1.5,", "/callables/0/incores/1/func_id"},
    {"two spellings of one source", "kernels/s0_k1.cpp", "../s0/kernels/s0_k0.cpp", "s0_k0.cpp"},
    {"function name that is none", "build_s0", "build-s0", "/callables/0/orchestration/function_name"},
    {"function name over the limit", "build_s0",
     "build_s0_0123456789012345678901234567890123456789012345678901234567890", "63"},
    {"unknown platform", "\"other\"", "\"othr\"", "did you mean \"other\"?"},
    {"no such direction", "\"function_name\": \"build_s0\",\n        \"signature\": [\n          \"in\"",
     "\"function_name\": \"build_s0\",\n        \"signature\": [\n          \"inn\"", "did you mean \"in\"?"},
    {"cases are missing", "\"cases\"", "\"labels\"", "cases"},
    {"two values for a key", "\"schema\": 1", "\"schema\": 1, \"schema\": 1", "schema"},
};

void check_refused(const Checkout &checkout, const Outcome &outcome, const std::string &message) {
    INFO(outcome.result.text());
    CHECK(outcome.result.status == 2);
    CHECK(outcome.result.out.empty());
    CHECK(outcome.result.err.find(message) != std::string::npos);
    CHECK(outcome.trace.programs().empty());
    CHECK(outcome.summary.is_null());
    // At most the lock of the graph directory.
    for (const std::string &file : tree_files(checkout.root() / "build")) {
        CHECK(file.ends_with("/lock"));
    }
}

}  // namespace

TEST_CASE("every kind of broken descriptor") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 2});
    const std::filesystem::path descriptor = checkout.root() / "scenes/s0/s0.scene.json";
    const std::string good = read_file(descriptor);
    for (const Edit &edit : k_edits) {
        CAPTURE(edit.what);
        std::string text = good;
        const std::size_t place = text.find(edit.from);
        REQUIRE(place != std::string::npos);
        text.replace(place, edit.from.size(), edit.to);
        write_file(descriptor, text);
        const Outcome outcome = checkout.warm();
        check_refused(checkout, outcome, edit.message);
        CHECK(outcome.result.count("scene-kernels: ") == 1);
    }
    std::vector<std::string> texts = {"", "[]", "{\"schema\": 1, \"name\": \"\xff\"}"};
    texts.emplace_back(100000, '[');
    for (const std::string &text : texts) {
        write_file(descriptor, text);
        check_refused(checkout, checkout.warm(), "s0.scene.json:");
    }
    write_file(descriptor, good);
    CHECK(checkout.warm().result.status == 0);
}

TEST_CASE("two scenes of one name, a folder without scenes, an argument that is not there") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({2, 1});
    const std::string kernels = "kernels/s1_k0.cpp";
    const std::filesystem::path second = checkout.root() / "scenes/s1/s1.scene.json";
    const std::string good = read_file(second);
    std::string renamed = good;
    renamed.replace(renamed.rfind("\"name\": \"s1\""), 12, "\"name\": \"s0\"");
    write_file(second, renamed);
    check_refused(checkout, checkout.warm(), "s0");
    write_file(second, good);

    std::filesystem::create_directories(checkout.root() / "empty");
    for (const char *scenes : {"empty", "absent"}) {
        CAPTURE(scenes);
        const TracedResult traced = run_traced(checkout.command("warm", {}, {scenes}));
        CHECK(traced.result.status == 2);
        CHECK(traced.result.err.find(scenes) != std::string::npos);
        CHECK(traced.trace.programs().empty());
    }
}

TEST_CASE("wrong options") {
    TemporaryFolder folder;
    Checkout checkout(folder.path() / "checkout", folder.path() / "home");
    checkout.write_suite({1, 1});
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"-j", "0"}, "-j"},
        {{"-j", "-1"}, "-j"},
        {{"-j", "x"}, "-j"},
        {{"-j", "2x"}, "-j"},
        {{"-j", ""}, "-j"},
        {{"-j", "99999999999999999999"}, "-j"},
        {{"--jobs=0"}, "-j"},
        {{"--platform", "sm"}, "did you mean sim?"},
        {{"--manual", "yes"}, "exclude"},
        {{"--select", "s0 and"}, "column"},
        {{"--select", "(s0"}, "column"},
        {{"--select", "s0 s1"}, "column"},
        {{"--set", "UNKNOWN=1"}, "UNKNOWN"},
        {{"--set", "novalue"}, "novalue"},
        {{"--launcher", "sccache"}, "ccache"},
        {{"--no-such-option"}, "no-such-option"},
        {{"--sdk", "absent.sdk.json"}, "absent.sdk.json"},
        {{"--source-root", "absent"}, "absent"},
    };
    for (const auto &[extra, message] : cases) {
        const std::string last = extra.back();  // clang 14 cannot capture a structured binding
        CAPTURE(last);
        check_refused(checkout, checkout.warm(extra), message);
    }
}

TEST_CASE("help and usage") {
    const TemporaryFolder folder;
    const auto call = [&](const std::vector<std::string> &arguments) {
        Command command{{program().string()}, folder.path(), clean_environment(folder.path())};
        command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
        return run(command);
    };
    for (const char *name : {"warm", "plan", "list", "path"}) {
        CAPTURE(name);
        const Result help = call({name, "--help"});
        CHECK(help.status == 0);
        CHECK(help.err.empty());
        CHECK(help.out.find("--platform") != std::string::npos);
        CHECK(help.out.find("xample") != std::string::npos);
    }
    CHECK(call({}).status == 2);
    CHECK(call({"wram"}).status == 2);
    CHECK(call({"warm"}).status == 2);
}

}  // namespace scene_kernels::e2e
