// Any bytes as the output of a command: what is kept of it is text that a terminal can show, within bounds, and is kept
// as it is from then on.
#include "build/messages.h"
#include "fuzz_check.h"
#include "model/printable.h"
#include "store/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string_view output = text_of(data, size);
    const std::string kept = kept_messages(output, "/store/tmp/1");
    check(kept.size() <= k_max_message_bytes, "the bound on messages");
    check(find_bad_utf8(kept) == std::string::npos, "messages are valid text", kept);
    for (std::string_view rest = kept; !rest.empty();) {
        const std::size_t control = find_control(rest);
        check(control == std::string_view::npos || rest[control] == '\n' || rest[control] == '\t', "no controls", kept);
        rest.remove_prefix(control == std::string_view::npos ? rest.size() : control + 1);
    }
    check(kept_messages(kept, "") == kept, "what was kept is kept", kept);
    return 0;
}
