#include "action/source_scan.h"

#include <algorithm>
#include <array>
#include <set>

#include "action/source_cursor.h"
#include "action/source_facts.h"
#include "action/source_text.h"
#include "action/word_search.h"

namespace scene_kernels {

namespace {

constexpr std::size_t k_most_aliases = 64;

enum NeedleIndex : std::size_t { needle_has, needle_time, needle_pragma, needle_incbin, needle_dot_include };

const WordSearch &fixed_words() {
    static const std::vector<WordSearch::Needle> s_needles = {
        {"__has_", false}, {"__TIME", false}, {"_Pragm", false}, {"incbin", true}, {".inclu", true}};
    static const WordSearch s_search(s_needles);
    return s_search;
}

bool same_any_case(std::string_view text, std::string_view lower_case) {
    return text.size() == lower_case.size() &&
           std::equal(text.begin(), text.end(), lower_case.begin(), [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
           });
}

// What an operator word asks.
enum class Operator : std::uint8_t { none, has_include, has_include_next, has_embed, alias, part };

Operator fixed_operator(std::string_view word) {
    static constexpr std::array<std::pair<std::string_view, Operator>, 6> k_words = {{
        {"__has_include", Operator::has_include},
        {"__has_include__", Operator::has_include},  // the names behind the macros of GCC 5 to 9
        {"__has_include_next", Operator::has_include_next},
        {"__has_include_next__", Operator::has_include_next},
        {"__has_embed", Operator::has_embed},
        {"__has_embed__", Operator::has_embed},
    }};
    for (const auto &[text, what] : k_words) {
        if (word == text) {
            return what;
        }
    }
    // Something may paste the rest to it. Nobody else has a use for such a word.
    return std::string_view("__has_include_next").starts_with(word) ? Operator::part : Operator::none;
}

// One pass over one reading of a text. Gives up, with `contorted`, when it has worked too long for the text's size.
class Scanner {
public:
    Scanner(const LogicalText &source, const std::vector<std::string> &operators)
        : m_source(source), m_text(source.text()), m_cursor(m_text), m_operators(operators) {}

    SourceFacts run() {
        if (const auto disputed = m_source.disputed_splice()) {
            note(HiddenInput::contorted, *disputed);
        }
        find_directives('#', "");
        find_directives('%', ":");
        fixed_words().each(m_text, [this](std::size_t needle, std::size_t at) { handle_word(needle, at); });
        follow_aliases();
        find_asm();
        if (m_cursor.gave_up()) {
            note(HiddenInput::contorted, m_cursor.gave_up_at());
        }
        settle_hidden();
        return std::move(m_facts);
    }
    [[nodiscard]] std::uint64_t steps() const { return m_cursor.steps() + m_text.size(); }

private:
    struct Place {
        std::size_t position = 0;
        HiddenInput kind = HiddenInput::incbin;
        auto operator<=>(const Place &) const = default;
    };

    void note(HiddenInput kind, std::size_t position) { m_places.push_back({position, kind}); }

    void add(DirectiveKind kind, const SourceCursor::Name &name) {
        m_facts.directives.push_back({kind, name.quoted, std::string(name.text)});
    }

    void find_directives(char first, std::string_view rest) {
        std::size_t position = m_text.find(first);
        while (position != std::string_view::npos && !m_cursor.gave_up()) {
            const std::size_t behind = position + 1 + rest.size();
            if (m_text.substr(position + 1, rest.size()) == rest) {
                handle_directive(position, m_cursor.skip(behind));
            }
            position = m_text.find(first, position + 1);
        }
    }

    void handle_directive(std::size_t introducer, std::size_t position) {
        const char first = m_cursor.at(position);
        if (first != 'i' && first != 'p' && first != 'e') {
            return;
        }
        const std::string_view word = m_cursor.word_at(position);
        const std::size_t behind = position + word.size();
        if (word == "include" || word == "import") {
            m_facts.pragma_once = m_facts.pragma_once || word == "import";
            handle_include(DirectiveKind::include, m_cursor.skip(behind));
        } else if (word == "include_next") {
            handle_include(DirectiveKind::include_next, m_cursor.skip(behind));
        } else if (word == "embed") {
            note(HiddenInput::embed, introducer);
        } else if (word == "pragma") {
            handle_pragma(m_cursor.skip(behind));
        }
    }

    void handle_include(DirectiveKind kind, std::size_t position) {
        if (const auto name = m_cursor.name_at(position)) {
            add(kind, *name);
            return;
        }
        const char c = m_cursor.at(position);
        const bool may_be_macro = is_word_byte(c) || c == '<' || c == '"' || c == '$' || c == '\\' || (c & '\x80') != 0;
        m_facts.computed_include = m_facts.computed_include || may_be_macro;
    }

    void handle_pragma(std::size_t position) {
        const std::string_view word = m_cursor.word_at(position);
        if (word == "once") {
            m_facts.pragma_once = true;
        } else if (word == "GCC") {
            // `#pragma GCC dependency "file"` looks the file up and warns if it is newer.
            const std::size_t next = m_cursor.skip(position + word.size());
            if (const std::string_view what = m_cursor.word_at(next); what == "dependency") {
                if (const auto name = m_cursor.name_at(m_cursor.skip(next + what.size()))) {
                    add(DirectiveKind::has_include, *name);
                }
            }
        }
    }

