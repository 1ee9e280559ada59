// Packs an orchestration library and its kernels into the struct image that an SDK's devices take. It is compiled
// against that SDK's own header, with standard C++17 alone, so the bytes are right for the SDK by construction.
//
//   packer SPEC OUT LAYOUT   packs what the file SPEC lists into OUT, and writes to LAYOUT where each part lies
//   packer --sample OUT      packs a fixed sample and describes the structs: equal files mean an equal image format
//
// The format of SPEC stands in pack_spec.h.
//
// LAYOUT, numbers in decimal, offsets from the start of OUT:
//   size SIZE
//   binary OFFSET SIZE                   the orchestration library
//   child FUNC_ID OFFSET SIZE CODE_OFFSET CODE_SIZE ADDRESS_OFFSET     in the order of SPEC; the resolved address is
//                                                                      the 64-bit number at ADDRESS_OFFSET
//
// Exit status: 0, or 1 after one line on standard error that says what is wrong. A failed run leaves no output.
#ifndef SCENE_KERNELS_CALLABLE_HEADER
#error "define SCENE_KERNELS_CALLABLE_HEADER as the name of the SDK's header with ChipCallable, in quotes"
#endif
#include SCENE_KERNELS_CALLABLE_HEADER

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "pack_spec.h"

namespace scene_kernels::pack {
namespace {

constexpr std::uint64_t k_pattern = 0x0123456789ABCDEFU;

// Where one child's parts lie in the whole image.
struct ChildPlace {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t code_offset = 0;
    std::uint64_t code_size = 0;
    std::uint64_t address_offset = 0;
};

struct Packed {
    Bytes image;
    std::uint64_t binary_offset = 0;
    std::vector<ChildPlace> children;
};

// ---- packing

// The image's size if every part is moved to the next multiple of the alignment: an upper bound in 64 bits, so that the
// SDK's own 32-bit sums cannot overflow.
void check_total(const Spec &spec) {
    std::uint64_t total = sizeof(ChipCallable) + spec.library.size() + CALLABLE_ALIGN;
    for (const Child &child : spec.children) {
        total += CoreCallable::binary_data_offset() + child.code.size() + CALLABLE_ALIGN;
    }
    if (total > k_max_image) {
        throw Problem("the callable would have " + std::to_string(total) + " bytes, at most " +
                      std::to_string(k_max_image) + " are possible");
    }
}

void expect(bool holds, const std::string &what) {
    if (!holds) {
        throw Problem("the SDK's make_callable did not keep " + what + ": this packer does not fit its header");
    }
}

Bytes make_child(const Child &child) {
    return make_callable<CoreLimits::k_signature>(child.signature.data(),
                                                  static_cast<std::int32_t>(child.signature.size()), child.code.data(),
                                                  static_cast<std::uint32_t>(child.code.size()));
}

template <typename Image>
void check_signature(const Image &image, const Signature &wanted, const std::string &what) {
    expect(image.sig_count() == static_cast<std::int32_t>(wanted.size()), what);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        expect(image.sig(static_cast<std::int32_t>(i)) == wanted[i], what);
    }
}

void check_bytes(const void *found, std::uint64_t size, const Bytes &wanted, const std::string &what) {
    expect(size == wanted.size() && (size == 0 || std::memcmp(found, wanted.data(), wanted.size()) == 0), what);
}

// The offset in a CoreCallable of the eight bytes that set_resolved_addr() changes.
std::uint64_t address_offset_in_child() {
    Bytes before = make_child(Child{});
    Bytes after = before;
    reinterpret_cast<CoreCallable *>(after.data())->set_resolved_addr(k_pattern);
    std::size_t first = 0;
    while (first < after.size() && after[first] == before[first]) {
        ++first;
    }
    expect(first + sizeof k_pattern <= after.size(), "room for the resolved address");
    const std::uint64_t pattern = k_pattern;
    std::memcpy(before.data() + first, &pattern, sizeof pattern);
    expect(before == after, "the resolved address in eight bytes");
    return first;
}

std::uint64_t offset_in(const Bytes &image, const void *part) {
    return static_cast<std::uint64_t>(static_cast<const std::uint8_t *>(part) - image.data());
}

ChildPlace place_of(const Bytes &image, std::int32_t index, const Child &wanted, std::uint64_t address_offset) {
    const auto &chip = *reinterpret_cast<const ChipCallable *>(image.data());
    const CoreCallable &child = chip.child(index);
    const std::string what = "child " + std::to_string(index);
    ChildPlace place;
    place.offset = offset_in(image, &child);
    place.code_offset = offset_in(image, child.binary_data());
    place.code_size = child.binary_size();
    place.size = CoreCallable::binary_data_offset() + place.code_size;
    place.address_offset = place.offset + address_offset;
    expect(place.offset + place.size <= image.size() && place.code_offset + place.code_size <= image.size(), what);
    expect(chip.child_func_id(index) == wanted.func_id && child.resolved_addr() == 0, what);
    check_signature(child, wanted.signature, what);
    check_bytes(child.binary_data(), place.code_size, wanted.code, what);
    return place;
}

// Reads everything back: what the SDK would shorten or lose is an error here, not a surprise on a device.
void check_and_locate(Packed &packed, const Spec &spec) {
    expect(packed.image.size() >= sizeof(ChipCallable), "the header");
    const auto &chip = *reinterpret_cast<const ChipCallable *>(packed.image.data());
    expect(spec.function == chip.func_name() && chip.func_name_len() == spec.function.size(), "the function name");
    expect(spec.config == chip.config_name() && chip.config_name_len() == spec.config.size(), "the config name");
    check_signature(chip, spec.signature, "the signature");
    packed.binary_offset = offset_in(packed.image, chip.binary_data());
    expect(packed.binary_offset + chip.binary_size() <= packed.image.size(), "the library");
    check_bytes(chip.binary_data(), chip.binary_size(), spec.library, "the library");
    expect(chip.child_count() == static_cast<std::int32_t>(spec.children.size()), "the number of children");
    const std::uint64_t address_offset = address_offset_in_child();
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
        packed.children.push_back(
            place_of(packed.image, static_cast<std::int32_t>(i), spec.children[i], address_offset));
    }
}

