// The struct images that a device is given: one kernel (`CoreCallable`), and one orchestration with its kernels
// (`ChipCallable`). Owns their layout and their making; does not know how images are stored or loaded.
//
//   ChipCallable: header | orchestration library | padding | CoreCallable | padding | CoreCallable | ...
//   CoreCallable: header | padding | code
//
// Numbers are in the machine's byte order. Everything that is not a value is zero, because images are compared and
// hashed as bytes. `resolved_addr_` is 0 in a file; a loader writes the address of the code there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arg_direction.h"

namespace callable_detail {

[[noreturn]] inline void refuse(const std::string &problem) {
    throw std::invalid_argument("make_callable: " + problem);
}

constexpr std::uint64_t aligned(std::uint64_t size) {
    return (size + CALLABLE_ALIGN - 1) / CALLABLE_ALIGN * CALLABLE_ALIGN;
}

// `index` as a position in a list of `count`, or std::out_of_range.
inline std::size_t position(std::int32_t index, std::int32_t count) {
    if (index < 0 || index >= count) {
        throw std::out_of_range("callable: index " + std::to_string(index) + " of " + std::to_string(count));
    }
    return static_cast<std::size_t>(index);
}

inline void require_list(const void *entries, std::int32_t count, int limit, const char *what) {
    if (count < 0 || count > limit) {
        refuse(std::to_string(count) + " " + what + ", at most " + std::to_string(limit) + " are possible");
    }
    if (count > 0 && entries == nullptr) {
        refuse(std::string("no list of ") + what + " was given");
    }
}

// An image under construction: zero bytes, and values that are written at their offsets.
class ImageWriter {
public:
    explicit ImageWriter(std::uint64_t size) : m_bytes(static_cast<std::size_t>(size), 0) {}

    template <typename T>
    void put(std::size_t offset, const T &value) {
        put_array(offset, &value, 1);
    }
    template <typename T>
    void put_array(std::size_t offset, const T *values, std::size_t count) {
        if (count > 0) {
            std::memcpy(m_bytes.data() + offset, values, count * sizeof(T));
        }
    }
    // A name of at most CALLABLE_FUNC_NAME_MAX - 1 bytes, and its length. A null name is the empty one.
    void put_name(std::size_t offset, std::size_t length_offset, const char *name, const char *what) {
        const std::size_t length = name == nullptr ? 0 : std::strlen(name);
        if (length >= static_cast<std::size_t>(CALLABLE_FUNC_NAME_MAX)) {
            refuse(std::string(what) + " of " + std::to_string(length) + " bytes, at most " +
                   std::to_string(CALLABLE_FUNC_NAME_MAX - 1) + " are possible");
        }
        put_array(offset, name, length);
        put(length_offset, static_cast<std::uint32_t>(length));
    }
    std::vector<std::uint8_t> take() { return std::move(m_bytes); }

private:
    std::vector<std::uint8_t> m_bytes;
};

}  // namespace callable_detail

// An array without a size is an extension that every compiler in question has.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

// The general form is an orchestration with kernels. Images are only made by make_callable() and seen through pointers
// into its bytes, so there is nothing to construct or to copy.
template <typename Child, int MaxSig, int MaxChildren>
struct Callable {
    ArgDirection signature_[std::size_t{MaxSig}];
    std::int32_t sig_count_;
    std::uint32_t binary_size_;
    char func_name_[CALLABLE_FUNC_NAME_MAX];
    std::uint32_t func_name_len_;
    std::int32_t child_func_ids_[std::size_t{MaxChildren}];
    std::uint32_t child_offsets_[std::size_t{MaxChildren}];  // from the start of storage_
    std::int32_t child_count_;
    char config_name_[CALLABLE_FUNC_NAME_MAX];
    std::uint32_t config_name_len_;
    alignas(CALLABLE_CHILD_ALIGN) char storage_[];

    Callable() = delete;
    Callable(const Callable &) = delete;
    Callable &operator=(const Callable &) = delete;

    std::int32_t sig_count() const { return sig_count_; }
    ArgDirection sig(std::int32_t index) const { return signature_[callable_detail::position(index, sig_count_)]; }

    const void *binary_data() const { return storage_; }
    std::uint32_t binary_size() const { return binary_size_; }
    static constexpr std::size_t binary_data_offset() { return offsetof(Callable, storage_); }

    const char *func_name() const { return func_name_; }
    std::uint32_t func_name_len() const { return func_name_len_; }
    const char *config_name() const { return config_name_; }
    std::uint32_t config_name_len() const { return config_name_len_; }

    // Each throws std::out_of_range for an index that has no child.
    std::int32_t child_count() const { return child_count_; }
    std::int32_t child_func_id(std::int32_t index) const {
        return child_func_ids_[callable_detail::position(index, child_count_)];
    }
    std::uint32_t child_offset(std::int32_t index) const {
        return child_offsets_[callable_detail::position(index, child_count_)];
    }
    const Child &child(std::int32_t index) const {
        const void *bytes = storage_ + child_offset(index);
        return *static_cast<const Child *>(bytes);
    }
};

// A kernel: no name and no children. Its code starts at a multiple of CALLABLE_ALIGN from the start of the struct.
template <int MaxSig>
struct Callable<void, MaxSig, 0> {
    ArgDirection signature_[std::size_t{MaxSig}];
    std::int32_t sig_count_;
    std::uint32_t binary_size_;
    std::uint64_t resolved_addr_;
    char storage_[];

