#include "model/toolchain_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/names.h"
#include "model/printable.h"
#include "model/shapes.h"
#include "model/template_text.h"

namespace scene_kernels {

namespace {

constexpr std::pair<std::string_view, CompilerFamily> k_families[] = {
    {"gcc", CompilerFamily::gcc}, {"clang", CompilerFamily::clang}, {"plain", CompilerFamily::plain}};

enum class Reads : std::uint8_t { sources, libraries };
constexpr std::pair<std::string_view, Reads> k_reads[] = {{"sources", Reads::sources}, {"libraries", Reads::libraries}};

constexpr std::string_view k_compiler = "compiler";

// Whether an argument of the steps holds `{name}`.
bool uses(const SdkStep &step, std::string_view name) {
    return std::any_of(step.args.begin(), step.args.end(), [name](const std::string &argument) {
        const auto pieces = split_template(argument);
        return pieces && std::any_of(pieces->begin(), pieces->end(), [name](const TemplatePiece &piece) {
                   return piece.part == TemplatePart::placeholder && piece.text == name;
               });
    });
}

bool uses(const std::vector<SdkStep> &steps, std::string_view name) {
    return std::any_of(steps.begin(), steps.end(), [name](const SdkStep &step) { return uses(step, name); });
}

}  // namespace

SdkToolchain ToolchainReader::read(const std::string &name, const JsonValue &value) {
    m_references.set_scope(name, "");
    SdkToolchain toolchain;
    toolchain.name = name;
    const Fields fields(m_problems, value, k_toolchain_shape);
    if (const JsonValue *compilers = fields.find("compilers")) {
        read_compilers(*compilers, toolchain);
    }
    m_texts.members(fields.find("programs"), "name of a program", is_name,
                    [this, &toolchain](const std::string &program, const JsonMember &member) {
                        if (program == k_compiler) {
                            m_problems.add(member,
                                           "\"compiler\" always means one of \"compilers\"; choose another name");
                        }
                        toolchain.programs[program] = m_texts.program(member.value);
                    });
    if (const JsonValue *launcher = fields.find("launcher")) {
        toolchain.launcher = m_texts.launcher(*launcher);
    }
    if (const JsonValue *machine = fields.find("machine")) {
        toolchain.machine = m_texts.name(*machine, "name of an ELF machine");
    }
    toolchain.image = read_steps(fields.find("image"), {"image", "source", true}, toolchain);
    toolchain.object = read_steps(fields.find("object"), {"object", "source", false}, toolchain);
    toolchain.library = read_steps(fields.find("library"), {"library", "objects", false}, toolchain);
    toolchain.program = read_steps(fields.find("program"), {"program", "source", false}, toolchain);
    return toolchain;
}

void ToolchainReader::read_compilers(const JsonValue &value, SdkToolchain &toolchain) {
    if (!expect_kind(m_problems, value, JsonKind::array)) {
        return;
    }
    if (value.elements.empty()) {
        m_problems.add(value, "must have at least one element");
    }
    for (const JsonValue &element : value.elements) {
        SdkCompiler compiler;
        const Fields fields(m_problems, element, k_compiler_shape);
        if (const JsonValue *program = fields.find("program")) {
            compiler.program = m_texts.program(*program);
        }
        if (const JsonValue *family = fields.find("family")) {
            compiler.family = read_choice(m_problems, *family, "compiler family", k_families);
        }
        compiler.args = m_texts.texts(fields.find("args"));
        compiler.wraps = m_texts.texts(fields.find("wraps"));
        toolchain.compilers.push_back(std::move(compiler));
    }
}

std::vector<SdkStep> ToolchainReader::read_steps(const JsonValue *value, const StepRules &rules,
                                                 const SdkToolchain &toolchain) {
    std::vector<SdkStep> steps;
    if (value == nullptr || !expect_kind(m_problems, *value, JsonKind::array)) {
        return steps;
    }
    if (value->elements.empty()) {
        m_problems.add(*value, "must have at least one step; leave the key out if this toolchain makes none");
        return steps;
    }
    const bool was_good = m_problems.none();
    for (const JsonValue &element : value->elements) {
        steps.push_back(read_step(element, toolchain));
    }
    check_extraction(*value, steps, rules);
    if (was_good && m_problems.none()) {
        check_flow(*value, steps, rules);
    }
    return steps;
}

SdkStep ToolchainReader::read_step(const JsonValue &value, const SdkToolchain &toolchain) {
    SdkStep step;
    const Fields fields(m_problems, value, k_step_shape);
    if (!fields.is_object()) {
        return step;
    }
    const JsonValue *const run = fields.find("run");
    const JsonValue *const extract = fields.find("extract");
    if ((run == nullptr) == (extract == nullptr)) {
        m_problems.add(value, "must have either \"run\" or \"extract\"");
        return step;
    }
    if (extract != nullptr) {
        step.extract = read_text(m_problems, *extract);
        for (const std::string_view key : {"args", "reads"}) {
            if (const JsonValue *extra = fields.find(key)) {
                m_problems.add(*extra, fmt::format("\"{}\" has no meaning beside \"extract\"", key));
            }
        }
        return step;
    }
    step.run = read_text(m_problems, *run);
    if (!step.run.empty() && step.run != k_compiler && !toolchain.programs.contains(step.run)) {
        std::vector<std::string> valid = keys_of(toolchain.programs);
        if (!toolchain.programs.contains(std::string(k_compiler))) {
            valid.emplace_back(k_compiler);
        }
        m_problems.add(*run, unknown_name("program", step.run, valid));
    }
    step.args = m_texts.texts(fields.find("args"), TextPlace::step_argument);
    if (const JsonValue *reads = fields.find("reads")) {
        read_reads(*reads, step);
    }
    return step;
}

void ToolchainReader::read_reads(const JsonValue &value, SdkStep &step) {
    for (const JsonValue *element : read_text_values(m_problems, value, {.distinct = true})) {
        const Reads reads = read_choice(m_problems, *element, "kind of input", k_reads);
        step.reads_sources = step.reads_sources || reads == Reads::sources;
        step.reads_libraries = step.reads_libraries || reads == Reads::libraries;
    }
}

// An extraction takes its section from what the command before it wrote, and its result is the output.
void ToolchainReader::check_extraction(const JsonValue &steps, const std::vector<SdkStep> &read,
                                       const StepRules &rules) {
    for (std::size_t i = 0; i < read.size(); ++i) {
        if (read[i].extract.empty()) {
            continue;
        }
        if (!rules.may_extract) {
            m_problems.add(steps.elements[i], "\"extract\" is possible in \"image\" steps only");
        } else if (i == 0 || i + 1 != read.size()) {
            m_problems.add(steps.elements[i], "\"extract\" must be the last step, behind a command");
        }
    }
}

void ToolchainReader::check_flow(const JsonValue &steps, const std::vector<SdkStep> &read, const StepRules &rules) {
    const auto command =
        std::find_if(read.rbegin(), read.rend(), [](const SdkStep &step) { return !step.run.empty(); });
    if (command != read.rend() && !uses(*command, "output")) {
        m_problems.add(steps, "the last command does not write {output}");
    }
    if (!uses(read, rules.input)) {
        m_problems.add(steps, fmt::format("no step of \"{}\" reads {{{}}}", rules.key, rules.input));
    }
    const std::string_view other = rules.input == "source" ? "objects" : "source";
    if (uses(read, other)) {
        m_problems.add(steps, fmt::format("{{{}}} has no meaning in \"{}\" steps", other, rules.key));
    }
}

}  // namespace scene_kernels
