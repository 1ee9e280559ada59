#include "searching.h"

#include <cctype>
#include <set>
#include <sstream>

namespace scene_kernels::volume {

namespace {

std::string parent(const std::string &path) {
    return path.substr(0, path.rfind('/'));
}

struct Asked {
    bool next = false;
    bool quoted = false;
    std::string name;  // empty: a macro stands for it
};

// The directives of one text, as render.cpp writes them.
std::vector<Asked> directives(const std::string &text) {
    std::vector<Asked> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const bool includes = line.starts_with("#include");
        const std::size_t question = line.find("__has_include(");
        if (!includes && question == std::string::npos) {
            continue;
        }
        Asked asked;
        asked.next = line.starts_with("#include_next");
        const std::size_t start = line.find_first_of("\"<", includes ? 0 : question);
        if (start != std::string::npos) {
            asked.quoted = line[start] == '"';
            asked.name = line.substr(start + 1, line.find_first_of("\">", start + 1) - start - 1);
        }
        found.push_back(asked);
    }
    return found;
}

}  // namespace

std::string Searching::first_place(const std::string &name, bool quoted, const std::string &file) const {
    if (quoted && m_texts.contains(parent(file) + "/" + name)) {
        return "beside";
    }
    for (std::size_t i = 0; i < m_folders.size(); ++i) {
        if (m_texts.contains(m_folders[i] + "/" + name)) {
            return std::to_string(i);
        }
    }
    return "nowhere";
}

std::string Searching::all_places(const std::string &name) const {
    std::string places;
    for (std::size_t i = 0; i < m_folders.size(); ++i) {
        places += m_texts.contains(m_folders[i] + "/" + name) ? std::to_string(i) + "," : "";
    }
    return places;
}

std::vector<std::string> Searching::reachable_names(const std::vector<std::string> &files,
                                                    const std::vector<std::string> &computing) const {
    std::set<std::string> starts(m_folders.begin(), m_folders.end());
    for (const std::string &file : computing) {
        starts.insert(parent(file));
    }
    std::set<std::string> names;
    for (const std::string &file : files) {
        for (const std::string &start : starts) {
            if (file.starts_with(start + "/")) {
                names.insert(file.substr(start.size() + 1));
            }
        }
    }
    return {names.begin(), names.end()};
}

std::string Searching::outcomes(const std::vector<std::string> &files) const {
    std::string text;
    std::vector<std::string> computing;
    for (const std::string &file : files) {
        text += file + ":";
        bool computes = false;
        for (const Asked &asked : directives(m_texts.at(file))) {
            computes = computes || asked.name.empty();
            if (!asked.name.empty()) {
                text += " " + asked.name + " " + first_place(asked.name, asked.quoted, file);
            }
            if (asked.next) {
                text += " " + all_places(asked.name);
            }
        }
        if (computes) {
            computing.push_back(file);
        }
        text += "\n";
    }
    if (!computing.empty()) {
        for (const std::string &name : reachable_names(files, computing)) {
            for (const std::string &file : computing) {
                text += name + " " + first_place(name, true, file) + "\n";
            }
        }
    }
    return text;
}

std::vector<std::string> header_words(const std::string &text) {
    std::vector<std::string> words;
    for (std::size_t at = text.find(".h"); at != std::string::npos; at = text.find(".h", at + 1)) {
        std::size_t start = at;
        while (start > 0 &&
               (std::isalnum(static_cast<unsigned char>(text[start - 1])) != 0 || text[start - 1] == '_')) {
            --start;
        }
        words.push_back(text.substr(start, at + 2 - start));
    }
    return words;
}

}  // namespace scene_kernels::volume
