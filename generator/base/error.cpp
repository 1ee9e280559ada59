#include "base/error.h"

#include <system_error>

namespace scene_kernels {

std::string with_errno(std::string_view what, int errno_value) {
    return std::string(what) + ": " + std::generic_category().message(errno_value);
}

}  // namespace scene_kernels
