// The actions of a set of scenes on one platform, in topological order: what there is to build, without knowing what is
// built already.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "action/action.h"
#include "action/expand.h"
#include "action/roots.h"
#include "action/toolchain_set.h"
#include "base/error.h"
#include "model/scene.h"
#include "model/sdk.h"

namespace scene_kernels {

struct CallableNode {
    const Scene *scene = nullptr;
    const Callable *callable = nullptr;
    std::size_t action = 0;  // index into ActionGraph::actions
};

struct ActionGraph {
    std::vector<Action> actions;  // dependencies stand before their users
    std::map<std::string, std::size_t> by_name;
    std::vector<CallableNode> callables;  // in the order of the scenes
    std::vector<std::string> watched;     // real paths of directories whose appearance would change the graph
};

struct GraphRequest {
    const Sdk *sdk = nullptr;
    const SdkPlatform *platform = nullptr;
    const std::vector<Scene> *scenes = nullptr;
    const Roots *roots = nullptr;
    VariableLookup variables;
    std::map<std::string, std::string> environment;  // allowed variables that are set
    std::string packer_source;                       // absolute path of packer.cpp
    std::optional<Launcher> launcher;                // instead of the rows' and the SDK's defaults
    // Which callables get an action at all.
    std::function<bool(const Scene &, const Callable &)> includes;
};

// `scenes` of the request must outlive the result. Errors are of kind input: a compiler that is not there, say.
[[nodiscard]] Expected<ActionGraph> build_graph(FileSystem &files, ToolchainSet &toolchains,
                                                const GraphRequest &request);

// The placeholders that every text of a platform may use: {platform}, {sdk}, and the platform's own values.
[[nodiscard]] std::map<std::string, Spelled> platform_placeholders(const Sdk &sdk, const SdkPlatform &platform,
                                                                   const Roots &roots);

}  // namespace scene_kernels
