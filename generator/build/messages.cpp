#include "build/messages.h"

#include "model/printable.h"
#include "store/manifest.h"

namespace scene_kernels {

namespace {

constexpr std::string_view k_cut = "\n... (the rest was not kept)\n";
constexpr char k_escape = '\x1b';

// Length of the escape sequence at the start of `text`, which starts with ESC.
std::size_t escape_length(std::string_view text) {
    if (text.size() < 2) {
        return text.size();
    }
    if (text[1] == '[') {
        const std::size_t end = text.find_first_not_of("0123456789:;<=>?!\"#$%&'()*+,-./ ", 2);
        return end == std::string_view::npos ? text.size() : end + 1;
    }
    if (text[1] == ']') {
        const std::size_t end = text.find_first_of("\x07\x1b\n", 2);
        return end == std::string_view::npos ? text.size() : end + (text.substr(end, 2) == "\x1b\\" ? 2 : 1);
    }
    return 2;
}

}  // namespace

std::string kept_messages(std::string_view output, std::string_view staging) {
    std::string text;
    while (!output.empty() && text.size() < k_max_message_bytes) {
        if (!staging.empty() && output.starts_with(staging)) {
            text += "<output>";
            output.remove_prefix(staging.size());
            continue;
        }
        const char c = output.front();
        std::size_t length = 1;
        if (c == k_escape) {
            length = escape_length(output);
        } else if (c == '\n' || c == '\t') {
            text += c;
        } else if (const std::size_t sequence = utf8_length(output); sequence == 0) {
            text += '?';
        } else {
            length = sequence;
            if (find_control(output.substr(0, sequence)) == std::string_view::npos) {
                text += output.substr(0, sequence);
            }
        }
        output.remove_prefix(length);
    }
    if (!output.empty() || text.size() > k_max_message_bytes) {
        std::size_t end = k_max_message_bytes - k_cut.size();
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        text.resize(end);
        text += k_cut;
    }
    return text;
}

}  // namespace scene_kernels
