// Any bytes as the closure log of a store: what is known by it can be told, and is still known when the log was written
// anew.
#include <map>

#include "fuzz_check.h"
#include "fuzz_log.h"
#include "memory_filesystem.h"
#include "store/closure_log.h"

namespace scene_kernels {

namespace {

// A process with its own numbers of names and lists.
struct Process {
    explicit Process(FileSystem &files) : log(files, k_log_path, names, searches, Locking::if_possible) {
        check(log.load().has_value(), "a log is read");
    }

    void tell(std::string &text, const std::vector<NameId> &ids) const {
        for (const NameId id : ids) {
            text += names.text(id) + '\n';
        }
        text += '\0';
    }
    // The same in every process.
    std::string told(const Digest &recipe) const {
        std::string text;
        for (const Closure &closure : log.closures_of(recipe)) {
            text += "closure\n";
            for (const ClosureGroup &group : closure.groups) {
                const SearchList &list = searches.list(group.search);
                for (const auto *ids :
                     {&list.quote, &list.directories, &list.elsewhere, &group.sources, &group.files, &group.names}) {
                    tell(text, *ids);
                }
            }
        }
        return text;
    }

    NameTable names;
    SearchTable searches;
    ClosureLog log;
};

// The recipes and keys that a log mentions.
class Mentioned final : public LogVisitor {
public:
    void restart() override {}
    void record(std::uint32_t type, std::string_view payload) override {
        decode_record(
            type, payload, m_tables, [this](const Digest &recipe, const Closure &) { recipes.push_back(recipe); },
            [this](const Digest &key, KnownArtifact artifact) { artifacts[key] = std::move(artifact); });
    }
    std::vector<Digest> recipes;
    std::map<Digest, KnownArtifact> artifacts;

private:
    NameTable m_names;
    SearchTable m_searches;
    LogTables m_tables{m_names, m_searches, {}, {}};
};

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    constexpr const char *k_magic = "skclose1";
    FakeClock clock;
    MemoryFileSystem files(clock);
    files.add(k_log_path, with_right_checks(text_of(data, size), k_magic));
    Process before(files);
    Mentioned mentioned;
    LogPosition position;
    check(RecordLog(files, k_log_path, k_magic).read(position, mentioned).has_value(), "the records are read");

    check(Process(files).log.compact([](const Digest &) { return true; }).has_value(), "a log is written anew");
    const Process after(files);
    for (const Digest &recipe : mentioned.recipes) {
        check(before.told(recipe) == after.told(recipe), "closures stay", before.told(recipe));
    }
    for (const auto &[key, artifact] : mentioned.artifacts) {
        const KnownArtifact *kept = after.log.artifact(key);
        check(kept != nullptr && *kept == artifact && *before.log.artifact(key) == artifact, "artifacts stay");
    }
    if (!mentioned.recipes.empty() && !before.log.closures_of(mentioned.recipes.back()).empty()) {
        const Closure again = before.log.closures_of(mentioned.recipes.back()).back();
        check(before.log.add(mentioned.recipes.back(), again).has_value(), "a closure is added");
        check(before.log.closures_of(mentioned.recipes.back()).front() == again, "what was added last is first");
    }
    return 0;
}
