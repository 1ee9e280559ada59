// Runs an SDK's packer program: its sample (the ABI token) and the callables.
#pragma once

#include <string>
#include <vector>

#include "action/action.h"
#include "base/error.h"
#include "os/filesystem.h"
#include "os/process.h"
#include "store/manifest.h"

namespace scene_kernels {

inline constexpr const char *k_packer_output = "packer";
inline constexpr const char *k_sample_output = "sample.bin";
inline constexpr const char *k_callable_output = "callable.bin";

struct PackFiles {
    std::string packer;  // the program
    std::string sample;  // what it wrote for --sample
    std::string library;
    std::vector<std::string> images;  // one per child of the spec, in its order
    std::string directory;            // of the output; scratch files go to `scratch`
    std::string scratch;
};

// Writes callable.bin and says where its parts lie. Errors carry the packer's own message.
[[nodiscard]] Expected<PackedLayout> pack_callable(FileSystem &files, ProcessRunner &processes, const PackSpec &spec,
                                                   const PackFiles &places, const ProcessSpec &surroundings);

// Writes the packer's sample.
[[nodiscard]] Expected<void> write_sample(ProcessRunner &processes, const std::string &packer,
                                          const std::string &sample, const ProcessSpec &surroundings);

}  // namespace scene_kernels
