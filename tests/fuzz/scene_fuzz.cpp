// Any bytes as a descriptor, for the SDK of this project: a scene whose names and paths are as promised and that can be
// selected from, or an error that says where.
#include <set>

#include "base/strings.h"
#include "forwarding_filesystem.h"
#include "fuzz_check.h"
#include "memory_filesystem.h"
#include "model/load.h"
#include "model/names.h"
#include "model/selection.h"

namespace scene_kernels {

namespace {

constexpr const char *k_path = "/scenes/one/x.scene.json";

// One descriptor; beside it every file that anybody may name, except for names with "missing"; what has no '.' in its
// name is a folder.
class ManyFiles final : public ForwardingFileSystem {
public:
    ManyFiles(FileSystem &nothing, std::string_view descriptor)
        : ForwardingFileSystem(nothing), m_descriptor(descriptor) {}

    Expected<std::optional<FileStat>> stat(const std::string &path) override {
        if (path.find('\0') != std::string::npos) {
            return failure("cannot read a path with a NUL byte");
        }
        const std::string_view name = path_name(path);
        if (name.find("missing") != std::string_view::npos) {
            return std::nullopt;
        }
        FileStat status;
        status.type = name.find('.') == std::string_view::npos ? FileType::directory : FileType::regular;
        status.size = path == k_path ? m_descriptor.size() : 0;
        return status;
    }
    Expected<std::string> read(const std::string & /*path*/) override { return std::string(m_descriptor); }
    Expected<std::optional<std::vector<DirectoryEntry>>> list(const std::string & /*path*/) override {
        return std::vector<DirectoryEntry>{{"add.cpp", FileType::regular}, {"mul.cpp", FileType::regular}};
    }

private:
    std::string_view m_descriptor;
};

void check_path(const std::string &path) {
    check(is_absolute(path) && path == path_normal(path), "a path is absolute and normal", path);
}

void check_scene(const Scene &scene, const Sdk &sdk) {
    check(scene.path == k_path && is_name(scene.name) && !scene.callables.empty() && !scene.cases.empty(), "a scene");
    std::set<std::string> names;
    for (const Callable &callable : scene.callables) {
        check(is_name(callable.name) && names.insert(callable.name).second, "callables have names of their own");
        check_path(callable.orchestration.source);
        std::set<int> func_ids;
        for (const Incore &incore : callable.incores) {
            check_path(incore.source);
            check(incore.func_id >= 0 && func_ids.insert(incore.func_id).second, "kernels have a func_id of their own");
        }
    }
    for (const Case &one : scene.cases) {
        for (const std::string &platform : one.platforms) {
            check(sdk.platforms.contains(platform), "a platform is one of the SDK's");
        }
    }
}

void check_selection(const Scene &scene, const Sdk &sdk) {
    SelectionContext context;
    context.system = "linux";
    context.machine = "x86_64";
    context.environment = [](const std::string &name) -> std::optional<std::string> {
        return name.size() % 2 == 0 ? std::optional<std::string>("1") : std::nullopt;
    };
    context.has_tool = [](const std::string &name) { return name.size() % 2 == 0; };
    for (const auto &[name, platform] : sdk.platforms) {
        context.platform = name;
        for (const ManualMode mode : {ManualMode::exclude, ManualMode::include, ManualMode::only}) {
            context.manual = mode;
            const auto reason = skip_reason(scene, scene.callables.front(), SelectExpression(), context);
            check(!reason || !reason->text.empty(), "a reason for skipping");
        }
    }
}

const Sdk &project_sdk() {
    static const Sdk s_sdk = load_sdk(real_filesystem(), SCENE_KERNELS_SDK).value();
    return s_sdk;
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    FakeClock clock;
    MemoryFileSystem nothing(clock);
    ManyFiles files(nothing, text_of(data, size));
    const auto scene = load_scene(files, k_path, project_sdk());
    if (!scene) {
        check_error(scene.error(), ErrorKind::input);
        check_places(scene.error(), k_path);
        return 0;
    }
    check_scene(*scene, project_sdk());
    check_selection(*scene, project_sdk());
    return 0;
}
