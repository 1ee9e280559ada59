// Which task wrote and which tasks read each byte of memory last: what task dependencies are derived from. Knows
// addresses and task numbers, not tensors' contents and not how tasks run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

#include "runtime_ops.h"

namespace scene_kernels::sdk {

// The bytes from `begin` to before `end`.
struct ByteRange {
    std::uint64_t begin;
    std::uint64_t end;
};

// The bytes from the first to the last element. A part of each row covers the gaps between the rows too, so two column
// blocks of one matrix count as overlapping: that orders more than needed, never less.
inline ByteRange bytes_of(const SceneTensor &tensor) {
    std::uint64_t last = 0;
    for (std::uint32_t i = 0; i < tensor.rank; ++i) {
        last += static_cast<std::uint64_t>((tensor.shape[i] - 1) * tensor.strides[i]);
    }
    return {tensor.address, tensor.address + (last + 1) * element_bytes(tensor.type)};
}

// Tasks are numbered in the order in which they would run one after the other, and are added in that order.
class AccessMap {
public:
    using TaskNumber = std::uint64_t;

    // The tasks that must end before task `number` may run with these arguments: the writers of what it reads, and the
    // readers and writers of what it writes; ascending, each once. Then remembers the task's own accesses.
    // Tasks below `oldest` have ended and are forgotten.
    std::vector<TaskNumber> add(TaskNumber number, const std::vector<SceneTaskArgument> &arguments, TaskNumber oldest) {
        std::vector<TaskNumber> before;
        for (const SceneTaskArgument &argument : arguments) {
            if (argument.direction == ArgDirection::IN) {
                read(bytes_of(argument.tensor), number, oldest, before);
            }
        }
        for (const SceneTaskArgument &argument : arguments) {
            if (argument.direction == ArgDirection::OUT || argument.direction == ArgDirection::INOUT) {
                write(bytes_of(argument.tensor), number, before);
            }
        }
        std::sort(before.begin(), before.end());
        before.erase(std::unique(before.begin(), before.end()), before.end());
        before.erase(std::remove_if(before.begin(), before.end(),
                                    [&](TaskNumber other) { return other < oldest || other == number; }),
                     before.end());
        return before;
    }

private:
    struct Accesses {
        std::uint64_t end = 0;
        std::optional<TaskNumber> writer;
        std::vector<TaskNumber> readers;  // since the writer
    };
    using Regions = std::map<std::uint64_t, Accesses>;  // by first byte; they never overlap

    void read(ByteRange range, TaskNumber number, TaskNumber oldest, std::vector<TaskNumber> &before) {
        cut(range.begin);
        cut(range.end);
        std::uint64_t position = range.begin;
        auto region = m_regions.lower_bound(range.begin);
        while (position < range.end) {
            if (region == m_regions.end() || region->first > position) {
                const std::uint64_t next = region == m_regions.end() ? range.end : region->first;
                region = m_regions.emplace_hint(region, position, Accesses{std::min(next, range.end), {}, {}});
            }
            Accesses &accesses = region->second;
            if (accesses.writer) {
                before.push_back(*accesses.writer);
            }
            std::vector<TaskNumber> &readers = accesses.readers;  // ascending, because tasks come in order
            readers.erase(readers.begin(), std::lower_bound(readers.begin(), readers.end(), oldest));
            if (readers.empty() || readers.back() != number) {
                readers.push_back(number);
            }
            position = accesses.end;
            ++region;
        }
    }

    void write(ByteRange range, TaskNumber number, std::vector<TaskNumber> &before) {
        cut(range.begin);
        cut(range.end);
        const auto first = m_regions.lower_bound(range.begin);
        const auto last = m_regions.lower_bound(range.end);
        for (auto region = first; region != last; ++region) {
            const Accesses &accesses = region->second;
            if (accesses.writer) {
                before.push_back(*accesses.writer);
            }
            before.insert(before.end(), accesses.readers.begin(), accesses.readers.end());
        }
        m_regions.erase(first, last);
        m_regions[range.begin] = Accesses{range.end, number, {}};
    }

    // Makes `address` a border between two regions, if it lies inside of one.
    void cut(std::uint64_t address) {
        auto region = m_regions.upper_bound(address);
        if (region == m_regions.begin()) {
            return;
        }
        --region;
        if (region->first < address && address < region->second.end) {
            Accesses upper = region->second;
            region->second.end = address;
            m_regions.emplace_hint(std::next(region), address, std::move(upper));
        }
    }

    Regions m_regions;
};

}  // namespace scene_kernels::sdk
