#include "action/key.h"

#include <algorithm>
#include <map>
#include <set>

#include "action/recipe.h"
#include "base/strings.h"

namespace scene_kernels {

namespace {

std::uint64_t pair_key(std::uint32_t high, std::uint32_t low) {
    return (static_cast<std::uint64_t>(high) << 32U) | low;
}

// "3" or "-": the position at which something was found.
std::string place(std::uint32_t index) {
    return index == IncludeSearch::k_nowhere ? "-" : std::to_string(index);
}

// " e3 e4": the same for several positions, each behind a letter.
std::string places_text(const std::string &letter, const std::vector<std::uint32_t> &indices) {
    std::string text;
    for (const std::uint32_t index : indices) {
        text += " " + letter + std::to_string(index);
    }
    return text;
}

std::string outcome_text(const IncludeSearch::Outcome &outcome) {
    const std::string text = place(outcome.found) + places_text("e", outcome.elsewhere);
    return outcome.precompiled ? text + " precompiled" : text;
}

// Collects the first problem of a group.
std::string at_line(const std::string &path, std::uint32_t line, const std::string &what) {
    return path + ":" + std::to_string(line) + ": " + what;
}

const char *hidden_text(HiddenInput kind) {
    switch (kind) {
        case HiddenInput::computed_has_include:
            return "__has_include with a computed name: what the compiler looks for cannot be known";
        case HiddenInput::embed:
            return "#embed or __has_embed reads a file that the compiler does not report; list it in extra_inputs";
        case HiddenInput::incbin:
            return ".incbin reads a file that the compiler does not report; list it in extra_inputs";
        case HiddenInput::timestamp:
            return "__TIMESTAMP__ depends on the file's modification time";
        case HiddenInput::contorted:
            return "the text is too contorted to be scanned for what it includes";
    }
    return "unknown";
}

bool covered(HiddenInput kind, const Action &action, bool assembler_told) {
    if (kind == HiddenInput::incbin) {
        return assembler_told || !action.inputs.empty();
    }
    return kind == HiddenInput::embed && !action.inputs.empty();
}

}  // namespace

KeyMaker::KeyMaker(FileSystem &files, FileMemory &memory, const Roots &roots, NameTable &names,
                   const SearchTable &searches)
    : m_memory(memory), m_roots(roots), m_names(names), m_searches(searches), m_search(files, roots, names, searches) {}

void KeyMaker::forget() {
    m_search.clear();
    m_source_digests.clear();
    m_memory.forget_all();
}

NameId KeyMaker::directory_of(NameId file) {
    const auto known = m_directories.find(file);
    if (known != m_directories.end()) {
        return known->second;
    }
    const std::string directory(path_parent(m_names.text(file)));
    const NameId id = m_names.intern(directory);
    m_directories.emplace(file, id);
    return id;
}

const std::string &KeyMaker::real_of(NameId file) {
    const auto [entry, is_new] = m_real.try_emplace(file);
    if (is_new) {
        entry->second = m_roots.real(m_names.text(file));
    }
    return entry->second;
}

const Digest &KeyMaker::list_digest(SearchId search) {
    const auto [entry, is_new] = m_list_digests.try_emplace(search);
    if (is_new) {
        FieldHasher hasher;
        const SearchList &list = m_searches.list(search);
        for (const NameId directory : list.quote) {
            hasher.field("quote", m_names.text(directory));
        }
        for (const NameId directory : list.directories) {
            hasher.field("directory", m_names.text(directory));
        }
        for (const NameId directory : list.elsewhere) {
            hasher.field("elsewhere", m_names.text(directory));
        }
        entry->second = hasher.finish();
    }
    return entry->second;
}

void KeyMaker::describe_name(NameId name, SearchId search, FieldSink &sink) {
    // A name from an option is searched from the working directory on, like a quoted one; a library's along the list.
    const IncludeSearch::QuotedOutcome quoted = m_search.quoted(name, m_names.intern("."), search);
    const std::string first = quoted.beside ? "here" : place(quoted.quote);
    sink.field("name", m_names.text(name));
    sink.field("found", first + " " + outcome_text(m_search.bracketed(name, search)));
}

void KeyMaker::describe_directive(const Directive &directive, NameId directory, SearchId search, FieldSink &sink) {
    const NameId name = m_names.intern(directive.name);
    sink.field(directive.quoted ? "quoted" : "bracketed", directive.name);
    if (directive.kind == DirectiveKind::include_next || directive.kind == DirectiveKind::has_include_next) {
        const IncludeSearch::Everywhere &everywhere = m_search.everywhere(name, search);
        sink.field("everywhere", places_text("q", everywhere.quote) + places_text("", everywhere.directories) +
                                     places_text("e", everywhere.elsewhere));
    }
    if (!directive.quoted) {
        sink.field("found", outcome_text(m_search.bracketed(name, search)));
        return;
    }
    const IncludeSearch::QuotedOutcome outcome = m_search.quoted(name, directory, search);
    if (outcome.precompiled) {
        sink.field("precompiled", directive.name);
    }
    if (outcome.beside) {
        sink.field("found", std::string_view("beside"));
    } else if (outcome.quote != IncludeSearch::k_nowhere) {
        sink.field("found", "quote " + place(outcome.quote) + places_text("e", outcome.elsewhere));
    } else {
        sink.field("found", outcome_text(*outcome.bracketed));
    }
}

Expected<bool> KeyMaker::describe_file(NameId file, FieldSink &sink) {
    sink.field("file", m_names.text(file));
    SK_TRY(const FileFacts *facts, m_memory.look(real_of(file)));
    if (facts == nullptr) {
        return false;
    }
    sink.field("content", facts->digest);
    return true;
}

Expected<bool> KeyMaker::describe_source(NameId file, SearchId search, const std::vector<NameId> &computed,
                                         FieldSink &sink) {
    sink.field("source", m_names.text(file));
    SK_TRY(const FileFacts *facts, m_memory.source_of(real_of(file)));
    if (facts == nullptr) {
        return false;
    }
    sink.field("content", facts->digest);
    const NameId directory = directory_of(file);
    for (const Directive &directive : facts->source.directives) {
        describe_directive(directive, directory, search, sink);
    }
    if (facts->source.computed_include) {
        // Which name the macro stands for is not known: it may be any that led to a file of this closure.
        for (const NameId name : computed) {
            describe_directive({DirectiveKind::include, true, m_names.text(name)}, directory, search, sink);
        }
    }
    return true;
}

Expected<std::optional<Digest>> KeyMaker::source_digest(NameId file, SearchId search,
                                                        const std::vector<NameId> &computed) {
    const auto known = m_source_digests.find(pair_key(search, file));
    if (known != m_source_digests.end()) {
        return known->second;
    }
    FieldHasher hasher;
    SK_TRY(const bool present, describe_source(file, search, computed, hasher));
    if (!present) {
        return std::nullopt;
    }
    const Digest digest = hasher.finish();
    SK_TRY(const FileFacts *facts, m_memory.source_of(real_of(file)));
    if (!facts->source.computed_include) {
        m_source_digests.emplace(pair_key(search, file), digest);
    }
    return digest;
}

Expected<std::optional<Digest>> KeyMaker::key(const Action &action, const std::vector<Digest> &parts,
                                              const Closure &closure) {
    FieldHasher hasher;
    hasher.field("recipe", action.recipe);
    for (const Digest &part : parts) {
        hasher.field("part", part);
    }
    for (const std::vector<std::string> *files : {&action.inputs, &action.named_files}) {
        for (const std::string &file : *files) {
            SK_TRY(const bool present, describe_file(m_names.intern(file), hasher));
            if (!present) {
                return std::nullopt;
            }
        }
    }
    for (const ClosureGroup &group : closure.groups) {
        hasher.field("search", list_digest(group.search));
        for (const NameId file : group.sources) {
            SK_TRY(const std::optional<Digest> digest, source_digest(file, group.search, group.names));
            if (!digest) {
                return std::nullopt;
            }
            hasher.field("source", *digest);
        }
        for (const NameId file : group.files) {
            SK_TRY(const bool present, describe_file(file, hasher));
            if (!present) {
                return std::nullopt;
            }
        }
        for (const NameId name : group.names) {
            describe_name(name, group.search, hasher);
        }
    }
    return hasher.finish();
}

Expected<bool> KeyMaker::describe(const Action &action, const std::vector<Digest> &parts, const Closure &closure,
                                  FieldSink &sink) {
    describe_recipe(action, sink);
    for (const Digest &part : parts) {
        sink.field("part", part);
    }
    for (const std::vector<std::string> *files : {&action.inputs, &action.named_files}) {
        for (const std::string &file : *files) {
            SK_TRY(const bool present, describe_file(m_names.intern(file), sink));
            if (!present) {
                return false;
            }
        }
    }
    for (const ClosureGroup &group : closure.groups) {
        sink.field("search", list_digest(group.search));
        for (const NameId file : group.sources) {
            SK_TRY(const bool present, describe_source(file, group.search, group.names, sink));
            if (!present) {
                return false;
            }
        }
        for (const NameId file : group.files) {
            SK_TRY(const bool present, describe_file(file, sink));
            if (!present) {
                return false;
            }
        }
        for (const NameId name : group.names) {
            describe_name(name, group.search, sink);
        }
    }
    return true;
}

Expected<std::vector<std::string>> KeyMaker::changes(const Action &action, const Closure &closure) {
    std::set<std::string> names(action.inputs.begin(), action.inputs.end());
    names.insert(action.named_files.begin(), action.named_files.end());
    for (const ClosureGroup &group : closure.groups) {
        for (const std::vector<NameId> *files : {&group.sources, &group.files}) {
            for (const NameId file : *files) {
                names.insert(m_names.text(file));
            }
        }
    }
    std::vector<std::string> messages;
    for (const std::string &name : names) {
        const std::string path = m_roots.real(name);
        SK_TRY(const FileFacts *facts, m_memory.look(path));
        const std::optional<Digest> before = m_memory.remembered_digest(path);
        if (facts == nullptr) {
            messages.push_back(name + " is gone");
        } else if (before && *before != facts->digest) {
            messages.push_back(name + " has changed");
        }
    }
    return messages;
}

Expected<std::string> KeyMaker::hidden_in(const ClosureGroup &group, const Action &action, bool assembler_told) {
    std::set<std::pair<Digest, std::uint64_t>> once;  // content of #pragma once headers
    for (const NameId file : group.sources) {
        SK_TRY(const FileFacts *facts, m_memory.source_of(real_of(file)));
        if (facts == nullptr) {
            continue;
        }
        const std::string &path = m_names.text(file);
        // Uses of the macro in other files of the unit are not among their directives.
        if (!facts->source.aliases.empty()) {
            return path + ": the macro " + facts->source.aliases.front() +
                   " passes its argument to __has_include: what the compiler looks for cannot be known";
        }
        for (const HiddenInputPlace &hidden : facts->source.hidden) {
            if (!covered(hidden.kind, action, assembler_told)) {
                return at_line(path, hidden.line, hidden_text(hidden.kind));
            }
        }
        if (facts->source.pragma_once && !once.emplace(facts->digest, facts->stat.size).second) {
            return path +
                   ": two headers of this content use #pragma once; GCC takes them for one if their times are equal";
        }
    }
    return std::string{};
}

std::string KeyMaker::target_of(const Directive &directive, NameId directory, SearchId search) {
    const NameId name = m_names.intern(directive.name);
    const SearchList &list = m_searches.list(search);
    const IncludeSearch::Outcome *bracketed = nullptr;
    std::optional<NameId> found;
    if (directive.quoted) {
        const IncludeSearch::QuotedOutcome quoted = m_search.quoted(name, directory, search);
        bracketed = quoted.bracketed;
        if (quoted.beside) {
            found = directory;
        } else if (quoted.quote != IncludeSearch::k_nowhere) {
            found = list.quote[quoted.quote];
        }
    } else {
        bracketed = &m_search.bracketed(name, search);
    }
    if (!found && bracketed != nullptr && bracketed->found != IncludeSearch::k_nowhere) {
        found = list.directories[bracketed->found];
    }
    return found ? path_normal(path_join(m_names.text(*found), directive.name)) : std::string{};
}

// GCC does not list a header that it skipped because one of the same content, size and time with #pragma once came
// before it. Whether it skips it is then a matter of times.
Expected<std::string> KeyMaker::skipped_twin(const ClosureGroup &group) {
    std::multimap<std::uint64_t, const FileFacts *> once;  // by size
    std::set<std::string> listed;
    for (const NameId file : group.sources) {
        SK_TRY(const FileFacts *facts, m_memory.source_of(real_of(file)));
        listed.insert(path_normal(m_names.text(file)));
        if (facts != nullptr && facts->source.pragma_once) {
            once.emplace(facts->stat.size, facts);
        }
    }
    if (once.empty()) {
        return std::string{};
    }
    for (const NameId file : group.sources) {
        SK_TRY(const FileFacts *facts, m_memory.source_of(real_of(file)));
        if (facts == nullptr) {
            continue;
        }
        for (const Directive &directive : facts->source.directives) {
            const std::string target = target_of(directive, directory_of(file), group.search);
            if (target.empty() || listed.count(target) != 0) {
                continue;
            }
            const std::string path = m_roots.real(target);
            SK_TRY(const std::optional<FileStat> stat, m_memory.stat_of(path));
            const auto [from, to] = once.equal_range(stat ? stat->size : 0);
            if (!stat || from == to) {
                continue;
            }
            SK_TRY(const FileFacts *other, m_memory.look(path));
            const bool same = other != nullptr && std::any_of(from, to, [other](const auto &entry) {
                                  return entry.second->digest == other->digest;
                              });
            if (same) {
                return target +
                       ": another header of this content uses #pragma once, too; GCC takes them for one if "
                       "their times are equal, and does not say so";
            }
        }
    }
    return std::string{};
}

Expected<std::string> KeyMaker::precompiled_header(const Closure &closure) {
    for (const ClosureGroup &group : closure.groups) {
        for (const NameId file : group.sources) {
            SK_TRY(const FileFacts *facts, m_memory.source_of(real_of(file)));
            if (facts == nullptr) {
                continue;
            }
            const NameId directory = directory_of(file);
            for (const Directive &directive : facts->source.directives) {
                const NameId name = m_names.intern(directive.name);
                const bool found = directive.quoted ? m_search.quoted(name, directory, group.search).precompiled
                                                    : m_search.bracketed(name, group.search).precompiled;
                if (found) {
                    return "a precompiled " + directive.name + ".gch (or .pch) lies where " + m_names.text(file) +
                           " looks for " + directive.name +
                           "; the compiler would use it silently, and no key could tell; remove it";
                }
            }
        }
    }
    return std::string{};
}

Expected<std::string> KeyMaker::uncacheable(const Action &action, const Closure &closure, bool assembler_told) {
    for (const ClosureGroup &group : closure.groups) {
        SK_TRY(const std::string reason, hidden_in(group, action, assembler_told));
        if (!reason.empty()) {
            return reason;
        }
        SK_TRY(const std::string twin, skipped_twin(group));
        if (!twin.empty()) {
            return twin;
        }
    }
    return std::string{};
}

}  // namespace scene_kernels
