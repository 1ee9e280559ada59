#include "action/option_files.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>

#include "base/strings.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

// More levels than anybody nests; a file that names itself ends here.
constexpr int k_deepest_nesting = 16;
constexpr std::uint64_t k_largest_response_file = 1U << 20U;
// What all response files of one command may cost: their bytes, and some more for each. A file that is named again and
// again by files that are named again and again would fill the memory.
constexpr std::uint64_t k_response_budget = 8U << 20U;
constexpr std::uint64_t k_cost_of_file = 16U << 10U;
constexpr std::size_t k_shown_path = 4096;

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::size_t at = 0;
    for (;;) {
        while (at < text.size() && is_blank(text[at])) {
            ++at;
        }
        if (at == text.size()) {
            return words;
        }
        std::string word;
        char quote = '\0';
        for (; at < text.size() && (quote != '\0' || !is_blank(text[at])); ++at) {
            const char c = text[at];
            if (c == '\\' && at + 1 < text.size()) {
                word += text[++at];
            } else if (quote == '\0' && (c == '\'' || c == '"')) {
                quote = c;
            } else if (c == quote) {
                quote = '\0';
            } else {
                word += c;
            }
        }
        words.push_back(std::move(word));
    }
}

class ResponseFiles {
public:
    ResponseFiles(FileSystem &files, const std::string &directory, std::vector<std::string> &read)
        : m_files(files), m_directory(directory), m_read(read) {}

    Expected<void> add(Spelled word, int depth) {
        if (word.real.size() < 2 || word.real.front() != '@') {
            m_words.push_back(std::move(word));
            return {};
        }
        const std::string path = path_join(m_directory, word.real.substr(1));
        SK_TRY(const auto status, m_files.stat(path));
        if (!status || status->type != FileType::regular) {
            return input_error(printable(word.real) + ": there is no such response file (" +
                               printable(path, k_shown_path) + ")");
        }
        m_spent += status->size + k_cost_of_file;
        if (depth == k_deepest_nesting || status->size > k_largest_response_file || m_spent > k_response_budget) {
            return input_error(printable(word.real) +
                               ": response files of this size, so many of them, or nested this deeply, are not read (" +
                               printable(path, k_shown_path) + ")");
        }
        SK_TRY(const std::string text, m_files.read(path));
        m_read.push_back(path);
        for (std::string &inner : words_of(text)) {
            if (inner.find('\x02') != std::string::npos) {
                return input_error(path + ": holds a control character");
            }
            SK_CHECK(add(Spelled(std::move(inner)), depth + 1));
        }
        return {};
    }
    std::vector<Spelled> take() { return std::move(m_words); }

private:
    FileSystem &m_files;
    const std::string &m_directory;
    std::vector<std::string> &m_read;
    std::vector<Spelled> m_words;
    std::uint64_t m_spent = 0;
};

struct Refusal {
    std::string_view start;  // of the option
    std::string_view why;
};

constexpr std::string_view k_own_lists = "scene-kernels asks for the lists of what was read itself; leave it out";
constexpr std::string_view k_modules =
    "modules and precompiled headers are read in place of the files that lists name; leave it out";
constexpr std::string_view k_hand_on = "give the preprocessor's option directly, so that it can be understood";
constexpr std::string_view k_config = "write the options of that file into the description instead";
constexpr std::string_view k_overlay = "a file overlay changes where files are found without any list showing it";
constexpr std::string_view k_wrapper = "what it runs is not part of the toolchain's identity; use \"wraps\"";

// Before an option is compared, "--x" becomes "-x".
constexpr std::array k_refused = {
    Refusal{"-M", k_own_lists},
    Refusal{"-dependency-f", k_own_lists},
    Refusal{"-dependency-dot", k_own_lists},
    Refusal{"-Wp,", k_hand_on},
    Refusal{"-Xpreprocessor", k_hand_on},
    Refusal{"-fmodule", k_modules},
    Refusal{"-fcxx-modules", k_modules},
    Refusal{"-fprebuilt-module", k_modules},
    Refusal{"-fimplicit-module", k_modules},
    Refusal{"-include-pch", k_modules},
    Refusal{"-fpch-", k_modules},
    Refusal{"-config", k_config},
    Refusal{"-ivfsoverlay", k_overlay},
    Refusal{"-vfsoverlay", k_overlay},
    Refusal{"-wrapper", k_wrapper},
};

// Options that look for a file by a name of their own unless they are given a whole one.
constexpr std::array<std::string_view, 5> k_need_a_file = {"-specs", "-fprofile-use", "-fprofile-instr-use",
                                                           "-fprofile-sample-use", "-fauto-profile"};

constexpr std::array<std::string_view, 3> k_asking_words = {"__has_include", "__has_embed", "__TIMESTAMP__"};

bool is_regular(FileSystem &files, const std::string &path) {
    const auto status = files.stat(path);
    return status && *status && (*status)->type == FileType::regular;
}

