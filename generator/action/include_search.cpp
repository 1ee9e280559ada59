#include "action/include_search.h"

#include <algorithm>

#include "base/strings.h"

namespace scene_kernels {

namespace {

std::uint64_t pair_key(std::uint32_t high, std::uint32_t low) {
    return (static_cast<std::uint64_t>(high) << 32U) | low;
}

}  // namespace

IncludeSearch::IncludeSearch(FileSystem &files, const Roots &roots, NameTable &names, const SearchTable &searches)
    : m_files(files), m_roots(roots), m_names(names), m_searches(searches) {}

void IncludeSearch::clear() {
    m_directories.clear();
    m_bracketed.clear();
    m_everywhere.clear();
    m_exists.clear();
}

const std::string &IncludeSearch::real_of(NameId directory) {
    const auto [entry, is_new] = m_real.try_emplace(directory);
    if (is_new) {
        entry->second = m_roots.real(m_names.text(directory));
    }
    return entry->second;
}

const IncludeSearch::Directory &IncludeSearch::directory_at(const std::string &real) {
    const auto [entry, is_new] = m_directories.try_emplace(real);
    Directory &directory = entry->second;
    if (is_new) {
        ++m_listings;
        // A directory that may not be listed is one in which the compiler finds nothing by name we could rule out: it
        // can still open files there, so it counts as empty only for listings; unreadable directories are rare and
        // harmless, because what was read from them is in the closure by content.
        const auto entries = m_files.list(real);
        if (entries && *entries) {
            directory.present = true;
            directory.entries.reserve((*entries)->size());
            for (const DirectoryEntry &found : **entries) {
                directory.entries.emplace(found.name, found.type);
            }
        }
    }
    return directory;
}

// Walks `name` from `real_directory` on, a listing per directory, so that absent subdirectories cost nothing.
bool IncludeSearch::exists_at(const std::string &real_directory, const std::string &name) {
    std::string place = real_directory;
    std::size_t start = 0;
    for (;;) {
        const std::size_t slash = name.find('/', start);
        const std::string part = name.substr(start, slash == std::string::npos ? slash : slash - start);
        const bool last = slash == std::string::npos;
        if (part.empty() || part == ".") {
            if (last) {
                return false;
            }
        } else if (part == "..") {
            if (last) {
                return false;
            }
            place += "/..";
        } else {
            const Directory &directory = directory_at(place);
            const auto entry = directory.entries.find(part);
            if (entry == directory.entries.end()) {
                return false;
            }
            place += '/' + part;
            FileType type = entry->second;
            if (last && type == FileType::symlink) {
                const auto status = m_files.stat(place);
                type = status && *status ? (*status)->type : FileType::directory;
            }
            if (last) {
                return type != FileType::directory;
            }
            if (type == FileType::regular) {
                return false;
            }
        }
        start = slash + 1;
    }
}

bool IncludeSearch::precompiled_at(const std::string &real_directory, const std::string &name) {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) {
        const Directory &directory = directory_at(real_directory);
        return directory.present &&
               (directory.entries.contains(name + ".gch") || directory.entries.contains(name + ".pch"));
    }
    // GCC takes a directory x.h.gch too; for names with a folder only files are looked for.
    return exists_at(real_directory, name + ".gch") || exists_at(real_directory, name + ".pch");
}

bool IncludeSearch::exists(NameId directory, const std::string &name) {
    return exists_at(real_of(directory), name);
}

const IncludeSearch::Outcome &IncludeSearch::bracketed(NameId name, SearchId search) {
    const auto [entry, is_new] = m_bracketed.try_emplace(pair_key(search, name));
    Outcome &outcome = entry->second;
    if (!is_new) {
        return outcome;
    }
    const std::string &text = m_names.text(name);
    if (is_absolute(text)) {
        outcome.found = m_files.stat(text).value_or(std::nullopt) ? 0 : k_nowhere;
        return outcome;
    }
    const SearchList &list = m_searches.list(search);
    for (std::uint32_t i = 0; i < list.directories.size(); ++i) {
        const std::string &directory = real_of(list.directories[i]);
        outcome.precompiled = outcome.precompiled || precompiled_at(directory, text);
        if (exists_at(directory, text)) {
            outcome.found = i;
            break;
        }
    }
    for (std::uint32_t i = 0; i < list.elsewhere.size(); ++i) {
        const std::string &directory = real_of(list.elsewhere[i]);
        if (exists_at(directory, text)) {
            outcome.elsewhere.push_back(i);
        }
        outcome.precompiled = outcome.precompiled || precompiled_at(directory, text);
    }
    return outcome;
}

IncludeSearch::QuotedOutcome IncludeSearch::quoted(NameId name, NameId directory, SearchId search) {
    QuotedOutcome outcome;
    const std::string &text = m_names.text(name);
    if (!is_absolute(text)) {
        const auto [known, is_new] = m_exists.try_emplace(pair_key(directory, name));
        if (is_new) {
            const std::string &real = real_of(directory);
            known->second =
                static_cast<std::uint8_t>((exists_at(real, text) ? 1 : 0) | (precompiled_at(real, text) ? 2 : 0));
        }
        outcome.beside = (known->second & 1U) != 0;
        outcome.precompiled = (known->second & 2U) != 0;
        if (outcome.beside) {
            return outcome;
        }
        const SearchList &list = m_searches.list(search);
        for (std::uint32_t i = 0; i < list.quote.size(); ++i) {
            const std::string &real = real_of(list.quote[i]);
            outcome.precompiled = outcome.precompiled || precompiled_at(real, text);
            if (exists_at(real, text)) {
                outcome.quote = i;
                outcome.elsewhere = places(list.elsewhere, text);
                return outcome;
            }
        }
    }
    outcome.bracketed = &bracketed(name, search);
    outcome.precompiled = outcome.precompiled || outcome.bracketed->precompiled;
    return outcome;
}

std::vector<std::uint32_t> IncludeSearch::places(const std::vector<NameId> &directories, const std::string &name) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < directories.size(); ++i) {
        if (exists_at(real_of(directories[i]), name)) {
            found.push_back(i);
        }
    }
    return found;
}

const IncludeSearch::Everywhere &IncludeSearch::everywhere(NameId name, SearchId search) {
    const auto [entry, is_new] = m_everywhere.try_emplace(pair_key(search, name));
    if (is_new) {
        const SearchList &list = m_searches.list(search);
        const std::string &text = m_names.text(name);
        entry->second = {places(list.quote, text), places(list.directories, text), places(list.elsewhere, text)};
    }
    return entry->second;
}

std::vector<std::string> IncludeSearch::watched() {
    std::unordered_set<std::string> paths;
    for (const auto &[path, directory] : m_directories) {
        std::string place = path;
        bool present = directory.present;
        while (!present && place.size() > 1) {
            place = std::string(path_parent(place));
            const auto known = m_directories.find(place);
            present = known != m_directories.end() ? known->second.present
                                                   : m_files.stat(place).value_or(std::nullopt).has_value();
        }
        paths.insert(place);
    }
    std::vector<std::string> sorted(paths.begin(), paths.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

}  // namespace scene_kernels
