// Collects everything that is wrong with one description, and says it in one error with places in the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/json_document.h"

namespace scene_kernels {

inline constexpr std::size_t k_max_shown_problems = 20;

// Not thread-safe. `document` must outlive it.
class Problems {
public:
    // Starts with the keys that the document holds twice.
    explicit Problems(const JsonDocument &document);

    // `message` says cause and remedy; place and JSON pointer are added.
    void add(const JsonValue &where, std::string message) { add_at(where.offset, std::move(message)); }
    void add(const JsonMember &where, std::string message) { add_at(where.key_offset, std::move(message)); }

    [[nodiscard]] bool none() const { return m_problems.empty(); }
    // Nothing that is added from now on will be shown or counted: time to stop looking for more.
    [[nodiscard]] bool full() const;
    // All problems in the file's order, one a line, the first k_max_shown_problems of them; of kind input.
    [[nodiscard]] Error error() const;

    // "LINE:COLUMN" of a value of this document, for messages that refer to a second place.
    [[nodiscard]] std::string place(std::size_t offset) const { return line_and_column(m_document.text, offset); }

private:
    struct Problem {
        std::size_t offset;
        std::string message;
    };
    void add_at(std::size_t offset, std::string message);

    const JsonDocument &m_document;
    std::vector<Problem> m_problems;
};

// `unknown core type "aix"; did you mean "aiv"? (valid: aic, aiv)`.
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view word,
                                       const std::vector<std::string> &valid);

}  // namespace scene_kernels