    Callable() = delete;
    Callable(const Callable &) = delete;
    Callable &operator=(const Callable &) = delete;

    std::int32_t sig_count() const { return sig_count_; }
    ArgDirection sig(std::int32_t index) const { return signature_[callable_detail::position(index, sig_count_)]; }

    std::uint64_t resolved_addr() const { return resolved_addr_; }
    void set_resolved_addr(std::uint64_t address) { resolved_addr_ = address; }

    static constexpr std::size_t binary_data_offset() {
        return static_cast<std::size_t>(callable_detail::aligned(sizeof(Callable)));
    }
    const void *binary_data() const { return reinterpret_cast<const char *>(this) + binary_data_offset(); }
    std::uint32_t binary_size() const { return binary_size_; }
};

#pragma GCC diagnostic pop

using CoreCallable = Callable<void, CORE_MAX_TENSOR_ARGS, 0>;
using ChipCallable = Callable<CoreCallable, CHIP_MAX_TENSOR_ARGS, CALLABLE_MAX_CHILDREN>;

static_assert(CALLABLE_CHILD_ALIGN % alignof(CoreCallable) == 0, "a child would be misaligned in its parent's storage");
static_assert(CALLABLE_ALIGN % CALLABLE_CHILD_ALIGN == 0, "a child would be less aligned than the storage it lies in");
static_assert(offsetof(ChipCallable, storage_) % CALLABLE_CHILD_ALIGN == 0, "kernel code would be under-aligned");

// The image of a kernel. `sig` holds `sig_count` directions, `binary` holds `binary_size` bytes of code.
// Throws std::invalid_argument where a limit is passed or a list is missing.
template <int MaxSig>
std::vector<std::uint8_t> make_callable(const ArgDirection *sig, std::int32_t sig_count, const void *binary,
                                        std::uint32_t binary_size) {
    using Image = Callable<void, MaxSig, 0>;
    callable_detail::require_list(sig, sig_count, MaxSig, "signature entries");
    callable_detail::require_list(binary, binary_size == 0 ? 0 : 1, 1, "code bytes");
    callable_detail::ImageWriter image(std::uint64_t{Image::binary_data_offset()} + binary_size);
    image.put_array(offsetof(Image, signature_), sig, static_cast<std::size_t>(sig_count));
    image.put(offsetof(Image, sig_count_), sig_count);
    image.put(offsetof(Image, binary_size_), binary_size);
    image.put_array(Image::binary_data_offset(), static_cast<const std::uint8_t *>(binary), binary_size);
    return image.take();
}

// The image of an orchestration library (`binary`) with its kernels: `child_count` ids and as many images, each made by
// make_callable(). Throws std::invalid_argument for a name that is too long, for a limit that is passed, for a missing
// list, and where the image would not fit 32-bit offsets.
template <typename Child, int MaxSig, int MaxChildren>
std::vector<std::uint8_t> make_callable(const ArgDirection *sig, std::int32_t sig_count, const char *func_name,
                                        const void *binary, std::uint32_t binary_size,
                                        const std::int32_t *child_func_ids,
                                        const std::vector<std::uint8_t> *child_buffers, std::int32_t child_count,
                                        const char *config_name) {
    using Image = Callable<Child, MaxSig, MaxChildren>;
    callable_detail::require_list(sig, sig_count, MaxSig, "signature entries");
    callable_detail::require_list(child_func_ids, child_count, MaxChildren, "children");
    callable_detail::require_list(child_buffers, child_count, MaxChildren, "children");
    callable_detail::require_list(binary, binary_size == 0 ? 0 : 1, 1, "library bytes");

    std::vector<std::uint32_t> offsets;
    std::uint64_t end = binary_size;
    for (std::int32_t i = 0; i < child_count; ++i) {
        const std::uint64_t offset = callable_detail::aligned(end);
        end = offset + child_buffers[i].size();
        if (end > std::numeric_limits<std::uint32_t>::max() - Image::binary_data_offset()) {
            callable_detail::refuse("child " + std::to_string(i) + " would end beyond 4 GiB");
        }
        offsets.push_back(static_cast<std::uint32_t>(offset));
    }

    callable_detail::ImageWriter image(Image::binary_data_offset() + end);
    image.put_array(offsetof(Image, signature_), sig, static_cast<std::size_t>(sig_count));
    image.put(offsetof(Image, sig_count_), sig_count);
    image.put(offsetof(Image, binary_size_), binary_size);
    image.put_name(offsetof(Image, func_name_), offsetof(Image, func_name_len_), func_name, "a function name");
    image.put_name(offsetof(Image, config_name_), offsetof(Image, config_name_len_), config_name, "a config name");
    image.put_array(offsetof(Image, child_func_ids_), child_func_ids, offsets.size());
    image.put_array(offsetof(Image, child_offsets_), offsets.data(), offsets.size());
    image.put(offsetof(Image, child_count_), child_count);
    image.put_array(Image::binary_data_offset(), static_cast<const std::uint8_t *>(binary), binary_size);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        image.put_array(Image::binary_data_offset() + offsets[i], child_buffers[i].data(), child_buffers[i].size());
    }
    return image.take();
}
