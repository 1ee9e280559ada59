// What the packer is asked to pack: reads the spec and the files that it names, within the limits of an SDK's types.
// Knows no image layout. Only packer.cpp includes it, after the SDK's header.
//
// SPEC, lines that end with '\n', in this order:
//   scene-kernels-pack 1
//   function NAME                        the orchestration's entry
//   config NAME                          its configuration function; may be empty
//   signature DIRECTION,...              each `scalar`, `in`, `out` or `inout`; may be empty
//   library PATH                         the rest of the line; relative paths start in the working directory
//   child FUNC_ID DIRECTION,... PATH     one per kernel; `-` instead of directions for an empty signature
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace scene_kernels::pack {

using Bytes = std::vector<std::uint8_t>;
using Signature = std::vector<ArgDirection>;

// What the user is told; everything that goes wrong ends as one of these.
struct Problem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The limits that the SDK's types have, read from the types themselves.
template <typename Image>
struct Limits;
template <typename Child, int MaxSig, int MaxChildren>
struct Limits<Callable<Child, MaxSig, MaxChildren>> {
    static constexpr int k_signature = MaxSig;
    static constexpr int k_children = MaxChildren;
};
using ChipLimits = Limits<ChipCallable>;
using CoreLimits = Limits<CoreCallable>;

inline constexpr std::size_t k_name_bytes = static_cast<std::size_t>(CALLABLE_FUNC_NAME_MAX) - 1;
inline constexpr std::uint64_t k_max_image = std::numeric_limits<std::uint32_t>::max();  // offsets have 32 bits
inline constexpr std::uint64_t k_max_spec = std::uint64_t{16} << 20U;

struct Child {
    std::int32_t func_id = 0;
    Signature signature;
    std::string path;
    Bytes code;
};

struct Spec {
    std::string function;
    std::string config;
    Signature signature;
    std::string library_path;
    Bytes library;
    std::vector<Child> children;
};

// A regular file's bytes. One of more than `limit` bytes is refused before it is read.
inline Bytes read_file(const std::string &path, std::uint64_t limit) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::is_regular_file(status)) {
        throw Problem("cannot read " + path + ": " + (error ? error.message() : "not a regular file"));
    }
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error) {
        throw Problem("cannot read " + path + ": " + error.message());
    }
    if (size > limit) {
        throw Problem(path + " is too large: " + std::to_string(size) + " bytes, and " + std::to_string(limit) +
                      " are left for it");
    }
    Bytes bytes(static_cast<std::size_t>(size));
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file || file.gcount() != static_cast<std::streamsize>(bytes.size()) || file.peek() != EOF) {
        throw Problem("cannot read " + path + ", or it changed meanwhile");
    }
    return bytes;
}

inline ArgDirection direction_from(const std::string &word) {
    static const struct {
        const char *name;
        ArgDirection direction;
    } k_names[] = {{"scalar", ArgDirection::SCALAR},
                   {"in", ArgDirection::IN},
                   {"out", ArgDirection::OUT},
                   {"inout", ArgDirection::INOUT}};
    for (const auto &entry : k_names) {
        if (word == entry.name) {
            return entry.direction;
        }
    }
    throw Problem("unknown direction \"" + word + "\" (valid: scalar, in, out, inout)");
}

