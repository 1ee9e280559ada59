#include "action/commands.h"

#include "action/option_files.h"
#include "base/strings.h"

namespace scene_kernels {

namespace {

void add_word(ActionStep &step, const Spelled &word) {
    step.argv.push_back(word.real);
    step.key_argv.push_back(word.logical);
}

Expected<void> add_words(ActionStep &step, const std::string &text, const CommandContext &context) {
    if (text == "{args}") {
        for (const Spelled &word : context.args) {
            add_word(step, word);
        }
        return {};
    }
    if (text == "{include_dirs}") {
        for (const Spelled &directory : context.include_dirs) {
            add_word(step, Spelled("-I" + directory.real, "-I" + directory.logical));
        }
        return {};
    }
    SK_TRY(const Spelled word, context.expander.expand(text));
    add_word(step, word);
    return {};
}

// Depfile options do not reach the key: they change no output byte.
void ask_for_sources(ActionStep &step, const CommandContext &context) {
    if (step.family == CompilerFamily::plain) {
        return;
    }
    step.argv.insert(step.argv.end(), {"-MD", "-MF", k_depfile_token, "-MT", "out"});
    if (step.family == CompilerFamily::gcc) {
        step.asks_assembler = true;
        step.argv.push_back(std::string("-Wa,--MD,") + k_assembler_depfile_token);
    }
    const std::vector<std::string> real = context.roots->prefix_map_options();
    const std::vector<std::string> logical = context.roots->logical_prefix_map_options();
    step.argv.insert(step.argv.begin() + 1, real.begin(), real.end());
    step.key_argv.insert(step.key_argv.end(), logical.begin(), logical.end());
}

void ask_for_libraries(ActionStep &step, const CommandContext &context) {
    step.argv.push_back(std::string(step.is_compiler ? "-Wl,--dependency-file=" : "--dependency-file=") +
                        k_link_depfile_token);
    for (std::size_t i = 1; i < step.argv.size(); ++i) {
        const std::string &word = step.argv[i];
        if (word.size() > 2 && word.compare(0, 2, "-L") == 0) {
            step.library_directories.push_back(word.substr(2));
        } else if (word == "-L" && i + 1 < step.argv.size()) {
            step.library_directories.push_back(step.argv[i + 1]);
        }
    }
    step.library_directories.insert(step.library_directories.end(), context.library_directories.begin(),
                                    context.library_directories.end());
}

Expected<void> settle_step(ActionStep &step, const CommandContext &context) {
    std::vector<Spelled> words;
    for (std::size_t i = 1; i < step.argv.size(); ++i) {
        words.emplace_back(step.argv[i], step.key_argv[i]);
    }
    SK_TRY(words, settle_options(context, std::move(words), step.named_files));
    step.argv.resize(1);
    step.key_argv.resize(1);
    for (const Spelled &word : words) {
        add_word(step, word);
    }
    const std::vector<std::string> options(step.argv.begin() + 1, step.argv.end());
    const std::vector<std::string> named =
        files_named_by(*context.files, context.roots->source_root(), options, step.absent_files);
    step.named_files.insert(step.named_files.end(), named.begin(), named.end());
    return {};
}

Expected<ActionStep> make_step(const SdkStep &described, const CommandContext &context) {
    ActionStep step;
    step.extract = described.extract;
    if (!step.extract.empty()) {
        return step;
    }
    const ChosenToolchain &toolchain = *context.toolchain;
    step.is_compiler = described.run == "compiler";
    step.family = step.is_compiler ? toolchain.choice->family : CompilerFamily::plain;
    step.reads_sources = described.reads_sources;
    step.reads_libraries = described.reads_libraries || !step.is_compiler;
    // The program itself is in the fingerprint, by content: its path stays out of the key.
    add_word(step, Spelled(step.is_compiler ? toolchain.compiler : toolchain.programs.at(described.run),
                           "<" + described.run + ">"));
    for (const std::string &text : described.args) {
        SK_CHECK(add_words(step, text, context));
    }
    SK_CHECK(settle_step(step, context));
    if (step.reads_sources) {
        ask_for_sources(step, context);
    }
    if (step.reads_libraries) {
        ask_for_libraries(step, context);
    }
    return step;
}

}  // namespace

Expected<std::vector<Spelled>> settle_options(const CommandContext &context, std::vector<Spelled> words,
                                              std::vector<std::string> &read) {
    const std::string prefix = "toolchain \"" + context.toolchain->row->name + "\": ";
    FileSystem &files = *context.files;
    const std::string &directory = context.roots->source_root();
    Expected<std::vector<Spelled>> settled = expand_response_files(files, directory, std::move(words), read);
    if (!settled) {
        return input_error(prefix + settled.error().message);
    }
    if (context.toolchain->choice->family != CompilerFamily::plain) {
        std::vector<std::string> options;
        for (const Spelled &word : *settled) {
            options.push_back(word.real);
        }
        SK_TRY(const std::string refusal, refused_option(files, directory, options));
        if (!refusal.empty()) {
            return input_error(prefix + refusal);
        }
    }
    return settled;
}

Expected<std::vector<ActionStep>> make_steps(const std::vector<SdkStep> &steps, const CommandContext &context) {
    std::vector<ActionStep> made;
    for (const SdkStep &described : steps) {
        SK_TRY(ActionStep step, make_step(described, context));
        made.push_back(std::move(step));
    }
    return made;
}

Expected<std::vector<Spelled>> expand_all(const Expander &expander, const std::vector<std::string> &texts) {
    std::vector<Spelled> words;
    for (const std::string &text : texts) {
        SK_TRY(Spelled word, expander.expand(text));
        words.push_back(std::move(word));
    }
    return words;
}

}  // namespace scene_kernels
