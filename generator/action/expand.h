// Expands `{placeholder}` and `${VARIABLE}` in the texts of SDK descriptions and descriptors, in the real and in the
// logical spelling at once, so that what runs and what is hashed cannot drift apart.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace scene_kernels {

// One text twice: as a command gets it, and as keys hold it.
struct Spelled {
    std::string real;
    std::string logical;

    Spelled() = default;
    Spelled(std::string both) : real(both), logical(std::move(both)) {}  // NOLINT(google-explicit-constructor)
    Spelled(std::string real_text, std::string logical_text)
        : real(std::move(real_text)), logical(std::move(logical_text)) {}

    Spelled &operator+=(const Spelled &other) {
        real += other.real;
        logical += other.logical;
        return *this;
    }
    bool operator==(const Spelled &) const = default;
};

// Gives the value of `name`, or an error that says what would have to be set.
using VariableLookup = std::function<Expected<Spelled>(const std::string &name)>;

struct Expander {
    std::map<std::string, Spelled> placeholders;
    VariableLookup variable;

    // `{{`, `}}` and `$$` are the characters themselves. `$NAME` works like `${NAME}`. Anything else after '{' or '$'
    // is an error (kind input) that quotes the text.
    [[nodiscard]] Expected<Spelled> expand(std::string_view text) const;
};

}  // namespace scene_kernels
