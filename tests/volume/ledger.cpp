#include "ledger.h"

#include <algorithm>

namespace scene_kernels::volume {

std::vector<const Expected *> Ledger::build(const std::vector<Expected> &actions) {
    constexpr std::size_t k_closures_kept = 16;
    std::vector<const Expected *> needed;
    for (const Expected &action : actions) {
        std::deque<std::string> &closures = m_closures[digest(action.recipe)];
        const auto known = std::find(closures.begin(), closures.end(), action.closure);
        if (known != closures.end() && m_keys.contains(action.key)) {
            continue;
        }
        if (known != closures.end()) {
            closures.erase(known);
        } else if (closures.size() == k_closures_kept) {
            closures.pop_back();
        }
        closures.push_front(action.closure);
        m_keys.insert(action.key);
        needed.push_back(&action);
    }
    return needed;
}

}  // namespace scene_kernels::volume
