// Any bytes as response files that may name each other: words within bounds that name no such file any more, or an
// error. What options name is found without trouble.
#include "action/option_files.h"
#include "base/strings.h"
#include "fuzz_check.h"
#include "memory_filesystem.h"

namespace scene_kernels {

namespace {

// A word so that reading it gives it back.
std::string protected_word(const std::string &word) {
    std::string text;
    for (const char c : word) {
        text += '\\';
        text += c;
    }
    return text.empty() ? "''" : text;
}

std::vector<std::string> real_words(const std::vector<Spelled> &words) {
    std::vector<std::string> texts;
    for (const Spelled &word : words) {
        texts.push_back(word.real);
    }
    return texts;
}

void check_written_again(MemoryFileSystem &files, const std::vector<Spelled> &words) {
    std::string text;
    for (const Spelled &word : words) {
        text += protected_word(word.real) + "\n";
    }
    files.add("/src/again", text);
    std::vector<std::string> read;
    const auto again = expand_response_files(files, "/src", {Spelled("@again")}, read);
    check(again && *again == words && read == std::vector<std::string>{"/src/again"}, "words come back", text);
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    FakeClock clock;
    MemoryFileSystem files(clock);
    const std::vector<std::string> parts = parts_of(text_of(data, size), 4);
    const char *const names[] = {"a", "b", "c.txt", "d/e"};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        files.add(path_join("/src", names[i]), parts[i]);
    }
    std::vector<std::string> read;
    const auto words = expand_response_files(files, "/src", {Spelled("-x"), Spelled("@a"), Spelled("@")}, read);
    if (!words) {
        check_error(words.error(), ErrorKind::input);
        return 0;
    }
    for (const Spelled &word : *words) {
        check(word.real.size() < 2 || word.real.front() != '@', "no response file is left", word.real);
    }
    check_written_again(files, *words);
    std::vector<std::string> absent;
    static_cast<void>(files_named_by(files, "/src", real_words(*words), absent));
    const auto refused = refused_option(files, "/src", real_words(*words));
    check(refused.has_value(), "options are judged");
    return 0;
}
