#include "store/manifest.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

using Json = nlohmann::ordered_json;

// No manifest of ours comes near; what is larger is not parsed.
constexpr std::size_t k_max_manifest_bytes = 64U << 20U;
constexpr std::size_t k_max_name_bytes = 255;
constexpr std::uint64_t k_address_bytes = 8;
constexpr const char *k_manifest_name = "artifact.json";
constexpr const char *k_callable_name = "callable.bin";

Json output_json(const OutputFile &output) {
    Json json;
    json["name"] = output.name;
    json["size"] = output.size;
    json["sha256"] = output.digest.hex();
    return json;
}

Json child_json(const PackedChild &child) {
    Json json;
    json["func_id"] = child.func_id;
    json["name"] = child.name;
    json["core_type"] = child.core_type;
    json["offset"] = child.offset;
    json["size"] = child.size;
    json["code_offset"] = child.code_offset;
    json["code_size"] = child.code_size;
    json["resolved_address_offset"] = child.resolved_address_offset;
    return json;
}

Json layout_json(const PackedLayout &layout) {
    Json json;
    json["function_name"] = layout.function_name;
    json["config_name"] = layout.config_name;
    json["signature"] = layout.signature;
    json["abi_token"] = layout.abi_token.hex();
    json["binary_offset"] = layout.binary_offset;
    json["binary_size"] = layout.binary_size;
    json["children"] = Json::array();
    for (const PackedChild &child : layout.children) {
        json["children"].push_back(child_json(child));
    }
    return json;
}

// Reads the members of one object. The first thing that is wrong is kept as the error; what is read after it is empty.
class ObjectReader {
public:
    ObjectReader(const Json &json, std::string pointer, std::optional<Error> &error)
        : m_json(json), m_pointer(std::move(pointer)), m_error(error) {
        if (!json.is_object()) {
            refuse("", "is no object");
        }
    }

    std::string text(const char *name) {
        const Json *value = member(name);
        if (value == nullptr || !value->is_string()) {
            refuse(name, "must be a string");
            return {};
        }
        return value->get<std::string>();
    }
    std::uint64_t number(const char *name, std::uint64_t limit = std::numeric_limits<std::uint64_t>::max()) {
        const Json *value = member(name);
        if (value == nullptr || !value->is_number_unsigned() || value->get<std::uint64_t>() > limit) {
            refuse(name, fmt::format("must be a whole number from 0 to {}", limit));
            return 0;
        }
        return value->get<std::uint64_t>();
    }
    Digest digest(const char *name) {
        const std::optional<Digest> digest = Digest::from_hex(text(name));
        if (!digest) {
            refuse(name, "must be 64 hexadecimal digits in lower case");
        }
        return digest.value_or(Digest{});
    }
    std::vector<std::string> texts(const char *name) {
        std::vector<std::string> texts;
        for (const Json &item : array(name)) {
            if (!item.is_string()) {
                refuse(name, "must hold strings only");
                break;
            }
            texts.push_back(item.get<std::string>());
        }
        return texts;
    }
    // The empty array where there is none.
    const Json &array(const char *name) {
        static const Json s_empty = Json::array();
        const Json *value = member(name);
        if (value == nullptr || !value->is_array()) {
            refuse(name, "must be an array");
            return s_empty;
        }
        return *value;
    }
    [[nodiscard]] const Json *member(const char *name) const {
        const auto found = m_json.is_object() ? m_json.find(name) : m_json.end();
        return found == m_json.end() ? nullptr : &*found;
    }
    void only(std::initializer_list<std::string_view> names) {
        for (const auto &item : m_json.items()) {
            if (m_json.is_object() && std::find(names.begin(), names.end(), item.key()) == names.end()) {
                refuse(item.key().c_str(), "is not known");
            }
        }
    }
    void refuse(const char *name, const std::string &what) {
        if (!m_error) {
            const std::string place = *name == '\0' ? m_pointer : fmt::format("{}/{}", m_pointer, printable(name));
            m_error = Error{place.empty() ? what : fmt::format("{} {}", place, what)};
        }
    }

private:
    const Json &m_json;
    std::string m_pointer;
    std::optional<Error> &m_error;
};

