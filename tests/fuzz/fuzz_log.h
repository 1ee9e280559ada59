// Record logs as inputs: no variation of bytes would ever meet a checksum, so targets make them right.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/sha256.h"
#include "os/record_log.h"

namespace scene_kernels {

// Nobody can make the lock of a file in this folder, so logs here do without.
inline constexpr const char *k_log_path = "/no/such/folder/log";
inline constexpr const char *k_log_magic = "skfuzz01";

// `bytes` as a log that starts with `magic`, and in which every record has its right check.
inline std::string with_right_checks(std::string_view bytes, std::string_view magic) {
    constexpr std::size_t k_check_bytes = 8;
    ByteReader reader(bytes);
    static_cast<void>(reader.raw(magic.size()));
    ByteWriter writer;
    writer.raw(magic);
    writer.u64(reader.u64() | 1U);
    while (reader.remaining() > 0) {
        const std::string_view size = reader.raw(4);
        const std::string_view type = reader.raw(4);
        const std::string_view payload = reader.raw(ByteReader(size).u32());
        if (!reader.ok()) {
            break;
        }
        static_cast<void>(reader.raw(k_check_bytes));
        const std::string checked = std::string(type) + std::string(payload);
        const Digest digest = Sha256::of(checked);
        writer.raw(size);
        writer.raw(checked);
        writer.raw({reinterpret_cast<const char *>(digest.bytes.data()), k_check_bytes});
    }
    return writer.take();
}

}  // namespace scene_kernels
