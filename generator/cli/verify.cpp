// `scene-kernels verify`: whether every entry of the store is what its name says; and whether building again gives the
// same bytes.
#include <algorithm>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "base/strings.h"
#include "build/rebuild.h"
#include "cli/commands.h"
#include "cli/graph_lock.h"
#include "cli/graph_view.h"
#include "cli/options.h"
#include "cli/store_options.h"
#include "os/process.h"
#include "report/texts.h"
#include "store/entry.h"

namespace scene_kernels {

namespace {

struct VerifyOptions {
    SceneOptions scenes;
    unsigned rebuild = 0;
    std::optional<unsigned> seed;
};

// Prints what is wrong; true if nothing is.
Expected<bool> verify_entries(FileSystem &files, const Store &store) {
    SK_TRY(const std::vector<StoreEntry> entries, store.entries());
    std::size_t damaged = 0;
    std::size_t vanished = 0;
    std::uint64_t bytes = 0;
    for (const StoreEntry &entry : entries) {
        if (interrupt_signal() != 0) {
            return failure("interrupted");
        }
        bytes += entry.disk_bytes;
        const auto inspected = inspect_entry(files, entry.directory, entry.key, true);
        if (inspected) {
            continue;
        }
        SK_TRY(const auto still, files.lstat(entry.directory));
        if (!still) {
            ++vanished;  // somebody prunes
            continue;
        }
        ++damaged;
        print("damaged: " + inspected.error().message + "\n");
    }
    const std::size_t whole = entries.size() - damaged - vanished;
    print(fmt::format("{} entries are whole ({})", whole, bytes_text(bytes)) +
          (damaged > 0
               ? fmt::format(", {} damaged (they count as absent, and are replaced when they are built again)", damaged)
               : "") +
          "\n");
    return damaged == 0;
}

Expected<bool> verify_builds(const Services &services, const std::string &graph, const VerifyOptions &options) {
    SK_TRY(const FileLock lock, lock_graph(*services.files, graph, LockMode::exclusive));
    SK_TRY(const GraphView view, GraphView::open(*services.files, graph));
    std::vector<std::string> warm;
    for (const std::string &name : view.actions()) {
        SK_TRY(const auto artifact, read_artifact(*services.files, graph, name));
        if (artifact) {
            warm.push_back(name);
        }
    }
    const unsigned seed = options.seed.value_or(std::random_device{}());
    std::mt19937 random(seed);
    // Not std::shuffle, whose result is not the same everywhere.
    for (std::size_t i = warm.size(); i > 1; --i) {
        std::swap(warm[i - 1], warm[random() % i]);
    }
    warm.resize(std::min<std::size_t>(warm.size(), options.rebuild));
    std::size_t counts[4] = {};
    for (const std::string &name : warm) {
        SK_TRY(const RebuildOutcome outcome, rebuild_action(services, graph, name));
        if (interrupt_signal() != 0) {
            return failure("interrupted");
        }
        ++counts[static_cast<int>(outcome.result)];
        constexpr const char *k_texts[] = {"same", "different", "outdated", "failed"};
        if (outcome.result != RebuildResult::same) {
            print(std::string(k_texts[static_cast<int>(outcome.result)]) + ": " + name + ": " + outcome.reason + "\n");
        }
        if (outcome.result == RebuildResult::failed) {
            print(outcome.output);
        }
    }
    print(fmt::format("{} of {} actions built again (seed {}): {} same, {} different, {} outdated, {} failed\n",
                      warm.size(), view.actions().size(), seed, counts[0], counts[1], counts[2], counts[3]));
    return counts[1] + counts[3] == 0;
}

Expected<int> run_verify(const Services &services, const VerifyOptions &options) {
    SK_TRY(const Request request, make_request(*services.files, options.scenes, services.data_directory));
    SK_TRY(const Store store, open_existing_store(services, request.store, request.allow_foreign_store));
    SK_TRY(bool good, verify_entries(*services.files, store));
    if (options.rebuild > 0) {
        SK_TRY(const bool same, verify_builds(services, request.graph_directory(), options));
        good = good && same;
    }
    return good ? 0 : 1;
}

}  // namespace

void add_verify_command(CLI::App &app, Invocation &invocation) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App *command = app.add_subcommand("verify", "check every entry of the store by its content");
    command->footer("Example:\n  scene-kernels verify --rebuild 20");
    add_scene_options(*command, options->scenes, false);
    command
        ->add_option("--rebuild", options->rebuild,
                     "also build N of the graph's actions again, chosen at random, and compare the bytes")
        ->type_name("N");
    command->add_option("--seed", options->seed, "which ones; default: others each time")->type_name("S");
    command->callback([options, &invocation] {
        invocation.run = [options](const Services &services) { return run_verify(services, *options); };
    });
}

}  // namespace scene_kernels
