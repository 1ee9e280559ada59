// ccache as compiler launcher: it may save compilations, and must never be why an artifact is stale.
#include <doctest/doctest.h>

#include "support/checkout.h"

namespace scene_kernels::e2e {

TEST_CASE("ccache gives the same bytes without an assembler, and sees a shadowing header") {
    SuiteShape shape{1, 1};
    shape.launcher = "ccache";
    WarmSuite suite(shape);
    INFO(suite.first.result.text());
    REQUIRE(suite.first.result.status == 0);
    CHECK(suite.first.trace.count("ccache") > 0);
    CHECK(suite.first.trace.count("as") > 0);
    const Checkout &checkout = suite.checkout;
    const auto artifacts = checkout.artifacts();

    // The store is lost, what ccache holds is not.
    const std::filesystem::path store = checkout.root() / "build/cache/kernels";
    CHECK(
        run({{"chmod", "-R", "u+w", store.string()}, checkout.root(), clean_environment(suite.folder.path())}).status ==
        0);
    std::filesystem::remove_all(store / "artifacts");
    const Outcome again = checkout.warm();
    CHECK(again.result.status == 0);
    CHECK(again.trace.count("ccache") > 0);
    CHECK(again.trace.count("as") == 0);
    CHECK(checkout.artifacts() == artifacts);

    write_file(checkout.root() / "sdk/before/first.h", "#pragma once\n#define FIRST_VALUE 55\n");
    const Outcome shadowed = checkout.warm();
    CHECK(shadowed.result.status == 0);
    CHECK(shadowed.trace.count("as") == 1);
    CHECK(checkout.artifacts() != artifacts);
    std::filesystem::remove(checkout.root() / "sdk/before/first.h");
    CHECK(checkout.warm().built() == 0);
}

}  // namespace scene_kernels::e2e
