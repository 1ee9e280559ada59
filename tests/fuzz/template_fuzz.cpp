// Any bytes as a text with placeholders: who checks such texts and who expands them understand the same, and an escaped
// text stands for itself.
#include "action/expand.h"
#include "fuzz_check.h"
#include "model/template_text.h"

namespace scene_kernels {

namespace {

std::string value_of(const std::string &name) {
    return "<" + name + ">";
}

// Knows every placeholder of `pieces`, and every variable.
Expander expander_for(const std::vector<TemplatePiece> &pieces) {
    Expander expander;
    for (const TemplatePiece &piece : pieces) {
        if (piece.part == TemplatePart::placeholder) {
            expander.placeholders.emplace(piece.text, value_of(piece.text));
        }
    }
    expander.variable = [](const std::string &name) -> Expected<Spelled> { return Spelled(value_of(name)); };
    return expander;
}

std::string joined(const std::vector<TemplatePiece> &pieces) {
    std::string text;
    for (const TemplatePiece &piece : pieces) {
        text += piece.part == TemplatePart::literal ? piece.text : value_of(piece.text);
    }
    return text;
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string_view text = text_of(data, size);
    const auto pieces = split_template(text);
    const auto expanded = expander_for(pieces.value_or(std::vector<TemplatePiece>{})).expand(text);
    if (pieces) {
        check(expanded && expanded->real == joined(*pieces), "a checked text expands as it was checked", text);
    } else {
        check_error(pieces.error(), ErrorKind::input);
    }
    const std::string escaped = escaped_for_template(text);
    const auto literal = expander_for({}).expand(escaped);
    check(literal && literal->real == text, "an escaped text stands for itself", escaped);
    return 0;
}
