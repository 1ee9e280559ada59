#include "action/roots.h"

#include <algorithm>

#include "base/strings.h"

namespace scene_kernels {

namespace {

// "<name>" or "<name>/rest" of a logical path: the name and the rest; an empty name for any other path.
struct NamedPath {
    std::string_view name;
    std::string_view rest;
};

NamedPath split_named(std::string_view logical) {
    const std::size_t end = logical.find('>');
    if (logical.empty() || logical.front() != '<' || end == std::string_view::npos) {
        return {};
    }
    if (end + 1 < logical.size() && logical[end + 1] != '/') {
        return {};
    }
    return {logical.substr(1, end - 1), logical.substr(std::min(end + 2, logical.size()))};
}

std::string_view below(std::string_view path, std::string_view root) {
    return path.size() == root.size() ? std::string_view{} : path.substr(root == "/" ? 1 : root.size() + 1);
}

}  // namespace

Roots::Roots(std::string source_root, std::vector<Root> others)
    : m_source_root(std::move(source_root)), m_roots(std::move(others)) {
    std::erase_if(m_roots, [this](const Root &root) { return path_is_inside(root.path, m_source_root); });
    std::sort(m_roots.begin(), m_roots.end(), [](const Root &a, const Root &b) {
        return a.path.size() != b.path.size() ? a.path.size() > b.path.size() : a.name < b.name;
    });
}

std::string Roots::logical(std::string_view path) const {
    const std::string tidy = path_tidy(path);
    if (!is_absolute(tidy)) {
        // A folder that looks like a root's name keeps a "./" in front, so that it never is one.
        return tidy.front() == '<' ? "./" + tidy : tidy;
    }
    // The innermost root wins; the source root competes with the named roots that contain it.
    const auto root = std::find_if(m_roots.begin(), m_roots.end(),
                                   [&tidy](const Root &candidate) { return path_is_inside(tidy, candidate.path); });
    const bool in_source = path_is_inside(tidy, m_source_root);
    if (in_source && (root == m_roots.end() || root->path.size() <= m_source_root.size())) {
        const std::string_view rest = below(tidy, m_source_root);
        return rest.empty() ? "." : logical(rest);
    }
    if (root != m_roots.end()) {
        const std::string_view rest = below(tidy, root->path);
        return "<" + root->name + ">" + (rest.empty() ? "" : "/" + std::string(rest));
    }
    return tidy;
}

std::string Roots::command(std::string_view logical) const {
    const NamedPath named = split_named(logical);
    if (!named.name.empty()) {
        for (const Root &root : m_roots) {
            if (root.name == named.name) {
                return path_join(root.path, named.rest);
            }
        }
    }
    // A file named like an option or a response file is not to be taken for one.
    const bool looks_special = !logical.empty() && (logical.front() == '-' || logical.front() == '@');
    return looks_special ? "./" + std::string(logical) : std::string(logical);
}

std::string Roots::real(std::string_view logical) const {
    const std::string path = command(logical);
    if (path == ".") {
        return m_source_root;
    }
    return path_join(m_source_root, path.substr(0, 2) == "./" ? std::string_view(path).substr(2) : path);
}

std::vector<std::string> Roots::prefix_map_options() const {
    std::vector<Root> ordered = m_roots;
    ordered.push_back({"", m_source_root});
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Root &a, const Root &b) { return a.path.size() < b.path.size(); });
    std::vector<std::string> options;
    for (const Root &root : ordered) {
        options.push_back("-ffile-prefix-map=" + root.path + "=" + (root.name.empty() ? "." : "<" + root.name + ">"));
    }
    return options;
}

std::vector<std::string> Roots::logical_prefix_map_options() const {
    std::vector<std::string> names;
    for (const Root &root : m_roots) {
        names.push_back("-ffile-prefix-map=<" + root.name + ">");
    }
    std::sort(names.begin(), names.end());
    names.emplace_back("-ffile-prefix-map=.");
    return names;
}

}  // namespace scene_kernels
