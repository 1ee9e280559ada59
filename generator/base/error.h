// The error type and `Expected<T>` that every fallible function of the generator returns; knows nothing of what failed.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace scene_kernels {

// What the process's exit status should say about an error.
enum class ErrorKind : int {
    failure = 1,  // something that was attempted did not work: exit status 1
    input = 2,    // the user's input or usage is wrong: exit status 2
};

// A message for a person: the path, the operation, the cause, and what would be right. No trailing newline.
struct Error {
    std::string message;
    ErrorKind kind = ErrorKind::failure;
};

template <typename T>
using Expected = tl::expected<T, Error>;

// Makes the unexpected value that a function returning `Expected` hands back.
inline tl::unexpected<Error> failure(std::string message) {
    return tl::unexpected<Error>(Error{std::move(message), ErrorKind::failure});
}
inline tl::unexpected<Error> input_error(std::string message) {
    return tl::unexpected<Error>(Error{std::move(message), ErrorKind::input});
}

// `what` with the text for an errno value behind it: "cannot read a/b: No such file or directory".
std::string with_errno(std::string_view what, int errno_value);

}  // namespace scene_kernels

// Evaluates an `Expected<void>` (or one whose value is not wanted) and returns its error from the enclosing function.
#define SK_CHECK(expression)                                                                \
    do {                                                                                    \
        auto sk_result_ = (expression);                                                     \
        if (!sk_result_) {                                                                  \
            return ::tl::unexpected<::scene_kernels::Error>(std::move(sk_result_).error()); \
        }                                                                                   \
    } while (false)

#define SK_CONCAT_INNER(a, b) a##b
#define SK_CONCAT(a, b) SK_CONCAT_INNER(a, b)
#define SK_TRY_IMPL(temporary, declaration, expression)                                \
    auto temporary = (expression);                                                     \
    if (!temporary) {                                                                  \
        return ::tl::unexpected<::scene_kernels::Error>(std::move(temporary).error()); \
    }                                                                                  \
    declaration = std::move(*temporary)

// `SK_TRY(auto text, files.read(path));` declares `text`, or returns the error from the enclosing function.
#define SK_TRY(declaration, expression) SK_TRY_IMPL(SK_CONCAT(sk_try_, __LINE__), declaration, expression)
