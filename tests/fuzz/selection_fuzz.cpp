// Any bytes as a selection: an expression that its negation contradicts, or an error.
#include "fuzz_check.h"
#include "model/selection.h"

namespace scene_kernels {

namespace {

std::vector<bool> answers_of(const SelectExpression &expression) {
    std::vector<bool> answers;
    for (const char *name : {"matmul", "Soft-max", "label"}) {
        Scene scene;
        scene.name = name;
        scene.labels = {"slow", "st.add[1]"};
        Callable callable;
        callable.name = "first";
        answers.push_back(expression.matches(scene, callable));
    }
    return answers;
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string_view text = text_of(data, size);
    const auto expression = SelectExpression::parse(text);
    if (!expression) {
        check_error(expression.error(), ErrorKind::input);
        return 0;
    }
    // One level more may be one too many.
    const auto negation = SelectExpression::parse("not (" + std::string(text) + ")");
    if (negation && text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
        std::vector<bool> opposite = answers_of(*negation);
        opposite.flip();
        check(answers_of(*expression) == opposite, "a negation is the opposite");
    }
    return 0;
}
