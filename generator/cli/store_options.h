// The options of commands that work on a store as a whole, and how much of it is kept.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "plan/project.h"
#include "store/prune.h"
#include "store/store.h"

namespace scene_kernels {

struct StoreOptions {
    std::string source_root;
    std::string store;
    bool allow_foreign_store = false;
};

void add_store_options(CLI::App &command, StoreOptions &options);

// The store that is there; an error of kind input where there is none (it is not created), of kind failure where it
// cannot be read.
[[nodiscard]] Expected<Store> open_existing_store(const Services &services, const std::string &directory,
                                                  bool allow_foreign);
[[nodiscard]] Expected<Store> open_existing_store(const Services &services, const StoreOptions &options);

// What a store may hold: the given texts, or where those are empty $SCENE_KERNELS_MAX_AGE and $SCENE_KERNELS_MAX_SIZE,
// or 14 days and 10 GiB. "none" is no limit. Kind input.
[[nodiscard]] Expected<PruneLimits> prune_limits(const std::string &max_age, const std::string &max_size);

}  // namespace scene_kernels
