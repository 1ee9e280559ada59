// What commands print, made fit to be kept with an artifact: valid text, without colours, without names of this run.
#pragma once

#include <string>
#include <string_view>

namespace scene_kernels {

// `output` without terminal escapes (ECMA-48 CSI and OSC sequences) and other control characters but tabs and newlines,
// bytes that are no UTF-8 as '?', the path `staging` as "<output>". At most k_max_message_bytes (store/manifest.h);
// what is cut off is said.
[[nodiscard]] std::string kept_messages(std::string_view output, std::string_view staging);

}  // namespace scene_kernels