    void handle_word(std::size_t needle, std::size_t position) {
        const bool starts = m_cursor.starts_word(position);
        switch (needle) {
            case needle_has:
            case needle_time:
            case needle_pragma:
                if (starts) {
                    handle_identifier(position, m_cursor.word_at(position));
                }
                return;
            case needle_incbin: {
                const char next = m_cursor.at(position + WordSearch::k_size);
                if ((position > 0 && m_text[position - 1] == '.') || (starts && !is_word_byte(next) && next != '.')) {
                    note(HiddenInput::incbin, position);
                }
                return;
            }
            default:
                handle_dot_include(position);
        }
    }

    void handle_identifier(std::size_t position, std::string_view word) {
        if (word == "__TIMESTAMP__") {
            if (!m_cursor.is_only_tested(position)) {
                note(HiddenInput::timestamp, position);
            }
        } else if (word == "_Pragma") {
            handle_pragma_operator(position + word.size());
        } else if (const Operator what = fixed_operator(word); what != Operator::none) {
            handle_operator(position, word, what);
        }
    }

    // _Pragma(L"once"), and _Pragma(#x), which may be it.
    void handle_pragma_operator(std::size_t position) {
        std::size_t next = m_cursor.skip(position);
        if (m_cursor.at(next) != '(') {
            return;
        }
        next = m_cursor.skip(next + 1);
        next += m_cursor.at(next) == '"' ? 0 : m_cursor.word_at(next).size();
        const auto literal = m_cursor.at(next) == '"' ? m_cursor.name_at(next) : std::nullopt;
        if (!literal || literal->text.find("once") != std::string_view::npos) {
            m_facts.pragma_once = true;
        }
    }

    // The assembler's `.include "name"` in a literal; `object.include(...)` is something else.
    void handle_dot_include(std::size_t position) {
        constexpr std::string_view k_word = ".include";
        if (!same_any_case(m_text.substr(position, k_word.size()), k_word)) {
            return;
        }
        std::size_t next = position + k_word.size();
        while (next < m_text.size() && (is_blank_byte(m_text[next]) || m_text[next] == '\\')) {
            ++next;
        }
        if (m_cursor.spend(next - position, position) && m_cursor.at(next) == '"') {
            note(HiddenInput::incbin, position);
        }
    }

    void handle_operator(std::size_t position, std::string_view word, Operator what) {
        const std::size_t behind = m_cursor.skip(position + word.size());
        if (what == Operator::part) {
            if (word.size() > WordSearch::k_size || m_text.substr(behind, 2) != "##") {
                note(HiddenInput::computed_has_include, position);
            }
            return;
        }
        if (m_cursor.is_only_tested(position)) {
            return;
        }
        if (what == Operator::has_embed) {
            note(HiddenInput::embed, position);
            return;
        }
        const bool opened = m_cursor.at(behind) == '(';
        const auto name = m_cursor.name_at(opened ? m_cursor.skip(behind + 1) : behind);
        if (name) {
            add_question(position, what, *name);
            if (!opened || m_cursor.at(m_cursor.skip(name->end)) == ')') {
                return;
            }
        }
        if (!defines_alias(position, behind)) {
            note(HiddenInput::computed_has_include, position);
        }
    }

    void add_question(std::size_t position, Operator what, const SourceCursor::Name &name) {
        // An alias may stand for either.
        for (const auto &[kind, other] : {std::pair{DirectiveKind::has_include, Operator::has_include_next},
                                          std::pair{DirectiveKind::has_include_next, Operator::has_include}}) {
            if (what == other) {
                continue;
            }
            add(kind, name);
            if (!name.quoted && (what == Operator::alias || !is_in_condition(position))) {
                add_expanded(kind, name.text);
            }
        }
    }

    // Outside of `#if`, <linux/x.h> is lexed as tokens, and GNU dialects define some plain words as 1.
    void add_expanded(DirectiveKind kind, std::string_view name) {
        std::string expanded;
        for (std::size_t i = 0; i < name.size();) {
            std::size_t end = i;
            while (end < name.size() && is_word_byte(name[end])) {
                ++end;
            }
            const std::string_view word = name.substr(i, end - i);
            const bool predefined = word == "linux" || word == "unix" || word == "i386";
            expanded += predefined ? std::string_view("1") : name.substr(i, std::max<std::size_t>(end - i, 1));
            i = std::max(end, i + 1);
        }
        if (expanded != name) {
            m_facts.directives.push_back({kind, false, std::move(expanded)});
        }
    }

    bool is_in_condition(std::size_t position) {
        std::size_t behind = 0;
        const std::string_view directive = m_cursor.directive_of(position, behind);
        return directive == "if" || directive == "elif";
    }