Packed pack(const Spec &spec) {
    check_total(spec);
    std::vector<std::int32_t> func_ids;
    std::vector<Bytes> children;
    for (const Child &child : spec.children) {
        func_ids.push_back(child.func_id);
        children.push_back(make_child(child));
    }
    Packed packed;
    packed.image = make_callable<CoreCallable, ChipLimits::k_signature, ChipLimits::k_children>(
        spec.signature.data(), static_cast<std::int32_t>(spec.signature.size()), spec.function.c_str(),
        spec.library.data(), static_cast<std::uint32_t>(spec.library.size()), func_ids.data(), children.data(),
        static_cast<std::int32_t>(children.size()), spec.config.c_str());
    check_and_locate(packed, spec);
    return packed;
}

std::string layout_text(const Packed &packed, const Spec &spec) {
    std::ostringstream text;
    text << "size " << packed.image.size() << "\nbinary " << packed.binary_offset << ' ' << spec.library.size() << '\n';
    for (std::size_t i = 0; i < packed.children.size(); ++i) {
        const ChildPlace &place = packed.children[i];
        text << "child " << spec.children[i].func_id << ' ' << place.offset << ' ' << place.size << ' '
             << place.code_offset << ' ' << place.code_size << ' ' << place.address_offset << '\n';
    }
    return text.str();
}

// ---- the sample

Bytes counted_bytes(std::size_t size, std::uint8_t first) {
    Bytes bytes;
    for (std::size_t i = 0; i < size; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(first + i * 7));
    }
    return bytes;
}

// Everything that an image can hold: the longest names, every direction, a full signature, children whose sizes need
// padding, an empty one, and one that needs none.
Spec sample_spec() {
    const Signature all = {ArgDirection::SCALAR, ArgDirection::IN, ArgDirection::OUT, ArgDirection::INOUT};
    Spec spec;
    spec.function = std::string(k_name_bytes, 'f');
    spec.config = std::string(k_name_bytes, 'c');
    for (int i = 0; i < ChipLimits::k_signature; ++i) {
        spec.signature.push_back(all[static_cast<std::size_t>(i) % all.size()]);
    }
    spec.library = counted_bytes(1001, 3);
    spec.children = {{0, all, "", counted_bytes(1, 5)},
                     {7, {}, "", {}},
                     {std::numeric_limits<std::int32_t>::max(), {ArgDirection::INOUT}, "", counted_bytes(64, 9)},
                     {1, Signature(static_cast<std::size_t>(CoreLimits::k_signature), ArgDirection::OUT), "",
                      counted_bytes(333, 11)}};
    return spec;
}

std::string structs_text() {
    std::ostringstream text;
    text << "chip size " << sizeof(ChipCallable) << " align " << alignof(ChipCallable) << " signature "
         << ChipLimits::k_signature << " children " << ChipLimits::k_children << "\ncore size " << sizeof(CoreCallable)
         << " align " << alignof(CoreCallable) << " signature " << CoreLimits::k_signature << " code "
         << CoreCallable::binary_data_offset() << "\nname " << CALLABLE_FUNC_NAME_MAX << " align " << CALLABLE_ALIGN
         << ' ' << CALLABLE_CHILD_ALIGN << "\ndirection size " << sizeof(ArgDirection) << '\n';
    return text.str();
}

void write_file(const std::string &path, const void *data, std::size_t size) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(static_cast<const char *>(data), static_cast<std::streamsize>(size));
    file.close();
    if (!file) {
        throw Problem("cannot write " + path);
    }
}

void write_sample(const std::string &out) {
    const Spec spec = sample_spec();
    const Packed packed = pack(spec);
    const std::string text = layout_text(packed, spec) + structs_text();
    Bytes bytes = packed.image;
    bytes.insert(bytes.end(), text.begin(), text.end());
    write_file(out, bytes.data(), bytes.size());
}

void write_callable(const std::string &spec_path, const std::string &out, const std::string &layout) {
    Spec spec = read_spec(spec_path);
    read_parts(spec);
    const Packed packed = pack(spec);
    const std::string text = layout_text(packed, spec);
    write_file(out, packed.image.data(), packed.image.size());
    write_file(layout, text.data(), text.size());
}

void remove_outputs(const std::vector<std::string> &paths) {
    for (const std::string &path : paths) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored)) {
            std::filesystem::remove(path, ignored);
        }
    }
}

int run(const std::vector<std::string> &args) {
    const bool sample = args.size() == 2 && args[0] == "--sample";
    if (!sample && args.size() != 3) {
        std::cerr << "usage: packer SPEC OUT LAYOUT | packer --sample OUT\n";
        return 1;
    }
    try {
        if (sample) {
            write_sample(args[1]);
        } else {
            write_callable(args[0], args[1], args[2]);
        }
        return 0;
    } catch (const std::bad_alloc &) {
        std::cerr << "packer: out of memory\n";
    } catch (const std::exception &error) {
        std::cerr << "packer: " << error.what() << '\n';
    }
    remove_outputs({args.begin() + 1, args.end()});
    return 1;
}

}  // namespace
}  // namespace scene_kernels::pack

int main(int argc, char **argv) {
    return scene_kernels::pack::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
