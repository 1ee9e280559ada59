// What the store must know: which actions were built before, by the rules of docs/cache-key.md and docs/formats.md.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle.h"

namespace scene_kernels::volume {

class Ledger {
public:
    // The actions among `actions` that were never built in this store, or of which it has forgotten where they looked:
    // of each recipe it keeps the sixteen latest closures. They count as built from now on.
    [[nodiscard]] std::vector<const Expected *> build(const std::vector<Expected> &actions);

private:
    std::set<std::string> m_keys;
    std::map<std::string, std::deque<std::string>> m_closures;  // by recipe, the latest first
};

}  // namespace scene_kernels::volume
