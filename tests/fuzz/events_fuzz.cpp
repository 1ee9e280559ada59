// Any bytes as the events of builds: lines that make sense are read, and survive being written again.
#include "fuzz_check.h"
#include "report/events.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const auto events = parse_events(text_of(data, size));
    std::string text;
    for (const auto &[action, event] : events) {
        check(action == event.action, "events go by their action");
        BuildOutcome outcome;
        outcome.result = event.result;
        outcome.commands = event.commands;
        outcome.seconds = event.seconds;
        outcome.reason = event.reason;
        outcome.not_kept = event.not_kept;
        text += event_line(action, outcome);
    }
    const auto again = parse_events(text);
    check(again.size() == events.size(), "written events come back", text);
    for (const auto &[action, event] : again) {
        const Event &first = events.at(action);
        check(event.result == first.result && event.commands == first.commands && event.seconds == first.seconds &&
                  event.reason == first.reason && event.not_kept == first.not_kept,
              "an event comes back", text);
    }
    return 0;
}
