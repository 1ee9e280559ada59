#include "build/action_runner.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <set>

#include "base/strings.h"
#include "build/attempt.h"
#include "build/build_context.h"
#include "ninja/input_list.h"
#include "os/environment.h"
#include "plan/graph_writer.h"

namespace scene_kernels {

namespace {

// How long a builder waits at least for another that builds the same, before it builds for itself; and how much longer
// than that build took last.
constexpr double k_shortest_limit_seconds = 60;
constexpr double k_patience = 10;

// What a builder leaves in its lock file: "pid 123 seconds 4.5". The seconds are those of the last build that ended.
struct LockNote {
    int pid = 0;
    double seconds = 0;

    static LockNote of(const std::string &text) {
        LockNote note;
        if (std::sscanf(text.c_str(), "pid %d seconds %lf", &note.pid, &note.seconds) != 2 || !(note.seconds >= 0) ||
            note.seconds > k_longest_believed_seconds) {
            return {};
        }
        return note;
    }
    [[nodiscard]] std::string text() const {
        return "pid " + std::to_string(pid) + " seconds " + std::to_string(seconds) + "\n";
    }

private:
    static constexpr double k_longest_believed_seconds = 3600;
};

// SCENE_KERNELS_LOCK_LIMIT: seconds, a whole number.
std::optional<double> limit_from_environment() {
    const std::string text = environment_variable("SCENE_KERNELS_LOCK_LIMIT").value_or("");
    int seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    const bool good = error == std::errc{} && end == text.data() + text.size() && seconds >= 0;
    return good ? std::optional<double>(seconds) : std::nullopt;
}

class ActionRunner {
public:
    ActionRunner(BuildContext &context, bool color) : m_context(context), m_color(color) {}

    Expected<BuildOutcome> run() {
        const Action &action = m_context.action;
        if (!action.error.empty()) {
            return failed(action.error);
        }
        auto parts = m_context.parts();
        if (!parts) {
            return failed(parts.error().message);
        }
        m_parts = std::move(*parts);
        for (const Part &part : m_parts) {
            m_reusable = m_reusable && part.manifest.uncacheable.empty();
        }
        SK_TRY(bool adopted, adopt_existing());
        if (!adopted && m_reusable) {
            SK_TRY(m_lock, wait_for_others());
            SK_CHECK(m_context.stores.load());
            m_context.keys.forget();
            SK_TRY(adopted, adopt_existing());
        }
        if (adopted) {
            m_outcome.result = BuildResult::hit;
            return m_outcome;
        }
        return build();
    }

private:
    BuildOutcome failed(const std::string &reason) {
        m_outcome.result = BuildResult::failed;
        m_outcome.reason = reason;
        m_outcome.output = "scene-kernels: " + reason + "\n";
        for (const std::string &user : m_context.action.users) {
            m_outcome.output += "  of " + user + "\n";
        }
        return m_outcome;
    }

    std::vector<Digest> part_digests() const {
        std::vector<Digest> digests;
        for (const Part &part : m_parts) {
            digests.push_back(part.digest);
        }
        return digests;
    }

    // Points the ref at an artifact that fits, if there is one.
    Expected<bool> adopt_existing() {
        if (!m_reusable) {
            return false;
        }
        std::vector<Closure> closures = m_context.stores.closures_of(m_context.action.recipe);
        if (m_context.action.kind == ActionKind::callable) {
            closures.assign(1, Closure{});
        }
        for (const Closure &closure : closures) {
            SK_TRY(const std::optional<Digest> key, m_context.keys.key(m_context.action, part_digests(), closure));
            if (!key) {
                continue;
            }
            SK_TRY(const std::optional<FoundArtifact> found, m_context.stores.find(*key));
            if (found) {
                std::vector<std::string> read;
                for (const ClosureGroup &group : closure.groups) {
                    for (const std::vector<NameId> *files : {&group.sources, &group.files}) {
                        for (const NameId file : *files) {
                            read.push_back(m_context.roots.real(m_context.names.text(file)));
                        }
                    }
                }
                SK_CHECK(write_down(read, found->manifest));
                return true;
            }
        }
        return false;
    }

