// What the random source tree is made of: headers, kernels, orchestrations, scenes and the SDK, as values. Knows
// neither texts (render.h) nor the disk (folder.h).
//
// Every tree compiles, whatever was changed: a header may include headers of higher numbers alone, every header has a
// version in the last include directory that is never deleted, and every version defines what its users need.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace scene_kernels::volume {

// The include directories of kernels, in the order of the start tree. The first one does not exist there.
inline constexpr std::array<const char *, 3> k_include_folders = {"inc/first", "inc/second", "inc/base"};
inline constexpr const char *k_base_folder = "inc/base";
inline constexpr const char *k_runtime_folder = "inc/runtime";  // orchestrations search it before inc/base

inline constexpr int k_headers = 10;
inline constexpr int k_optionals = 3;
inline constexpr int k_scenes = 3;
inline constexpr int k_kernels = 8;         // sources; scenes choose among them
inline constexpr int k_shared_kernels = 2;  // the last ones lie outside of the scenes' folders
inline constexpr int k_flags = 2;           // macros that the SDK may define
inline constexpr int k_compilers = 2;       // places for a compiler
inline constexpr int k_compiler_contents = 3;

enum class Role : std::uint8_t { header, optional, kernel, orchestration, runtime };

// One editable file. Two versions of a header differ in `folder` alone.
struct FileId {
    Role role = Role::header;
    std::string folder;  // from the root
    int index = 0;       // of a header, an optional header, a kernel or a scene
    auto operator<=>(const FileId &) const = default;
};

// Numbers are indices of headers (`asks`: of optional ones), -1 for none.
struct FileSpec {
    int value = 100;         // what the file contributes to the bytes of its users; 3 digits, or more for another size
    int note = 1;            // in a comment
    int serial = 0;          // makes include guards differ
    bool once = false;       // #pragma once, else an include guard
    bool wraps = false;      // includes the next version of its own name (#include_next)
    bool brackets = false;   // #include <name>, else "name"
    bool only_asks = false;  // does not include what it asks for
    std::vector<int> includes;
    int asks = -1;      // __has_include
    int picks = -1;     // #include of a macro that stands for this header's name
    int inactive = -1;  // an #include that is never reached
    int flag = -1;      // a macro of the SDK that decides between two values
    bool operator==(const FileSpec &) const = default;
};

struct KernelUse {
    int func_id = 0;
    int kernel = 0;
    bool cube = false;  // core type aic, else aiv
    bool operator==(const KernelUse &) const = default;
};

struct Scene {
    std::vector<KernelUse> kernels;
    int function = 0;         // which of the orchestration's two entries
    bool configures = false;  // has a config function
    int arguments = 2;        // entries of the signatures
    bool extra = false;       // its kernels search the scene's own include directory, too
    bool operator==(const Scene &) const = default;
};

struct Sdk {
    std::set<int> image_flags;
    std::set<int> orchestration_flags;
    std::vector<std::string> folders;                // include directories of kernels, in order
    int compiler = 0;                                // which place's compiler is used
    std::array<int, k_compilers> contents = {0, 0};  // what lies at each place
    int packer_note = 0;                             // in a comment of the header that the packer includes
    bool operator==(const Sdk &) const = default;
};

struct Tree {
    std::map<FileId, FileSpec> files;
    std::vector<std::string> header_names;    // as they stand in #include, such as "sub/h4.h"
    std::vector<std::string> optional_names;  // such as "opt0.h"
    std::vector<Scene> scenes;
    Sdk sdk;
    std::map<std::string, int> unrelated;  // files that nobody reads; number: the text
    bool operator==(const Tree &) const = default;
};

// The tree that every sequence of changes starts with.
[[nodiscard]] Tree start_tree(std::uint64_t seed);

[[nodiscard]] std::string scene_name(int scene);
[[nodiscard]] std::string scene_folder(int scene);
// The two names that header number `index` may have, alternatively.
[[nodiscard]] std::string header_name(int index, bool other);
[[nodiscard]] FileId kernel_id(int kernel);
[[nodiscard]] FileId orchestration_id(int scene);
[[nodiscard]] FileId runtime_id();
[[nodiscard]] std::string path_of(const Tree &tree, const FileId &id);
// Where a version of a header takes effect on some unit: the include directories and those beside sources.
[[nodiscard]] std::vector<std::string> shadow_folders();

// Random numbers that are the same everywhere.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next();
    // 0 to `count` - 1.
    int below(int count);
    int between(int low, int high) { return low + below(high - low + 1); }
    bool one_in(int count) { return below(count) == 0; }
    template <typename Values>
    const auto &pick(const Values &values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

private:
    std::uint64_t m_state;
};

}  // namespace scene_kernels::volume
