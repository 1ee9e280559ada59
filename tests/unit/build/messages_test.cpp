#include "build/messages.h"

#include <doctest/doctest.h>

#include "model/printable.h"
#include "store/manifest.h"

namespace scene_kernels {

TEST_CASE("messages are kept without what belongs to a terminal or to one run") {
    CHECK(kept_messages("a.cpp:1:2: warning: x\n", "") == "a.cpp:1:2: warning: x\n");
    CHECK(kept_messages("\x1b[01;35m\x1b[Kwarning: \x1b[m\x1b[Kx\x1b]8;;http://y\x07z\x1b]8;;\x1b\\\x1b", "") ==
          "warning: xz");
    CHECK(kept_messages("/store/tmp/1-2/object.o: x; /store/tmp/1", "/store/tmp/1-2") ==
          "<output>/object.o: x; /store/tmp/1");
    CHECK(kept_messages("tab\t\r\x01 \xc3\xa9 \xff\xc3", "") == "tab\t \xc3\xa9 ??");
    CHECK(kept_messages("", "").empty());
}

TEST_CASE("messages are bounded, and stay valid text") {
    std::string text;
    while (text.size() < 2 * k_max_message_bytes) {
        text += "\xe2\x82\xac";
    }
    const std::string kept = kept_messages(text, "");
    CHECK(kept.size() <= k_max_message_bytes);
    CHECK(kept.size() + 64 > k_max_message_bytes);
    CHECK(kept.ends_with("(the rest was not kept)\n"));
    CHECK(find_bad_utf8(kept) == std::string_view::npos);
    CHECK(kept_messages(std::string(k_max_message_bytes, 'x'), "") == std::string(k_max_message_bytes, 'x'));
}

}  // namespace scene_kernels
