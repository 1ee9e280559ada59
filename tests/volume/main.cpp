// Proof by volume: random changes of a random source tree, one after the other. After each one the tree is warmed with
// one long-lived store; every artifact must have the bytes that the compiler makes of the sources as they are now, and
// exactly those actions must have been built that were never built before. A sequence that fails is made short.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "choose.h"
#include "shrink.h"
#include "support/checkout.h"
#include "trial.h"

namespace scene_kernels::volume {

namespace {

namespace fs = std::filesystem;

constexpr int k_usage_error = 2;

struct Options {
    int changes = 300;
    std::uint64_t seed = 1;
    std::string program = e2e::program().string();
    std::string lie;
};

// Runs the changes up to the first failure, and shortens the sequence that led there.
class Run {
public:
    Run(const Options &options, const fs::path &folder)
        : m_options(options), m_folder(folder), m_oracle(folder / "oracle") {
        m_setting.program = options.program;
        m_setting.home = folder / "home";
        m_setting.seed = options.seed;
        m_setting.lie = change_kind(options.lie);
        m_setting.fixtures = read_fixtures();
        m_setting.oracle = &m_oracle;
        fs::create_directories(m_setting.home);
    }

    int run() {
        Trial trial(m_setting, m_folder / "run");
        if (const auto failure = trial.check()) {
            std::printf("seed %llu: the start tree fails\n%s", seed(), failure->text.c_str());
            return 1;
        }
        // Replays start from here.
        e2e::copy_tree(trial.store(), m_folder / "start");
        m_start = trial.ledger();
        Chooser chooser(m_options.seed);
        for (int i = 0; i < m_options.changes; ++i) {
            m_changes.push_back(chooser.choose(trial.tree()));
            if (const auto failure = trial.step(m_changes.back())) {
                report(*failure);
                return 1;
            }
            tell_progress(i + 1, trial.figures());
        }
        std::printf("%s", figures(trial.figures()).c_str());
        return 0;
    }

private:
    unsigned long long seed() const { return m_options.seed; }

    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count(); }

    void tell_progress(int done, const Figures &figures) const {
        constexpr int k_often = 500;
        if (done % k_often == 0 && done < m_options.changes) {
            std::fprintf(stderr, "%d of %d changes, %d actions built, %.0f s\n", done, m_options.changes, figures.built,
                         seconds());
        }
    }

    std::string figures(const Figures &figures) const {
        std::string kinds;
        for (int kind = 0; kind < k_change_kinds; ++kind) {
            const int count = figures.changes[static_cast<std::size_t>(kind)];
            kinds += (kind == 0 ? "" : ", ") + std::string(to_text(static_cast<ChangeKind>(kind))) + " " +
                     std::to_string(count);
        }
        return "seed " + std::to_string(m_options.seed) + ": " + std::to_string(m_options.changes) + " changes (" +
               kinds + "); " + std::to_string(figures.warms) + " warms, " + std::to_string(figures.idle_warms) +
               " of them idle; " + std::to_string(figures.built) + " actions built = needed, " +
               std::to_string(figures.compiles) + " of them compile; " + std::to_string(figures.hits) + " hits; " +
               std::to_string(figures.artifacts) +
               " artifacts compared; oracle: " + std::to_string(m_oracle.processes()) + " processes; " +
               std::to_string(static_cast<int>(seconds())) + " s\n";
    }

    // Replays some of the changes from the start tree, and says how that ends. Changes that do not apply are skipped;
    // `lines` gets the others.
    std::optional<Failure> replay(const Indices &indices, std::string &lines) {
        const fs::path root = m_folder / ("replay" + std::to_string(m_replays++));
        std::optional<Failure> failure;
        {
            Trial trial(m_setting, root, m_folder / "start", m_start);
            for (std::size_t i = 0; i < indices.size() && !failure; ++i) {
                const Tree before = trial.tree();
                failure = trial.step(m_changes[indices[i]]);
                if (failure || trial.tree() != before || m_changes[indices[i]].kind == ChangeKind::touch) {
                    lines += "  " + describe(m_changes[indices[i]], before) + "\n";
                }
            }
        }
        fs::remove_all(root);
        return failure;
    }

    void report(const Failure &failure) {
        std::printf("seed %llu: change %zu fails: %s\n", seed(), m_changes.size(), failure.text.c_str());
        Indices all(m_changes.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = i;
        }
        const auto fails = [&](const Indices &indices) {
            std::string lines;
            const auto again = replay(indices, lines);
            return again && again->kind == failure.kind;
        };
        const Indices shortest = shrink(all, fails);
        std::string lines;
        const auto again = replay(shortest, lines);
        std::printf("seed %llu: minimal sequence of %zu changes, after %d replays:\n%sleads to: %s\n", seed(),
                    shortest.size(), m_replays, lines.c_str(),
                    again ? again->text.c_str() : "nothing; the failure does not come again\n");
    }

    const Options &m_options;
    fs::path m_folder;
    Oracle m_oracle;
    Setting m_setting;
    Ledger m_start;
    std::vector<Change> m_changes;
    int m_replays = 0;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

std::string check_kind(const std::string &text) {
    return change_kind(text) ? "" : "no kind of change: " + text;
}

int run(int argc, char **argv) {
    Options options;
    CLI::App app(
        "Changes a random source tree again and again, and compares what scene-kernels makes of it with what the "
        "compiler makes of it.");
    app.add_option("--changes", options.changes, "how many changes")
        ->check(CLI::Range(0, 10'000'000))
        ->capture_default_str();
    app.add_option("--seed", options.seed, "of the tree and of the changes")->capture_default_str();
    app.add_option("--program", options.program, "the scene-kernels to test")
        ->check(CLI::ExistingFile)
        ->capture_default_str();
    // For the test of the test: the oracle is blind to changes of this kind.
    app.add_option("--lie", options.lie)->check(check_kind)->group("");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : k_usage_error;
    }
    options.program = fs::absolute(options.program).string();
    const e2e::TemporaryFolder folder("volume");
    return Run(options, folder.path()).run();
}

}  // namespace

}  // namespace scene_kernels::volume

int main(int argc, char **argv) {
    try {
        return scene_kernels::volume::run(argc, argv);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "volume: %s\n", error.what());
        return 1;
    }
}
