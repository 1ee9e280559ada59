// `artifact.json`: what an artifact consists of. The format is described in docs/formats.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "action/kinds.h"
#include "action/recipe.h"
#include "base/error.h"
#include "base/sha256.h"

namespace scene_kernels {

struct OutputFile {
    std::string name;  // a plain file name inside the artifact's directory
    std::uint64_t size = 0;
    Digest digest;
    bool operator==(const OutputFile &) const = default;
};

// Where one child of a packed callable lies. All offsets are bytes from the start of callable.bin.
struct PackedChild {
    int func_id = 0;
    std::string name;
    std::string core_type;  // "aic" or "aiv"
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t code_offset = 0;
    std::uint64_t code_size = 0;
    std::uint64_t resolved_address_offset = 0;  // of the 64-bit little-endian address to patch
    bool operator==(const PackedChild &) const = default;
};

// What a loader must know of callable.bin without knowing the SDK's structs.
struct PackedLayout {
    std::string function_name;
    std::string config_name;
    std::vector<std::string> signature;
    Digest abi_token;
    std::uint64_t binary_offset = 0;  // the orchestration library inside callable.bin
    std::uint64_t binary_size = 0;
    std::vector<PackedChild> children;
    bool operator==(const PackedLayout &) const = default;
};

struct Manifest {
    ActionKind kind = ActionKind::image;
    Digest key;
    std::string platform;
    std::string runtime;  // empty where the action does not depend on it
    std::vector<OutputFile> outputs;
    std::optional<PackedLayout> layout;  // callables only
    std::string uncacheable;             // why this artifact may not be reused; empty in every store entry
    std::string messages;                // what the commands printed, warnings say; UTF-8
    bool operator==(const Manifest &) const = default;
};

inline constexpr int k_manifest_schema = k_artifact_schema;

// Largest text of `messages`, in bytes.
inline constexpr std::size_t k_max_message_bytes = 256U << 10U;

// Deterministic, pretty-printed, with a final newline.
[[nodiscard]] std::string to_json(const Manifest &manifest);
// Checks everything: types, enum texts, digests, plain file names, offsets inside outputs. Errors say what is wrong.
[[nodiscard]] Expected<Manifest> parse_manifest(std::string_view text);

}  // namespace scene_kernels