    // Nothing where locking does not work or the wait was too long: then this process builds for itself, which is only
    // wasteful.
    Expected<std::optional<FileLock>> wait_for_others() {
        SK_TRY(Store * store, m_context.stores.writable());
        FieldHasher hasher;
        hasher.field("recipe", m_context.action.recipe);
        for (const Digest &digest : part_digests()) {
            hasher.field("part", digest);
        }
        const Digest what = hasher.finish();
        m_note = LockNote::of(FileLock::note_of(store->lock_path(what)));
        const double limit =
            limit_from_environment().value_or(std::max(k_shortest_limit_seconds, k_patience * m_note.seconds));
        const auto holder = [&] {
            const LockNote note = LockNote::of(FileLock::note_of(store->lock_path(what)));
            return note.pid == 0 ? std::string("another process") : "process " + std::to_string(note.pid);
        };
        const std::string start = "scene-kernels: " + m_context.action.name + " is being built by ";
        auto lock = store->lock(what, std::chrono::milliseconds(static_cast<std::int64_t>(limit * 1000)), [&] {
            tell(start + holder() + "; waiting for it, at most " + std::to_string(static_cast<int>(limit)) + " s\n");
        });
        if (!lock) {
            return std::nullopt;
        }
        if (*lock) {
            m_note.pid = process_id();
            (*lock)->set_note(m_note.text());
        } else {
            tell(start + holder() + ", which does not come to an end; building it here, too\n");
        }
        return std::move(*lock);
    }

    void tell(const std::string &text) { static_cast<void>(m_context.services.files->append("/dev/stderr", text)); }

    // In the user's store; if that fails for a reason of the store's own, such as a full disk, in the private one.
    Expected<BuildOutcome> build() {
        SK_TRY(Store * store, m_context.stores.writable());
        const BuildOutcome before = m_outcome;
        Expected<BuildOutcome> outcome = build_in(*store);
        std::string trouble = outcome ? "" : outcome.error().message;
        if (outcome && outcome->result == BuildResult::failed) {
            trouble = trouble_of(*store);
        }
        if (trouble.empty() || interrupt_signal() != 0 || !m_context.stores.fall_back()) {
            return outcome;
        }
        const int commands = m_outcome.commands;
        m_outcome = before;
        m_outcome.commands = commands;
        m_outcome.not_kept = trouble;
        SK_TRY(Store * other, m_context.stores.writable());
        return build_in(*other);
    }

    // Whether a store has room for an output; if not, why. Commands write there, and say so in words of their own.
    std::string trouble_of(Store &store) {
        constexpr std::size_t k_room = 256 * 1024;
        auto staging = store.stage();
        if (!staging) {
            return staging.error().message;
        }
        const auto written =
            m_context.services.files->write(path_join(staging->directory(), "room"), std::string(k_room, 'x'));
        return written ? std::string{} : written.error().message;
    }

    Expected<BuildOutcome> build_in(Store &store) {
        std::optional<Digest> first_key;
        std::string changed;
        for (int round = 0; round < 2; ++round) {
            SK_TRY(Staging staging, store.stage());
            SK_TRY(Attempt attempt, attempt_action(m_context, m_parts, staging.directory(), m_color));
            m_outcome.commands += attempt.commands;
            m_outcome.output = attempt.output;
            if (attempt.failed) {
                m_outcome.result = attempt.interrupted ? BuildResult::interrupted : BuildResult::failed;
                m_outcome.reason = attempt.reason;
                return m_outcome;
            }
            const bool still = attempt.key && attempt.changed_file.empty() &&
                               (attempt.changed_directory.empty() || (round == 1 && attempt.key == first_key));
            if (still) {
                return publish(store, std::move(staging), attempt);
            }
            first_key = attempt.key;
            changed = attempt.changed_file.empty() ? attempt.changed_directory : attempt.changed_file;
        }
        return failed(changed + " changed while it was read, twice in a row; run again when the files rest");
    }

