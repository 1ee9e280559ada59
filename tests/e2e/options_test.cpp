// Files that only an option names, and options that would hide what is read.
#include <doctest/doctest.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

using Names = std::vector<std::string>;
using nlohmann::json;

namespace {

void add_image_args(const Checkout &checkout, const Names &args) {
    change_json(checkout.root() / "sdk/tiny.sdk.json", [&args](json &sdk) {
        for (const std::string &arg : args) {
            sdk["platforms"]["sim"]["image"]["args"].push_back(arg);
        }
    });
}

constexpr const char *k_kernels[] = {"common.cpp", "s0_k0.cpp"};

std::string with_another_digit(std::string text) {
    text[text.find('2')] = '3';
    return text;
}

// Adds options that name `file`, and edits the file: everything that was built with them is built again, the identical
// rerun is not, and the old content is a hit again.
void check_counts(const Names &args, const std::string &file, const std::string &text, const std::string &other) {
    CAPTURE(args.front());
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    REQUIRE(suite.first.result.status == 0);
    write_file(checkout.root() / file, text);
    add_image_args(checkout, args);
    const Outcome first = checkout.warm();
    INFO(first.result.text());
    REQUIRE(first.result.status == 0);
    CHECK(first.trace.compiled() == Names(std::begin(k_kernels), std::end(k_kernels)));
    CHECK(checkout.warm().trace.compiled().empty());
    for (const Way way : {Way::warm, Way::ninja}) {
        CAPTURE(static_cast<int>(way));
        write_file(checkout.root() / file, way == Way::warm ? other : with_another_digit(other));
        const Outcome changed = checkout.update(way);
        INFO(changed.result.text());
        CHECK(changed.result.status == 0);
        CHECK(changed.trace.compiled() == Names(std::begin(k_kernels), std::end(k_kernels)));
        CHECK(checkout.update(way).trace.compiled().empty());
        write_file(checkout.root() / file, text);
        CHECK(checkout.update(way).trace.compiled().empty());
    }
}

void check_refused(const Names &args, const std::string &message) {
    CAPTURE(args.front());
    WarmSuite suite({1, 1});
    REQUIRE(suite.first.result.status == 0);
    add_image_args(suite.checkout, args);
    const Outcome refused = suite.checkout.warm();
    INFO(refused.result.text());
    CHECK(refused.result.status == 2);
    CHECK(refused.result.text().find("toolchain \"host\": option " + args.back()) != std::string::npos);
    CHECK(refused.result.text().find(message) != std::string::npos);
    CHECK(refused.trace.compiler_processes() == 0);
}

}  // namespace

TEST_CASE("a specs file") {
    check_counts({"-specs=extra.specs"}, "extra.specs", "*cc1plus_options:\n+ -DSPEC=1\n\n",
                 "*cc1plus_options:\n+ -DSPEC=2\n\n");
}

TEST_CASE("a response file") {
    check_counts({"@flags.rsp"}, "flags.rsp", "-DRESPONSE=1", "-DRESPONSE=2");
}

TEST_CASE("a response file decides where headers are found") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    REQUIRE(suite.first.result.status == 0);
    write_file(checkout.root() / "late.rsp", "-iquote 'sdk/with space'");
    add_image_args(checkout, {"@late.rsp"});
    REQUIRE(checkout.warm().result.status == 0);
    write_file(checkout.root() / "sdk/with space/first.h", "#pragma once\n#define FIRST_VALUE 91\n");
    CHECK(checkout.warm().trace.compiled() == Names{"s0_k0.cpp"});
}

TEST_CASE("a version script of the linker") {
    check_counts({"-Wl,--version-script=exports.map"}, "exports.map", "{ global: kernel_entry; local: *; };",
                 "{ global: kernel_entry; other2; local: *; };");
}

TEST_CASE("a file that an option of no known meaning names") {
    check_counts({"-frandom-seed=seed.txt"}, "seed.txt", "1", "2");
}

TEST_CASE("a forced header") {
    check_counts({"-include", "forced.h"}, "forced.h", "#define FORCED 1\n", "#define FORCED 2\n");
    check_counts({"-imacros", "forced.h"}, "forced.h", "#define FORCED 1\n", "#define FORCED 2\n");
}

TEST_CASE("a forced header that appears earlier") {
    WarmSuite suite({1, 1});
    const Checkout &checkout = suite.checkout;
    REQUIRE(suite.first.result.status == 0);
    write_file(checkout.root() / "sdk/include/forced.h", "#define FORCED 1\n");
    add_image_args(checkout, {"-includeforced.h"});
    REQUIRE(checkout.warm().result.status == 0);
    write_file(checkout.root() / "sdk/before/forced.h", "#define FORCED 2\n");
    CHECK(checkout.warm().trace.compiled() == Names(std::begin(k_kernels), std::end(k_kernels)));
    write_file(checkout.root() / "forced.h", "#define FORCED 3\n");
    CHECK(checkout.warm().trace.compiled() == Names(std::begin(k_kernels), std::end(k_kernels)));
    CHECK(checkout.warm().trace.compiled().empty());
}

TEST_CASE("options that hide what is read are refused") {
    check_refused({"-MMD"}, "asks for the lists of what was read itself");
    check_refused({"-Wp,-MMD"}, "give the preprocessor's option directly");
    check_refused({"-fmodules-ts"}, "modules and precompiled headers");
    check_refused({"-specs=nosuch.specs"}, "it must name a file by its path");
    check_refused({"-DASK=__has_include(<x.h>)"}, "cannot be seen");
    check_refused({"-Wl,@more.rsp"}, "write its options out");
    check_refused({"-fprofile-use"}, "it must name a file by its path");
}

TEST_CASE("a response file that is not there") {
    WarmSuite suite({1, 1});
    add_image_args(suite.checkout, {"@nosuch.rsp"});
    const Outcome refused = suite.checkout.warm();
    CHECK(refused.result.status == 2);
    CHECK(refused.result.text().find("there is no such response file") != std::string::npos);
}

}  // namespace scene_kernels::e2e
