#include "report/events.h"

#include <doctest/doctest.h>

#include "report/summary.h"

using namespace scene_kernels;

TEST_CASE("the last event of an action counts, and damaged lines do not") {
    BuildOutcome failed;
    failed.reason = "no such \"thing\"\nsecond line";
    BuildOutcome built;
    built.result = BuildResult::built;
    built.commands = 2;
    const std::string text = event_line("image/a", failed) + "{\"action\": 1}\nnonsense\n" +
                             event_line("image/b", failed) + event_line("image/a", built) +
                             "{\"action\":\"image/c\",\"resu";
    const auto events = parse_events(text);
    REQUIRE(events.size() == 2);
    CHECK(events.at("image/a").result == BuildResult::built);
    CHECK(events.at("image/a").commands == 2);
    CHECK(events.at("image/b").result == BuildResult::failed);
    CHECK(events.at("image/b").reason == failed.reason);
}

TEST_CASE("a summary says what there is to say and no more") {
    Summary summary;
    summary.callables.hit = 3;
    summary.actions.built = 2;
    summary.store = "/s";
    summary.store_bytes = 1536;
    const std::string text = summary_text(summary);
    CHECK(text.find("callables: 3 hit, 0 built\n") != std::string::npos);
    CHECK(text.find("1.5 KiB in /s") != std::string::npos);
    CHECK(text.find("failed") == std::string::npos);
    summary.failures.assign(30, {"image/a", {"s/c: kernel k"}, "g++ failed with status 1"});
    CHECK(summary_text(summary).find("failed: and 10 more\n") != std::string::npos);
    CHECK(warning_lines(summary).compare(0, 50, "::warning::s/c: kernel k: g++ failed with status 1") == 0);
    summary.store_trouble = "read-only";
    CHECK(summary_json(summary).find("\"trouble\": \"read-only\"") != std::string::npos);
}
