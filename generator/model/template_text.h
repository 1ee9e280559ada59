// Splits a text of an SDK description into literal parts, `{placeholder}`s and `${VARIABLE}`s; knows no values. Who
// checks and who expands such a text both read it through here, so that they cannot disagree about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace scene_kernels {

enum class TemplatePart : std::uint8_t { literal, placeholder, variable };

struct TemplatePiece {
    TemplatePart part = TemplatePart::literal;
    std::string text;  // the characters themselves, or the name
};

// `{{`, `}}` and `$$` are the characters themselves; other braces and dollar signs must be part of `{name}` or
// `${NAME}`. The error (kind input) says what is wrong and how to write it.
[[nodiscard]] Expected<std::vector<TemplatePiece>> split_template(std::string_view text);

// `text` written so that split_template gives it back as one literal.
[[nodiscard]] std::string escaped_for_template(std::string_view text);

}  // namespace scene_kernels
