#include "action/closure.h"

namespace scene_kernels {

NameId NameTable::intern(std::string_view text) {
    const auto found = m_ids.find(text);
    if (found != m_ids.end()) {
        return found->second;
    }
    const auto id = static_cast<NameId>(m_texts.size());
    m_texts.emplace_back(text);
    m_ids.emplace(m_texts.back(), id);
    return id;
}

SearchId SearchTable::intern(const SearchList &list) {
    for (SearchId id = 0; id < m_lists.size(); ++id) {
        if (m_lists[id] == list) {
            return id;
        }
    }
    m_lists.push_back(list);
    return static_cast<SearchId>(m_lists.size() - 1);
}

}  // namespace scene_kernels
