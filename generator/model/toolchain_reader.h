// Reads one toolchain of an SDK description: its compilers, its programs and the steps that make each kind of output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/fields.h"
#include "model/sdk.h"
#include "model/sdk_reader.h"
#include "model/sdk_references.h"

namespace scene_kernels {

class ToolchainReader {
public:
    ToolchainReader(Problems &problems, SdkReferences &references, SdkTexts &texts)
        : m_problems(problems), m_references(references), m_texts(texts) {}

    [[nodiscard]] SdkToolchain read(const std::string &name, const JsonValue &value);

private:
    // What one list of steps must do.
    struct StepRules {
        std::string_view key;    // "image", ...
        std::string_view input;  // the placeholder of what it starts from
        bool may_extract;
    };

    void read_compilers(const JsonValue &value, SdkToolchain &toolchain);
    [[nodiscard]] std::vector<SdkStep> read_steps(const JsonValue *value, const StepRules &rules,
                                                  const SdkToolchain &toolchain);
    [[nodiscard]] SdkStep read_step(const JsonValue &value, const SdkToolchain &toolchain);
    void read_reads(const JsonValue &value, SdkStep &step);
    void check_extraction(const JsonValue &steps, const std::vector<SdkStep> &read, const StepRules &rules);
    void check_flow(const JsonValue &steps, const std::vector<SdkStep> &read, const StepRules &rules);

    Problems &m_problems;
    SdkReferences &m_references;
    SdkTexts &m_texts;
};

}  // namespace scene_kernels
