#include "model/problems.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

// Enough to fill the message many times over; what a person repairs first is in there.
constexpr std::size_t k_max_kept_problems = 500;
constexpr std::size_t k_max_listed_names = 24;

}  // namespace

Problems::Problems(const JsonDocument &document) : m_document(document) {
    for (const RepeatedKey &key : document.repeated_keys) {
        add_at(key.offset,
               fmt::format("this key was already given at {}; remove one of them", place(key.first_offset)));
    }
}

bool Problems::full() const {
    return m_problems.size() >= k_max_kept_problems;
}

void Problems::add_at(std::size_t offset, std::string message) {
    if (!full()) {
        m_problems.push_back({offset, std::move(message)});
    }
}

Error Problems::error() const {
    std::vector<Problem> sorted = m_problems;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Problem &a, const Problem &b) { return a.offset < b.offset; });
    std::vector<std::string> lines;
    for (const Problem &problem : sorted) {
        if (lines.size() == k_max_shown_problems) {
            const std::size_t more = sorted.size() - lines.size();
            lines.push_back(fmt::format("{}: {}{} more problem{}", m_document.path, full() ? "at least " : "", more,
                                        more == 1 ? "" : "s"));
            break;
        }
        const std::string pointer = json_pointer(m_document.root, problem.offset);
        lines.push_back(fmt::format("{}:{}: {}{}", m_document.path, place(problem.offset),
                                    pointer.empty() ? "" : "at " + pointer + ": ", problem.message));
    }
    return {join(lines, "\n"), ErrorKind::input};
}

std::string unknown_name(std::string_view what, std::string_view word, const std::vector<std::string> &valid) {
    std::string text = fmt::format("unknown {} {}", what, quoted(word));
    if (const auto guess = nearest(word, valid)) {
        text += fmt::format("; did you mean {}?", quoted(*guess));
    }
    if (valid.empty()) {
        return text + "; none are defined";
    }
    std::vector<std::string> listed(
        valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(std::min(valid.size(), k_max_listed_names)));
    if (listed.size() < valid.size()) {
        listed.emplace_back("...");
    }
    return text + " (valid: " + join(listed, ", ") + ")";
}

}  // namespace scene_kernels