    Expected<BuildOutcome> publish(Store &store, Staging staging, const Attempt &attempt) {
        if (m_lock) {
            constexpr double k_second_ns = 1e9;
            m_note.seconds = static_cast<double>(m_context.services.clock->now_ns() - attempt.start_ns) / k_second_ns;
            m_lock->set_note(m_note.text());
        }
        if (!attempt.uncacheable.empty()) {
            m_outcome.result = BuildResult::uncacheable;
            m_outcome.reason = attempt.uncacheable;
            SK_TRY(const std::string manifest, keep_private(staging.directory(), attempt.manifest));
            SK_CHECK(write_down(attempt.files_read, manifest));
            return m_outcome;
        }
        KnownArtifact known;
        known.outputs = attempt.manifest.outputs;
        SK_TRY(known.manifest_digest, store.publish(std::move(staging), attempt.manifest));
        SK_CHECK(m_context.stores.remember(m_context.action.recipe, attempt.closure, *attempt.key, known));
        SK_CHECK(write_down(attempt.files_read, store.manifest_path(*attempt.key)));
        m_outcome.result = BuildResult::built;
        return m_outcome;
    }

    // Copies outputs that must not be reused into the graph directory, under a name of this very build.
    Expected<std::string> keep_private(const std::string &staging, const Manifest &manifest) {
        FileSystem &files = *m_context.services.files;
        constexpr std::size_t k_digits = 20;
        const std::string parent = path_join(private_directory(m_context.graph_directory), "uncacheable");
        const std::string stem = Sha256::of(m_context.action.name).hex().substr(0, k_digits);
        const std::string own =
            stem + "." + std::to_string(m_context.services.clock->now_ns()) + "." + std::to_string(process_id());
        const std::string directory = path_join(parent, own);
        SK_CHECK(files.create_directories(directory));
        for (const OutputFile &output : manifest.outputs) {
            SK_TRY(const std::string bytes, files.read(path_join(staging, output.name)));
            const std::string path = path_join(directory, output.name);
            SK_CHECK(files.write(path, bytes));
            SK_CHECK(files.set_mode(path, output.name == "packer" ? 0755 : 0644));
        }
        const std::string path = path_join(directory, "artifact.json");
        SK_CHECK(files.write(path, to_json(manifest)));
        SK_TRY(const auto others, files.list(parent));
        for (const DirectoryEntry &entry : others.value_or(std::vector<DirectoryEntry>{})) {
            if (entry.name != own && entry.name.compare(0, stem.size() + 1, stem + ".") == 0) {
                SK_CHECK(files.remove_all(path_join(parent, entry.name)));
            }
        }
        return path;
    }

    // The inputs reach plan.d before the ref appears: a ref must never stand for more than the plan watches.
    Expected<void> write_down(const std::vector<std::string> &files_read, const std::string &manifest) {
        std::set<std::string> inputs(files_read.begin(), files_read.end());
        const std::vector<std::string> searched = m_context.keys.search().watched();
        inputs.insert(searched.begin(), searched.end());
        InputList list(*m_context.services.files, m_context.graph_directory, m_context.header.source_root);
        SK_CHECK(list.add(inputs));
        m_context.save_memory();
        SK_CHECK(write_ref(*m_context.services.files, m_context.graph_directory, m_context.header.source_root,
                           m_context.action.name, manifest));
        return {};
    }

    BuildContext &m_context;
    bool m_color;
    bool m_reusable = true;  // no part is uncacheable
    std::optional<FileLock> m_lock;
    LockNote m_note;
    std::vector<Part> m_parts;
    BuildOutcome m_outcome;
};

}  // namespace

const char *to_text(BuildResult result) {
    constexpr const char *k_texts[] = {"hit", "built", "uncacheable", "failed", "interrupted"};
    return k_texts[static_cast<int>(result)];
}

Expected<BuildOutcome> run_action(const Services &services, const std::string &graph_directory,
                                  const std::string &action_name, bool color) {
    SK_TRY(const std::unique_ptr<BuildContext> context, BuildContext::open(services, graph_directory, action_name));
    const std::int64_t start = services.clock->steady_ns();
    SK_TRY(BuildOutcome outcome, ActionRunner(*context, color).run());
    constexpr double k_second = 1e9;
    outcome.seconds = static_cast<double>(services.clock->steady_ns() - start) / k_second;
    return outcome;
}

}  // namespace scene_kernels
