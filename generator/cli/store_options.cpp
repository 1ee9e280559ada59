#include "cli/store_options.h"

#include <limits>

#include "base/strings.h"
#include "cli/options.h"
#include "cli/quantities.h"
#include "os/environment.h"

namespace scene_kernels {

namespace {

constexpr const char *k_max_age = "14d";
constexpr const char *k_max_size = "10G";

// The text and where it is from, for messages.
struct Setting {
    std::string text;
    std::string source;
};

Setting setting(const std::string &given, const std::string &option, const std::string &variable,
                const std::string &fallback) {
    if (!given.empty()) {
        return {given, option};
    }
    const std::string from_environment = environment_variable(variable).value_or("");
    return from_environment.empty() ? Setting{fallback, option} : Setting{from_environment, variable};
}

}  // namespace

void add_store_options(CLI::App &command, StoreOptions &options) {
    command
        .add_option("--source-root", options.source_root,
                    "whose build/cache/kernels is meant; default: the git top level or the current directory")
        ->type_name("DIR");
    command.add_option("--store", options.store, "the store; default: $SCENE_KERNELS_STORE or build/cache/kernels")
        ->type_name("DIR");
    command.add_flag("--allow-foreign-store", options.allow_foreign_store, "also if it belongs to another user");
}

Expected<Store> open_existing_store(const Services &services, const std::string &directory, bool allow_foreign) {
    SK_TRY(const auto version, services.files->stat(path_join(directory, "VERSION")));
    if (!version) {
        return input_error(directory + " is no store of scene-kernels: it has no file VERSION (--store names another)");
    }
    Store store = Store::open(*services.files, *services.clock, directory, allow_foreign);
    if (store.state().access == StoreAccess::none) {
        return failure(store.state().why);
    }
    return store;
}

Expected<Store> open_existing_store(const Services &services, const StoreOptions &options) {
    SK_TRY(const std::string root, choose_source_root(*services.files, options.source_root));
    SK_TRY(const std::string directory, choose_store(*services.files, root, options.store));
    return open_existing_store(services, directory, options.allow_foreign_store);
}

Expected<PruneLimits> prune_limits(const std::string &max_age, const std::string &max_size) {
    PruneLimits limits;
    const Setting age = setting(max_age, "--max-age", "SCENE_KERNELS_MAX_AGE", k_max_age);
    limits.max_age_ns = std::numeric_limits<std::int64_t>::max();
    if (age.text != "none") {
        const auto parsed = parse_age(age.text);
        if (!parsed) {
            return input_error(age.source + ": " + parsed.error().message + ", or none");
        }
        limits.max_age_ns = *parsed;
    }
    const Setting size = setting(max_size, "--max-size", "SCENE_KERNELS_MAX_SIZE", k_max_size);
    if (size.text != "none") {
        const auto parsed = parse_size(size.text);
        if (!parsed) {
            return input_error(size.source + ": " + parsed.error().message + ", or none");
        }
        limits.max_bytes = *parsed;
    }
    return limits;
}

}  // namespace scene_kernels