inline Signature signature_from(const std::string &text, int limit) {
    Signature signature;
    std::size_t begin = 0;
    while (!text.empty() && begin <= text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        signature.push_back(direction_from(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    if (signature.size() > static_cast<std::size_t>(limit)) {
        throw Problem("a signature with " + std::to_string(signature.size()) + " entries, at most " +
                      std::to_string(limit) + " are possible");
    }
    return signature;
}

inline std::int32_t func_id_from(const std::string &text) {
    std::int64_t value = 0;
    if (text.empty() || text.size() > 10) {
        throw Problem("\"" + text + "\" is no func_id");
    }
    for (const char digit : text) {
        if (digit < '0' || digit > '9') {
            throw Problem("\"" + text + "\" is no func_id");
        }
        value = value * 10 + (digit - '0');
    }
    if (value > std::numeric_limits<std::int32_t>::max()) {
        throw Problem("func_id " + text + " is too large");
    }
    return static_cast<std::int32_t>(value);
}

inline std::string name_from(const std::string &text, const char *what) {
    if (text.size() > k_name_bytes) {
        throw Problem(std::string(what) + " name of " + std::to_string(text.size()) + " bytes, at most " +
                      std::to_string(k_name_bytes) + " are possible");
    }
    return text;
}

// Reads the spec line by line; each function takes the line that must come next.
class SpecReader {
public:
    explicit SpecReader(const Bytes &text) : m_text(text.begin(), text.end()) {}

    bool at_end() const { return m_position == m_text.size(); }
    std::size_t line() const { return m_line; }

    // The rest of the next line, which must begin with `keyword` and a space.
    std::string take(const std::string &keyword) {
        ++m_line;
        const std::size_t end = m_text.find('\n', m_position);
        if (end == std::string::npos) {
            throw Problem(at_end() ? "`" + keyword + "` is missing" : "the line does not end");
        }
        const std::string line = m_text.substr(m_position, end - m_position);
        m_position = end + 1;
        if (line.find('\0') != std::string::npos) {
            throw Problem("a zero byte");
        }
        if (line.compare(0, keyword.size() + 1, keyword + " ") != 0) {
            throw Problem("expected `" + keyword + " ...`");
        }
        return line.substr(keyword.size() + 1);
    }

private:
    std::string m_text;
    std::size_t m_position = 0;
    std::size_t m_line = 0;
};

inline Child child_from(const std::string &text) {
    const std::size_t first = text.find(' ');
    const std::size_t second = first == std::string::npos ? first : text.find(' ', first + 1);
    if (second == std::string::npos || second + 1 == text.size()) {
        throw Problem("expected `child FUNC_ID DIRECTION,...|- PATH`");
    }
    Child child;
    child.func_id = func_id_from(text.substr(0, first));
    const std::string signature = text.substr(first + 1, second - first - 1);
    if (signature.empty()) {
        throw Problem("a child without arguments has `-` as signature");
    }
    child.signature = signature_from(signature == "-" ? std::string() : signature, CoreLimits::k_signature);
    child.path = text.substr(second + 1);
    return child;
}

inline void read_children(SpecReader &reader, Spec &spec) {
    std::set<std::int32_t> func_ids;
    while (!reader.at_end()) {
        spec.children.push_back(child_from(reader.take("child")));
        if (spec.children.size() > static_cast<std::size_t>(ChipLimits::k_children)) {
            throw Problem("more than " + std::to_string(ChipLimits::k_children) + " children");
        }
        if (!func_ids.insert(spec.children.back().func_id).second) {
            throw Problem("func_id " + std::to_string(spec.children.back().func_id) + " is there twice");
        }
    }
}

inline Spec read_spec(const std::string &path) {
    SpecReader reader(read_file(path, k_max_spec));
    Spec spec;
    try {
        if (reader.take("scene-kernels-pack") != "1") {
            throw Problem("this packer reads version 1 alone");
        }
        spec.function = name_from(reader.take("function"), "a function");
        if (spec.function.empty()) {
            throw Problem("the function has no name");
        }
        spec.config = name_from(reader.take("config"), "a config");
        spec.signature = signature_from(reader.take("signature"), ChipLimits::k_signature);
        spec.library_path = reader.take("library");
        read_children(reader, spec);
    } catch (const Problem &problem) {
        throw Problem(path + ", line " + std::to_string(reader.line()) + ": " + problem.what());
    }
    return spec;
}

// Files are read up to what 32-bit offsets leave for them, so a huge one is refused before it fills the memory.
inline void read_parts(Spec &spec) {
    std::uint64_t left = k_max_image;
    spec.library = read_file(spec.library_path, left);
    left -= spec.library.size();
    for (Child &child : spec.children) {
        child.code = read_file(child.path, left);
        left -= child.code.size();
    }
}

}  // namespace scene_kernels::pack
