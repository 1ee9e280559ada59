// What a kernel needs to reach its arguments: the entry, typed access to the argument array, and two-dimensional views
// of tensors. Checks nothing at run time: the host has compared every argument with the kernel's signature.
#pragma once

#include <cstdint>

#include "platform.h"
#include "tensor.h"

#if !defined(SCENE_CORE_AIC) && !defined(SCENE_CORE_AIV)
#error "a kernel needs one of SCENE_CORE_AIC and SCENE_CORE_AIV"
#endif

// Heads the definition of a kernel's entry. `slots` names its only parameter, the argument array: one 64-bit slot per
// signature entry, in the signature's order; a tensor's slot holds the address of its SceneTensor, a scalar's its
// value.
#define SCENE_KERNEL_ENTRY(slots) \
    extern "C" __attribute__((visibility("default"))) SCENE_DEVICE void kernel_entry(SCENE_GM std::int64_t *slots)

namespace scene_kernels::sdk {

// A window on a matrix in device memory. Strides count elements.
template <typename T>
struct View {
    SCENE_GM T *data;
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t row_stride;
    std::int64_t column_stride;

    SCENE_INLINE SCENE_GM T &at(std::int64_t row, std::int64_t column) const {
        return data[row * row_stride + column * column_stride];
    }
};

// The argument array of one kernel call, by position in the kernel's signature.
class KernelArguments {
public:
    SCENE_INLINE explicit KernelArguments(SCENE_GM std::int64_t *slots) : m_slots(slots) {}

    SCENE_INLINE SCENE_GM const SceneTensor &tensor(int index) const {
        return *reinterpret_cast<SCENE_GM const SceneTensor *>(m_slots[index]);
    }

    // A tensor's last dimension as columns and all before it as rows. A vector is one row, a single element is 1 by 1.
    // With three or more dimensions, all but the last must be laid out one behind the other.
    template <typename T>
    SCENE_INLINE View<T> matrix(int index) const {
        SCENE_GM const SceneTensor &from = tensor(index);
        View<T> view{reinterpret_cast<SCENE_GM T *>(from.address), 1, 1, 0, 0};
        if (from.rank > 0) {
            view.columns = from.shape[from.rank - 1];
            view.column_stride = from.strides[from.rank - 1];
        }
        if (from.rank > 1) {
            view.row_stride = from.strides[from.rank - 2];
            for (std::uint32_t i = 0; i + 1 < from.rank; ++i) {
                view.rows *= from.shape[i];
            }
        }
        return view;
    }

    // A scalar, whose bytes are the first ones of its slot.
    template <typename T>
    SCENE_INLINE T scalar(int index) const {
        static_assert(sizeof(T) <= sizeof(std::int64_t), "a scalar has at most 64 bits");
        const std::int64_t slot = m_slots[index];
        T value;
        __builtin_memcpy(&value, &slot, sizeof(T));
        return value;
    }

private:
    SCENE_GM std::int64_t *m_slots;
};

}  // namespace scene_kernels::sdk
