// Turns a parsed SDK description into an Sdk, reporting all that is wrong with it; texts stay unexpanded. Toolchains
// have their own reader.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/fields.h"
#include "model/sdk.h"
#include "model/sdk_references.h"

namespace scene_kernels {

// Texts and names as SDK descriptions have them; shared by its readers.
class SdkTexts {
public:
    SdkTexts(Problems &problems, SdkReferences &references) : m_problems(problems), m_references(references) {}

    // A text that may hold variables and placeholders, and a list of such texts.
    [[nodiscard]] std::string text(const JsonValue &value, TextPlace place = TextPlace::general,
                                   bool may_be_empty = false);
    [[nodiscard]] std::vector<std::string> texts(const JsonValue *value, TextPlace place = TextPlace::general);
    // A program: an absolute path, or a name to look up on PATH.
    [[nodiscard]] std::string program(const JsonValue &value);
    // A name; empty where it is none. `what` is for the message.
    [[nodiscard]] std::string name(const JsonValue &value, std::string_view what);
    [[nodiscard]] std::string identifier(const JsonValue &value, std::string_view what);
    // Calls `read` for every member of an object whose key is a name (`what`) and not repeated.
    void members(const JsonValue *value, std::string_view what, bool (*is_valid)(std::string_view),
                 const std::function<void(const std::string &, const JsonMember &)> &read);
    [[nodiscard]] Launcher launcher(const JsonValue &value);

private:
    Problems &m_problems;
    SdkReferences &m_references;
};

class SdkReader {
public:
    SdkReader(Problems &problems, const std::string &path);

    // What could be read; complete only if `problems` has none.
    [[nodiscard]] Sdk read(const JsonValue &root);

private:
    void read_variables(const JsonValue *value);
    void read_environment(const JsonValue &value);
    void read_limits(const JsonValue &value);
    void read_packer(const JsonValue &value);
    void read_platform(const std::string &name, const JsonValue &value);
    void read_values(const JsonValue *value, SdkPlatform &platform);
    void read_requires(const JsonValue &value, SdkPlatform &platform);
    [[nodiscard]] SdkTarget read_target(const JsonValue &value, const ObjectShape &shape, const std::string &platform);
    [[nodiscard]] SdkRuntime read_runtime(const std::string &name, const JsonValue &value, const std::string &platform);

    Problems &m_problems;
    Sdk m_sdk;
    SdkReferences m_references;
    SdkTexts m_texts;
};

}  // namespace scene_kernels
