#include "action/toolchain_answer.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace scene_kernels {

namespace {

using Json = nlohmann::json;

constexpr int k_version = 1;

template <typename Value>
void sort_unique(std::vector<Value> &values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Paths are bytes; JSON texts are UTF-8. Bytes above 127 become code points of the same number.
std::string widened(const std::string &bytes) {
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 128) {
            text.push_back(c);
        } else {
            text.push_back(static_cast<char>(0xC0U | (byte >> 6U)));
            text.push_back(static_cast<char>(0x80U | (byte & 0x3FU)));
        }
    }
    return text;
}

std::string narrowed(const std::string &text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 128 || i + 1 >= text.size()) {
            bytes.push_back(text[i]);
        } else {
            const auto next = static_cast<unsigned char>(text[++i]);
            bytes.push_back(static_cast<char>(((lead & 0x03U) << 6U) | (next & 0x3FU)));
        }
    }
    return bytes;
}

Json texts_json(const std::vector<std::string> &texts) {
    Json array = Json::array();
    for (const std::string &text : texts) {
        array.push_back(widened(text));
    }
    return array;
}

std::vector<std::string> texts_of(const Json &array) {
    std::vector<std::string> texts;
    for (const Json &text : array) {
        texts.push_back(narrowed(text.get<std::string>()));
    }
    return texts;
}

Json witnesses_json(const std::vector<ToolchainAnswer::Witness> &witnesses) {
    Json array = Json::array();
    for (const auto &[path, digest] : witnesses) {
        array.push_back({widened(path), digest.hex()});
    }
    return array;
}

// Throws what nlohmann_json throws, or std::out_of_range for a digest that is none.
Digest digest_of(const Json &text) {
    const std::optional<Digest> digest = Digest::from_hex(text.get<std::string>());
    if (!digest) {
        throw std::out_of_range("digest");
    }
    return *digest;
}

std::vector<ToolchainAnswer::Witness> witnesses_of(const Json &array) {
    std::vector<ToolchainAnswer::Witness> witnesses;
    for (const Json &pair : array) {
        witnesses.push_back({narrowed(pair.at(0).get<std::string>()), digest_of(pair.at(1))});
    }
    return witnesses;
}

bool same_content(FileMemory &memory, const std::string &path, const Digest &digest) {
    const auto facts = memory.look(path);
    return facts && *facts != nullptr && (*facts)->digest == digest;
}

}  // namespace

void ToolchainAnswer::settle() {
    sort_unique(files);
    sort_unique(witnesses);
    sort_unique(listings);
    sort_unique(absent);
    sort_unique(links);
}

Toolchain ToolchainAnswer::toolchain(CompilerFamily family) const {
    FieldHasher hasher;
    hasher.field("toolchain", std::to_string(k_version));
    hasher.field("family", std::to_string(static_cast<int>(family)));
    hasher.field("version", version);
    hasher.field("machine", machine);
    // Not the paths, and each content once per role: the same toolchain elsewhere is the same toolchain.
    std::set<std::pair<std::string_view, Digest>> contents;
    for (const File &file : files) {
        contents.emplace(file.role, file.digest);
    }
    for (const auto &[role, digest] : contents) {
        hasher.field(role, digest);
    }
    Toolchain result;
    result.fingerprint = hasher.finish();
    result.version = version;
    result.machine = machine;
    for (const File &file : files) {
        result.files.push_back(file.path);
    }
    sort_unique(result.files);
    result.absent = absent;
    result.library_directories = library_directories;
    return result;
}

Expected<Digest> digest_of_listing(FileSystem &files, const std::string &path) {
    SK_TRY(const auto entries, files.list(path));
    if (!entries) {
        return Digest{};
    }
    std::vector<std::string> names;
    for (const DirectoryEntry &entry : *entries) {
        names.push_back(entry.name);
    }
    std::sort(names.begin(), names.end());
    FieldHasher hasher;
    for (const std::string &name : names) {
        hasher.field("name", name);
    }
    return hasher.finish();
}

bool still_holds(const ToolchainAnswer &answer, FileSystem &files, FileMemory &memory) {
    const auto there = [&memory](const std::string &path) {
        const auto stat = memory.stat_of(path);
        return !stat || stat->has_value();  // one that cannot be asked about may be there
    };
    const auto holds = [&memory](const auto &file) { return same_content(memory, file.path, file.digest); };
    const auto leads = [&files](const auto &link) {
        const auto real = files.real_path(link.first);
        return real && *real == link.second;
    };
    const auto lists = [&files](const auto &listing) {
        const auto digest = digest_of_listing(files, listing.path);
        return digest && *digest == listing.digest;
    };
    return std::none_of(answer.absent.begin(), answer.absent.end(), there) &&
           std::all_of(answer.links.begin(), answer.links.end(), leads) &&
           std::all_of(answer.listings.begin(), answer.listings.end(), lists) &&
           std::all_of(answer.witnesses.begin(), answer.witnesses.end(), holds) &&
           std::all_of(answer.files.begin(), answer.files.end(), holds);
}

std::string to_text(const ToolchainAnswer &answer) {
    Json files = Json::array();
    for (const auto &[role, path, digest] : answer.files) {
        files.push_back({widened(role), widened(path), digest.hex()});
    }
    Json links = Json::array();
    for (const auto &[path, real] : answer.links) {
        links.push_back({widened(path), widened(real)});
    }
    return Json{{"format", k_version},
                {"version", widened(answer.version)},
                {"machine", widened(answer.machine)},
                {"library_directories", texts_json(answer.library_directories)},
                {"files", std::move(files)},
                {"witnesses", witnesses_json(answer.witnesses)},
                {"listings", witnesses_json(answer.listings)},
                {"absent", texts_json(answer.absent)},
                {"links", std::move(links)}}
        .dump();
}

std::optional<ToolchainAnswer> toolchain_answer_from_text(const std::string &text) {
    try {
        const Json json = Json::parse(text);
        if (json.at("format") != k_version) {
            return std::nullopt;
        }
        ToolchainAnswer answer;
        answer.version = narrowed(json.at("version").get<std::string>());
        answer.machine = narrowed(json.at("machine").get<std::string>());
        answer.library_directories = texts_of(json.at("library_directories"));
        for (const Json &file : json.at("files")) {
            answer.files.push_back({narrowed(file.at(0).get<std::string>()), narrowed(file.at(1).get<std::string>()),
                                    digest_of(file.at(2))});
        }
        answer.witnesses = witnesses_of(json.at("witnesses"));
        answer.listings = witnesses_of(json.at("listings"));
        answer.absent = texts_of(json.at("absent"));
        for (const Json &link : json.at("links")) {
            answer.links.emplace_back(narrowed(link.at(0).get<std::string>()), narrowed(link.at(1).get<std::string>()));
        }
        // Nobody makes an answer without the compiler itself; such a text would hold for ever.
        return answer.files.empty() ? std::nullopt : std::optional(std::move(answer));
    } catch (const std::exception &) {
        return std::nullopt;
    }
}

}  // namespace scene_kernels
