#include "action/toolchain.h"

#include <algorithm>

#include "action/toolchain_answer.h"
#include "action/toolchain_inventory.h"
#include "action/toolchain_questions.h"
#include "base/strings.h"

namespace scene_kernels {

namespace {

// Bump it when the questions change: remembered answers lack what is asked now.
constexpr std::string_view k_questions = "1";

Digest key_of(const ToolchainQuery &query) {
    FieldHasher hasher;
    hasher.field("toolchain query", k_questions);
    hasher.field("compiler", query.compiler);
    hasher.field("family", std::to_string(static_cast<int>(query.family)));
    for (const std::string &option : query.args) {
        hasher.field("arg", option);
    }
    for (const std::string &program : query.programs) {
        hasher.field("program", program);
    }
    for (const std::string &wrapped : query.wraps) {
        hasher.field("wraps", wrapped);
    }
    for (const std::string &named : query.named_files) {
        hasher.field("named", named);
    }
    hasher.field("search path", query.search_path);
    for (const auto &[name, value] : query.environment) {
        hasher.field("environment name", name);
        hasher.field("environment value", value);
    }
    // Only an option with a relative path can make the answer depend on the working directory; without one, every
    // checkout shares what was learnt.
    const auto is_relative_path = [](const std::string &option) {
        const std::size_t slash = option.find('/');
        return slash != std::string::npos && slash != 0 && option[slash - 1] != '=';
    };
    if (std::any_of(query.args.begin(), query.args.end(), is_relative_path)) {
        hasher.field("directory", query.directory);
    }
    return hasher.finish();
}

Expected<ToolchainAnswer> ask(FileSystem &files, ProcessRunner &processes, FileMemory &memory,
                              const ToolchainQuery &query) {
    ToolchainInventory inventory(files, processes, memory, query);
    SK_CHECK(inventory.add_program("compiler", query.compiler));
    for (std::size_t i = 0; i < query.programs.size(); ++i) {
        SK_CHECK(inventory.add_program("program " + std::to_string(i + 1), query.programs[i]));
    }
    for (std::size_t i = 0; i < query.wraps.size(); ++i) {
        SK_CHECK(inventory.add_wrapped("wrapped file " + std::to_string(i + 1), query.wraps[i]));
    }
    for (std::size_t i = 0; i < query.named_files.size(); ++i) {
        SK_CHECK(inventory.add_named("named file " + std::to_string(i + 1), query.named_files[i]));
    }
    switch (query.family) {
        case CompilerFamily::gcc:
            SK_CHECK(ask_gcc(inventory));
            break;
        case CompilerFamily::clang:
            SK_CHECK(ask_clang(inventory));
            break;
        case CompilerFamily::plain:
            SK_CHECK(ask_plain(inventory));
            break;
    }
    inventory.answer().settle();
    return std::move(inventory.answer());
}

}  // namespace

std::optional<std::string> find_program(FileSystem &files, const std::string &program, const std::string &search_path) {
    const auto usable = [&files](const std::string &path) {
        const auto stat = files.stat(path);
        return stat && *stat && (*stat)->type == FileType::regular && files.is_executable(path);
    };
    if (program.find('/') != std::string::npos) {
        return usable(program) ? std::optional(program) : std::nullopt;
    }
    for (const std::string &directory : split(search_path, ':')) {
        if (directory.empty() || program.empty()) {
            continue;
        }
        std::string candidate = path_join(directory, program);
        if (!usable(candidate)) {
            continue;
        }
        // /usr/lib/ccache/g++ is ccache: it would be wrapped twice, and hide the compiler. `ccache` itself may be asked
        // for.
        const auto real = files.real_path(candidate);
        if (real && !launcher_name(*real).empty() && launcher_name(program).empty()) {
            continue;
        }
        return candidate;
    }
    return std::nullopt;
}

Expected<Toolchain> identify_toolchain(FileSystem &files, ProcessRunner &processes, FileMemory &memory,
                                       ToolchainMemory &answers, const ToolchainQuery &query) {
    const Digest key = key_of(query);
    if (const auto text = answers.get(key)) {
        const std::optional<ToolchainAnswer> known = toolchain_answer_from_text(*text);
        if (known && still_holds(*known, files, memory)) {
            return known->toolchain(query.family);
        }
    }
    SK_TRY(const ToolchainAnswer answer, ask(files, processes, memory, query));
    answers.put(key, to_text(answer));
    return answer.toolchain(query.family);
}

}  // namespace scene_kernels
