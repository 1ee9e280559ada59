#include "action/source_facts.h"

#include <algorithm>
#include <iterator>

namespace scene_kernels {

namespace {

template <typename Value>
void merge_sorted(std::vector<Value> &all, std::vector<Value> &&more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

}  // namespace

void merge_facts(SourceFacts &all, SourceFacts &&more) {
    merge_sorted(all.directives, std::move(more.directives));
    merge_sorted(all.aliases, std::move(more.aliases));
    merge_sorted(all.hidden, std::move(more.hidden));
    const auto same_kind = [](const HiddenInputPlace &a, const HiddenInputPlace &b) { return a.kind == b.kind; };
    all.hidden.erase(std::unique(all.hidden.begin(), all.hidden.end(), same_kind), all.hidden.end());
    all.computed_include = all.computed_include || more.computed_include;
    all.pragma_once = all.pragma_once || more.pragma_once;
    all.mentions_asm = all.mentions_asm || more.mentions_asm;
}

// Grammar (numbers are LEB128):
//   facts     = flags u8, count, directive*, count, hidden*, count, text*
//   flags     = bit 0 computed_include, bit 1 pragma_once, bit 2 mentions_asm
//   directive = kind + 8 * quoted u8, text
//   hidden    = kind u8, line
//   text      = length, bytes
namespace {

void put_number(std::string &bytes, std::uint64_t value) {
    for (; value >= 128; value >>= 7U) {
        bytes.push_back(static_cast<char>(value | 128U));
    }
    bytes.push_back(static_cast<char>(value));
}

void put_text(std::string &bytes, std::string_view text) {
    put_number(bytes, text.size());
    bytes += text;
}

// Reads what the above wrote; every answer is checked against the bytes that are left.
class Reader {
public:
    explicit Reader(std::string_view bytes) : m_bytes(bytes) {}

    std::optional<std::uint8_t> byte() {
        if (m_bytes.empty()) {
            return std::nullopt;
        }
        const auto value = static_cast<std::uint8_t>(m_bytes.front());
        m_bytes.remove_prefix(1);
        return value;
    }
    // At most `most`.
    std::optional<std::uint64_t> number(std::uint64_t most) {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 63; shift += 7) {
            const auto next = byte();
            if (!next) {
                return std::nullopt;
            }
            value |= static_cast<std::uint64_t>(*next & 127U) << shift;
            if (*next < 128) {
                return value <= most ? std::optional(value) : std::nullopt;
            }
        }
        return std::nullopt;
    }
    // How many entries follow; each takes at least one byte.
    std::optional<std::uint64_t> count() { return number(m_bytes.size()); }
    std::optional<std::string> text() {
        const auto length = number(m_bytes.size());
        if (!length || *length > m_bytes.size()) {
            return std::nullopt;
        }
        std::string value(m_bytes.substr(0, *length));
        m_bytes.remove_prefix(*length);
        return value;
    }

private:
    std::string_view m_bytes;
};

bool read_directives(Reader &reader, std::vector<Directive> &directives) {
    const auto count = reader.count();
    for (std::uint64_t i = 0; count && i < *count; ++i) {
        const auto head = reader.byte();
        auto name = reader.text();
        if (!head || !name || (*head & 7U) < 1 || (*head & 7U) > 4) {
            return false;
        }
        directives.push_back({static_cast<DirectiveKind>(*head & 7U), (*head & 8U) != 0, std::move(*name)});
    }
    return count.has_value();
}

bool read_hidden(Reader &reader, std::vector<HiddenInputPlace> &hidden) {
    const auto count = reader.count();
    for (std::uint64_t i = 0; count && i < *count; ++i) {
        const auto kind = reader.byte();
        const auto line = reader.number(UINT32_MAX);
        if (!kind || !line || *kind < 1 || *kind > 5) {
            return false;
        }
        hidden.push_back({static_cast<HiddenInput>(*kind), static_cast<std::uint32_t>(*line)});
    }
    return count.has_value();
}

bool read_texts(Reader &reader, std::vector<std::string> &texts) {
    const auto count = reader.count();
    for (std::uint64_t i = 0; count && i < *count; ++i) {
        auto text = reader.text();
        if (!text) {
            return false;
        }
        texts.push_back(std::move(*text));
    }
    return count.has_value();
}

}  // namespace

std::string encode(const SourceFacts &facts) {
    std::string bytes;
    bytes.push_back(static_cast<char>((facts.computed_include ? 1U : 0U) | (facts.pragma_once ? 2U : 0U) |
                                      (facts.mentions_asm ? 4U : 0U)));
    put_number(bytes, facts.directives.size());
    for (const Directive &directive : facts.directives) {
        bytes.push_back(static_cast<char>(static_cast<unsigned>(directive.kind) | (directive.quoted ? 8U : 0U)));
        put_text(bytes, directive.name);
    }
    put_number(bytes, facts.hidden.size());
    for (const HiddenInputPlace &place : facts.hidden) {
        bytes.push_back(static_cast<char>(place.kind));
        put_number(bytes, place.line);
    }
    put_number(bytes, facts.aliases.size());
    for (const std::string &alias : facts.aliases) {
        put_text(bytes, alias);
    }
    return bytes;
}

std::optional<SourceFacts> decode_source_facts(std::string_view bytes) {
    Reader reader(bytes);
    SourceFacts facts;
    const auto flags = reader.byte();
    if (!flags || !read_directives(reader, facts.directives) || !read_hidden(reader, facts.hidden) ||
        !read_texts(reader, facts.aliases)) {
        return std::nullopt;
    }
    facts.computed_include = (*flags & 1U) != 0;
    facts.pragma_once = (*flags & 2U) != 0;
    facts.mentions_asm = (*flags & 4U) != 0;
    // One check for everything that encode never writes: overlong numbers, unknown bits, trailing bytes.
    return encode(facts) == bytes ? std::optional(std::move(facts)) : std::nullopt;
}

}  // namespace scene_kernels
