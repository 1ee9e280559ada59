// Any bytes as a source: the scan never finds too little, works no longer than it may, and what it found survives its
// encoding. Also any bytes as that encoding.
#include <algorithm>

#include "action/source_scan.h"
#include "fuzz_check.h"

namespace scene_kernels {

namespace {

bool has(const SourceFacts &facts, const Directive &directive) {
    return std::find(facts.directives.begin(), facts.directives.end(), directive) != facts.directives.end();
}

bool is_contorted(const SourceFacts &facts) {
    return std::any_of(facts.hidden.begin(), facts.hidden.end(),
                       [](const HiddenInputPlace &place) { return place.kind == HiddenInput::contorted; });
}

// Whatever stands before it, a directive on a line of its own is found.
void check_appended(std::string_view text) {
    const SourceFacts facts = scan_source(std::string(text) + "\n#include <found/it.h>\n");
    check(is_contorted(facts) || has(facts, {DirectiveKind::include, false, "found/it.h"}), "an appended directive");
}

// A line more at the start moves everything by one line.
void check_moved(std::string_view text, SourceFacts facts) {
    const SourceFacts moved = scan_source("\n" + std::string(text));
    for (HiddenInputPlace &place : facts.hidden) {
        ++place.line;
    }
    check(is_contorted(facts) || moved == facts, "a line more changes lines alone");
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string_view text = text_of(data, size);
    std::uint64_t steps = 0;
    const SourceFacts facts = scan_source(text, {}, &steps);
    check(steps <= 64 * size + 65536, "the work is linear");
    const auto decoded = decode_source_facts(encode(facts));
    check(decoded && *decoded == facts, "facts survive their encoding");
    if (const auto any = decode_source_facts(text)) {
        check(encode(*any).size() <= size, "an encoding has one form");
    }
    check_appended(text);
    check_moved(text, facts);
    static_cast<void>(scan_source(text, facts.aliases));
    return 0;
}
