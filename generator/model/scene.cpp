#include "model/scene.h"

namespace scene_kernels {

const char *to_text(CoreType type) {
    return type == CoreType::aic ? "aic" : "aiv";
}

const char *to_text(ArgDirection direction) {
    switch (direction) {
        case ArgDirection::scalar:
            return "scalar";
        case ArgDirection::in:
            return "in";
        case ArgDirection::out:
            return "out";
        case ArgDirection::inout:
            return "inout";
    }
    return "scalar";
}

}  // namespace scene_kernels
