#include "action/variables.h"

#include <set>

#include "base/strings.h"

namespace scene_kernels {

Variables::Variables(const Sdk &sdk, std::map<std::string, std::string> set, EnvironmentLookup environment)
    : m_sdk(&sdk), m_set(std::move(set)), m_environment(std::move(environment)) {}

Error Variables::unset(const std::string &name) const {
    const auto declared = m_sdk->variables.find(name);
    if (declared == m_sdk->variables.end()) {
        return Error{"$" + name + " is not set; set the environment variable " + name, ErrorKind::input};
    }
    std::string text = "the variable " + name;
    if (!declared->second.description.empty()) {
        text += " (" + declared->second.description + ")";
    }
    text += " is not set; give --set " + name + "=VALUE";
    if (!declared->second.environment.empty()) {
        text += " or set the environment variable " + declared->second.environment;
    }
    return Error{text, ErrorKind::input};
}

Expected<void> Variables::check(const SdkPlatform &platform) const {
    std::vector<std::string> names;
    for (const auto &[name, variable] : m_sdk->variables) {
        names.push_back(name);
    }
    for (const auto &[name, value] : m_set) {
        if (m_sdk->variables.contains(name)) {
            continue;
        }
        std::string text = "--set " + name + ": the SDK " + m_sdk->path + " has no variable of that name";
        if (const auto near = nearest(name, names)) {
            text += "; did you mean " + *near + "?";
        } else {
            text += names.empty() ? "; it has none" : " (it has " + join(names, ", ") + ")";
        }
        return input_error(text);
    }
    for (const std::string &name : platform.requires_variables) {
        const auto found = value(name);
        if (!found || found->empty()) {
            Error error = unset(name);
            error.message = "platform " + platform.name + ": " + error.message;
            return tl::unexpected<Error>(error);
        }
    }
    return {};
}

std::optional<std::string> Variables::value(const std::string &name) const {
    if (const auto given = m_set.find(name); given != m_set.end()) {
        return given->second;
    }
    const auto declared = m_sdk->variables.find(name);
    if (declared == m_sdk->variables.end()) {
        return m_environment(name);
    }
    if (!declared->second.environment.empty()) {
        if (auto found = m_environment(declared->second.environment)) {
            return found;
        }
    }
    return declared->second.fallback;
}

bool Variables::is_directory(const std::string &name) const {
    const auto declared = m_sdk->variables.find(name);
    return declared == m_sdk->variables.end() || declared->second.is_directory;
}

std::vector<Root> Variables::roots(const std::vector<Scene> &scenes, const std::string &source_root) const {
    std::set<std::string> names;
    for (const auto &[name, variable] : m_sdk->variables) {
        names.insert(name);
    }
    Expander collector;
    collector.variable = [&names](const std::string &name) -> Expected<Spelled> {
        names.insert(name);
        return Spelled{};
    };
    const auto collect = [&collector](const std::vector<std::string> &texts) {
        for (const std::string &text : texts) {
            static_cast<void>(collector.expand(text));
        }
    };
    for (const Scene &scene : scenes) {
        for (const Callable &callable : scene.callables) {
            collect(callable.orchestration.extra_include_dirs);
            for (const Incore &incore : callable.incores) {
                collect(incore.extra_include_dirs);
            }
        }
    }
    std::vector<Root> roots;
    for (const std::string &name : names) {
        const auto found = value(name);
        if (is_directory(name) && found && !found->empty()) {
            const std::string path = path_normal(path_join(source_root, *found));
            if (path != "/") {
                roots.push_back({name, path});
            }
        }
    }
    return roots;
}

VariableLookup Variables::lookup(const Roots &roots) const {
    return [this, &roots](const std::string &name) -> Expected<Spelled> {
        const auto found = value(name);
        if (!found || found->empty()) {
            return tl::unexpected<Error>(unset(name));
        }
        if (!is_directory(name)) {
            return Spelled(*found);
        }
        const std::string logical = roots.logical(path_normal(path_join(roots.source_root(), *found)));
        return Spelled(roots.command(logical), logical);
    };
}

}  // namespace scene_kernels