    // Whether the operator at `position`, with `behind` after it, makes the macro that this line defines another
    // spelling of it: `#define HAS(x) ... __has_include(x)` or `#define HAS ... __has_include`.
    bool defines_alias(std::size_t position, std::size_t behind) {
        std::size_t next = 0;
        if (m_cursor.directive_of(position, next) != "define") {
            return false;
        }
        next = m_cursor.skip(next);
        const std::string_view name = m_cursor.word_at(next);
        next += name.size();
        if (name.empty() || next > position) {
            return false;
        }
        if (m_cursor.at(next) == '(') {
            const std::size_t parameter_start = m_cursor.skip(next + 1);
            const std::string_view parameter = m_cursor.word_at(parameter_start);
            std::size_t close = m_cursor.skip(parameter_start + parameter.size());
            const bool variadic = m_text.substr(close, 3) == "...";
            close = variadic ? m_cursor.skip(close + 3) : close;
            const std::string_view passed = parameter.empty() && variadic ? std::string_view("__VA_ARGS__") : parameter;
            if (m_cursor.at(close) != ')' || passed.empty() || m_cursor.at(behind) != '(') {
                return false;
            }
            const std::size_t argument = m_cursor.skip(behind + 1);
            if (m_cursor.word_at(argument) != passed || m_cursor.at(m_cursor.skip(argument + passed.size())) != ')') {
                return false;
            }
        } else if (m_cursor.at(behind) != '\n') {
            return false;
        }
        add_alias(name);
        return true;
    }

    void add_alias(std::string_view name) {
        if (fixed_operator(name) == Operator::none) {
            m_aliases.insert(std::string(name));
        }
    }

    // Own aliases and given operators, until no new ones turn up.
    void follow_aliases() {
        std::set<std::string> pending(m_operators.begin(), m_operators.end());
        pending.insert(m_aliases.begin(), m_aliases.end());
        std::set<std::string> done;
        while (!pending.empty()) {
            const std::string name = *pending.begin();
            pending.erase(pending.begin());
            done.insert(name);
            find_uses(name);
            if (m_aliases.size() > k_most_aliases) {
                note(HiddenInput::contorted, 0);
                return;
            }
            for (const std::string &alias : m_aliases) {
                if (!done.contains(alias)) {
                    pending.insert(alias);
                }
            }
        }
        m_facts.aliases.assign(m_aliases.begin(), m_aliases.end());
    }

    void find_uses(const std::string &name) {
        if (name.empty()) {
            return;
        }
        for (std::size_t position = m_text.find(name); position != std::string_view::npos;
             position = m_text.find(name, position + 1)) {
            const bool starts = m_cursor.starts_word(position);
            if (starts && !is_word_byte(m_cursor.at(position + name.size()))) {
                handle_operator(position, name, Operator::alias);
            }
        }
    }

    void find_asm() {
        for (std::size_t position = m_text.find("asm"); position != std::string_view::npos;
             position = m_text.find("asm", position + 1)) {
            const bool underscored = position >= 2 && m_text.substr(position - 2, 2) == "__";
            const std::size_t start = underscored ? position - 2 : position;
            const bool starts = m_cursor.starts_word(start);
            const bool closed = underscored && m_text.substr(position + 3, 2) == "__";
            if (starts &&
                (!is_word_byte(m_cursor.at(position + 3)) || (closed && !is_word_byte(m_cursor.at(position + 5))))) {
                m_facts.mentions_asm = true;
                return;
            }
        }
    }

    // Drops what is in comments (and what is no code, except for the assembler's directives), and keeps the first of
    // each kind.
    void settle_hidden() {
        std::sort(m_places.begin(), m_places.end());
        std::vector<std::size_t> positions;
        positions.reserve(m_places.size());
        for (const Place &place : m_places) {
            positions.push_back(place.position);
        }
        const std::vector<PlaceKind> kinds = classify_places(m_source, positions);
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            const HiddenInput hidden = m_places[i].kind;
            const bool dropped =
                hidden != HiddenInput::contorted &&
                (kinds[i] == PlaceKind::comment || (kinds[i] == PlaceKind::literal && hidden != HiddenInput::incbin));
            const auto same = [hidden](const HiddenInputPlace &place) { return place.kind == hidden; };
            if (!dropped && std::none_of(m_facts.hidden.begin(), m_facts.hidden.end(), same)) {
                m_facts.hidden.push_back({hidden, m_source.line_of(m_places[i].position)});
            }
        }
    }

    const LogicalText &m_source;
    std::string_view m_text;
    SourceCursor m_cursor;
    const std::vector<std::string> &m_operators;
    std::set<std::string> m_aliases;
    std::vector<Place> m_places;
    SourceFacts m_facts;
};

}  // namespace

SourceFacts scan_source(std::string_view text, const std::vector<std::string> &operators, std::uint64_t *steps) {
    SourceFacts facts;
    const auto scan = [&facts, &operators, steps](std::string_view reading) {
        const LogicalText source(reading);
        Scanner scanner(source, operators);
        merge_facts(facts, scanner.run());
        if (steps != nullptr) {
            *steps += scanner.steps();
        }
    };
    scan(text);
    if (const std::optional<std::string> replaced = without_trigraphs(text)) {
        scan(*replaced);
    }
    return facts;
}

}  // namespace scene_kernels