bool is_plain_name(const std::string &name) {
    return !name.empty() && name.size() <= k_max_name_bytes && name != "." && name != ".." && name != k_manifest_name &&
           name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

// Whether [offset, offset + size) lies in [begin, begin + length).
bool lies_in(std::uint64_t offset, std::uint64_t size, std::uint64_t begin, std::uint64_t length) {
    return offset >= begin && size <= length && offset - begin <= length - size;
}

OutputFile read_output(const Json &json, const std::string &pointer, std::optional<Error> &error) {
    ObjectReader reader(json, pointer, error);
    reader.only({"name", "size", "sha256"});
    OutputFile output;
    output.name = reader.text("name");
    output.size = reader.number("size");
    output.digest = reader.digest("sha256");
    if (!is_plain_name(output.name)) {
        reader.refuse("name", "must be a plain file name");
    }
    return output;
}

PackedChild read_child(const Json &json, const std::string &pointer, std::uint64_t total, std::optional<Error> &error) {
    ObjectReader reader(json, pointer, error);
    reader.only(
        {"func_id", "name", "core_type", "offset", "size", "code_offset", "code_size", "resolved_address_offset"});
    PackedChild child;
    child.func_id = static_cast<int>(reader.number("func_id", std::numeric_limits<int>::max()));
    child.name = reader.text("name");
    child.core_type = reader.text("core_type");
    child.offset = reader.number("offset");
    child.size = reader.number("size");
    child.code_offset = reader.number("code_offset");
    child.code_size = reader.number("code_size");
    child.resolved_address_offset = reader.number("resolved_address_offset");
    if (child.core_type != "aic" && child.core_type != "aiv") {
        reader.refuse("core_type", "must be \"aic\" or \"aiv\"");
    }
    if (!lies_in(child.offset, child.size, 0, total)) {
        reader.refuse("offset", fmt::format("and size lie outside of {}", k_callable_name));
    }
    if (!lies_in(child.code_offset, child.code_size, child.offset, child.size)) {
        reader.refuse("code_offset", "and code_size lie outside of the child");
    }
    if (!lies_in(child.resolved_address_offset, k_address_bytes, child.offset, child.size)) {
        reader.refuse("resolved_address_offset", "lies outside of the child");
    }
    return child;
}

PackedLayout read_layout(const Json &json, std::uint64_t total, std::optional<Error> &error) {
    ObjectReader reader(json, "/callable", error);
    reader.only({"function_name", "config_name", "signature", "abi_token", "binary_offset", "binary_size", "children"});
    PackedLayout layout;
    layout.function_name = reader.text("function_name");
    layout.config_name = reader.text("config_name");
    layout.signature = reader.texts("signature");
    layout.abi_token = reader.digest("abi_token");
    layout.binary_offset = reader.number("binary_offset");
    layout.binary_size = reader.number("binary_size");
    if (!lies_in(layout.binary_offset, layout.binary_size, 0, total)) {
        reader.refuse("binary_offset", fmt::format("and binary_size lie outside of {}", k_callable_name));
    }
    for (const Json &child : reader.array("children")) {
        const std::string pointer = fmt::format("/callable/children/{}", layout.children.size());
        layout.children.push_back(read_child(child, pointer, total, error));
    }
    return layout;
}

void read_outputs(ObjectReader &reader, Manifest &manifest, std::optional<Error> &error) {
    std::set<std::string> names;
    for (const Json &item : reader.array("outputs")) {
        const std::string pointer = fmt::format("/outputs/{}", manifest.outputs.size());
        manifest.outputs.push_back(read_output(item, pointer, error));
        if (!names.insert(manifest.outputs.back().name).second) {
            reader.refuse("outputs",
                          fmt::format("names {} twice", scene_kernels::quoted(manifest.outputs.back().name)));
        }
    }
    if (manifest.outputs.empty()) {
        reader.refuse("outputs", "must name at least one file");
    }
}

// A callable has a layout and a callable.bin that it describes; nothing else has one.
void read_callable(ObjectReader &reader, Manifest &manifest, std::optional<Error> &error) {
    const Json *layout = reader.member("callable");
    if ((layout != nullptr) != (manifest.kind == ActionKind::callable)) {
        reader.refuse("callable", "must be there for kind \"callable\", and for no other");
        return;
    }
    if (layout == nullptr) {
        return;
    }
    const auto packed = std::find_if(manifest.outputs.begin(), manifest.outputs.end(),
                                     [](const OutputFile &output) { return output.name == k_callable_name; });
    if (packed == manifest.outputs.end()) {
        reader.refuse("outputs", fmt::format("must name {}", k_callable_name));
        return;
    }
    manifest.layout = read_layout(*layout, packed->size, error);
}

}  // namespace

std::string to_json(const Manifest &manifest) {
    Json json;
    json["schema"] = k_manifest_schema;
    json["kind"] = to_text(manifest.kind);
    json["key"] = manifest.key.hex();
    json["platform"] = manifest.platform;
    json["runtime"] = manifest.runtime;
    json["uncacheable"] = manifest.uncacheable;
    json["outputs"] = Json::array();
    for (const OutputFile &output : manifest.outputs) {
        json["outputs"].push_back(output_json(output));
    }
    if (!manifest.messages.empty()) {
        json["messages"] = manifest.messages;
    }
    if (manifest.layout) {
        json["callable"] = layout_json(*manifest.layout);
    }
    // Bytes that are no UTF-8 (a file name in a reason) become U+FFFD; JSON cannot hold them.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Expected<Manifest> parse_manifest(std::string_view text) {
    if (text.size() > k_max_manifest_bytes) {
        return failure(fmt::format("{} bytes are too many for a manifest", text.size()));
    }
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) {
        return failure("is no JSON");
    }
    std::optional<Error> error;
    ObjectReader reader(json, "", error);
    Manifest manifest;
    if (reader.number("schema") != static_cast<std::uint64_t>(k_manifest_schema)) {
        reader.refuse("schema", fmt::format("must be {}", k_manifest_schema));
    }
    reader.only({"schema", "kind", "key", "platform", "runtime", "uncacheable", "outputs", "messages", "callable"});
    const std::optional<ActionKind> kind = action_kind_from_text(reader.text("kind"));
    if (!kind) {
        reader.refuse("kind", "must be image, object, library, packer or callable");
    }
    manifest.kind = kind.value_or(ActionKind::image);
    manifest.key = reader.digest("key");
    manifest.platform = reader.text("platform");
    manifest.runtime = reader.text("runtime");
    manifest.uncacheable = reader.text("uncacheable");
    read_outputs(reader, manifest, error);
    if (reader.member("messages") != nullptr) {
        manifest.messages = reader.text("messages");
        if (manifest.messages.empty() || manifest.messages.size() > k_max_message_bytes) {
            reader.refuse("messages", fmt::format("must have from 1 to {} bytes", k_max_message_bytes));
        }
    }
    read_callable(reader, manifest, error);
    if (error) {
        return tl::unexpected<Error>(std::move(*error));
    }
    return manifest;
}

}  // namespace scene_kernels