// "--specs=x" and "-specs=x" are one option.
std::string_view with_one_dash(std::string_view word) {
    return word.starts_with("--") ? word.substr(1) : word;
}

// What a linker or assembler gets by -Wl, and -Wa, -Xlinker and -Xassembler, word for word.
std::vector<std::string> handed_on(std::string_view word) {
    if (word.starts_with("-Wl,") || word.starts_with("-Wa,")) {
        return split(word.substr(4), ',');
    }
    return {};
}

std::string refusal_of_word(std::string_view word) {
    const std::string_view option = with_one_dash(word);
    for (const Refusal &refusal : k_refused) {
        if (option.starts_with(refusal.start)) {
            return std::string(refusal.why);
        }
    }
    for (const std::string_view asking : k_asking_words) {
        if (word.find(asking) != std::string_view::npos) {
            return "what " + std::string(asking) + " asks for in an option cannot be seen; write it into a header";
        }
    }
    for (const std::string &part : handed_on(word)) {
        if (part.starts_with("@")) {
            return "a response file inside of -Wl, or -Wa, is not read; write its options out";
        }
        const std::string_view inner = with_one_dash(part);
        if (inner.starts_with("-dependency-file") || inner == "-MD" || inner.starts_with("-MD=")) {
            return std::string(k_own_lists);
        }
    }
    return {};
}

// Specs can include further specs, which nobody would look at.
Expected<std::string> refusal_of_specs(FileSystem &files, const std::string &path) {
    SK_TRY(const std::string text, files.read(path));
    return text.find("%include") == std::string::npos
               ? std::string{}
               : "its specs include further files, which are not followed; put all into one file";
}

void add_pieces(std::string_view word, std::set<std::string> &names) {
    for (std::size_t at = 0; at < word.size(); ++at) {
        if (word[at] != '=' && word[at] != ',' && word[at] != ':') {
            continue;
        }
        const std::string_view rest = word.substr(at + 1);
        names.insert(std::string(rest));
        names.insert(std::string(rest.substr(0, rest.find_first_of("=,:"))));
        if (rest.starts_with("-") && rest.size() > 2) {
            names.insert(std::string(rest.substr(2, rest.find_first_of("=,:") - 2)));  // -Wl,-Tscript
        }
    }
}

// Everything in a word that might be a file's name.
std::set<std::string> names_in(const std::string &word) {
    std::set<std::string> names;
    if (word.starts_with("-D") || word.starts_with("-U") || word.find('\x02') != std::string::npos) {
        return names;
    }
    if (!word.starts_with("-")) {
        names.insert(word);
    } else if (word.size() > 2) {
        names.insert(word.substr(2));
    }
    add_pieces(word, names);
    names.erase("");
    return names;
}

bool looks_like_a_path(const std::string &name) {
    return name.find('/') != std::string::npos || name.find('.') != std::string::npos;
}

}  // namespace

Expected<std::vector<Spelled>> expand_response_files(FileSystem &files_, const std::string &directory,
                                                     std::vector<Spelled> words, std::vector<std::string> &files) {
    ResponseFiles response(files_, directory, files);
    for (Spelled &word : words) {
        SK_CHECK(response.add(std::move(word), 0));
    }
    return response.take();
}

Expected<std::string> refused_option(FileSystem &files, const std::string &directory,
                                     const std::vector<std::string> &words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        std::string why = refusal_of_word(word);
        const std::string_view option = with_one_dash(word);
        for (const std::string_view needy : k_need_a_file) {
            if (!why.empty() || !option.starts_with(needy)) {
                continue;
            }
            const std::size_t equals = word.find('=');
            const bool apart = option == "-specs" && i + 1 < words.size();
            const std::string value = apart                         ? words[i + 1]
                                      : equals == std::string::npos ? std::string{}
                                                                    : word.substr(equals + 1);
            const std::string path = path_join(directory, value);
            if (value.empty() || !is_regular(files, path)) {
                why = "it must name a file by its path, so that its content counts" +
                      (value.empty() ? std::string{} : "; there is no file " + printable(path, k_shown_path));
            } else if (needy == "-specs") {
                SK_TRY(why, refusal_of_specs(files, path));
            }
        }
        if (!why.empty()) {
            return "option " + printable(word) + ": " + why;
        }
    }
    return std::string{};
}

std::vector<std::string> files_named_by(FileSystem &files, const std::string &directory,
                                        const std::vector<std::string> &words, std::vector<std::string> &absent) {
    std::set<std::string> names;
    for (const std::string &word : words) {
        names.merge(names_in(word));
    }
    std::set<std::string> found;
    for (const std::string &name : names) {
        const std::string path = path_join(directory, name);
        const auto status = files.stat(path);
        if (!status) {
            continue;  // longer than any file's name, say
        }
        if (*status && (*status)->type == FileType::regular) {
            found.insert(path_tidy(path));
        } else if (!*status && looks_like_a_path(name)) {
            absent.push_back(path_tidy(path));
        }
    }
    return {found.begin(), found.end()};
}

}  // namespace scene_kernels
