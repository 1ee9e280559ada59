// The keys of every object in descriptors and SDK descriptions, in one place, so that the readers, the JSON schemas
// (docs/schema/) and the documentation can be compared with each other.
#pragma once

#include <span>

#include "model/fields.h"

namespace scene_kernels {

inline constexpr KeyShape k_scene_keys[] = {{"$schema"}, {"schema", true},    {"name", true}, {"runtime", true},
                                            {"labels"},  {"callables", true}, {"cases", true}};
inline constexpr KeyShape k_callable_keys[] = {{"name", true}, {"orchestration", true}, {"incores", true}};
inline constexpr KeyShape k_orchestration_keys[] = {{"source", true}, {"function_name", true}, {"config_name"},
                                                    {"signature"},    {"extra_include_dirs"},  {"extra_inputs"}};
inline constexpr KeyShape k_incore_keys[] = {{"func_id", true}, {"name"},      {"core_type", true},
                                             {"source", true},  {"signature"}, {"extra_include_dirs"},
                                             {"extra_inputs"}};
inline constexpr KeyShape k_case_keys[] = {{"name", true}, {"platforms", true}, {"manual"}, {"skip"}};
inline constexpr KeyShape k_skip_keys[] = {{"when"}, {"reason", true}};
inline constexpr KeyShape k_when_keys[] = {{"platform"}, {"os"}, {"machine"}, {"env"}, {"missing_tool"}};

inline constexpr ObjectShape k_scene_shape{"scene", k_scene_keys};
inline constexpr ObjectShape k_callable_shape{"callable", k_callable_keys};
inline constexpr ObjectShape k_orchestration_shape{"orchestration", k_orchestration_keys};
inline constexpr ObjectShape k_incore_shape{"incore", k_incore_keys};
inline constexpr ObjectShape k_case_shape{"case", k_case_keys};
inline constexpr ObjectShape k_skip_shape{"skip", k_skip_keys};
inline constexpr ObjectShape k_when_shape{"when", k_when_keys};

inline constexpr const ObjectShape *k_scene_shapes[] = {&k_scene_shape,  &k_callable_shape, &k_orchestration_shape,
                                                        &k_incore_shape, &k_case_shape,     &k_skip_shape,
                                                        &k_when_shape};

inline constexpr KeyShape k_sdk_keys[] = {{"$schema"},
                                          {"schema", true},
                                          {"name", true},
                                          {"variables"},
                                          {"environment"},
                                          {"limits"},
                                          {"packer", true},
                                          {"launcher"},
                                          {"toolchains", true},
                                          {"platforms", true},
                                          {"default_platform", true}};
inline constexpr KeyShape k_variable_keys[] = {{"environment"}, {"description"}, {"default"}, {"kind"}};
inline constexpr KeyShape k_limits_keys[] = {
    {"tensor_args_per_kernel"}, {"tensor_args_per_callable"}, {"kernels_per_callable"}, {"name_bytes"}};
inline constexpr KeyShape k_packer_keys[] = {{"toolchain", true}, {"header", true}, {"args"}, {"include_dirs"}};
inline constexpr KeyShape k_toolchain_keys[] = {{"compilers", true}, {"programs"}, {"launcher"}, {"image"},
                                                {"object"},          {"library"},  {"program"},  {"machine"}};
inline constexpr KeyShape k_compiler_keys[] = {{"program", true}, {"family"}, {"args"}, {"wraps"}};
inline constexpr KeyShape k_step_keys[] = {{"run"}, {"args"}, {"reads"}, {"extract"}};
inline constexpr KeyShape k_platform_keys[] = {
    {"values"}, {"requires"}, {"image", true}, {"orchestration", true}, {"runtimes", true}, {"entry_symbol"}};
inline constexpr KeyShape k_image_target_keys[] = {
    {"toolchain", true}, {"args"}, {"aic_args"}, {"aiv_args"}, {"include_dirs"}};
inline constexpr KeyShape k_orchestration_target_keys[] = {{"toolchain", true}, {"args"}, {"include_dirs"}};
inline constexpr KeyShape k_runtime_keys[] = {
    {"toolchain"}, {"args"}, {"include_dirs"}, {"image_include_dirs"}, {"sources"}};

inline constexpr ObjectShape k_sdk_shape{"sdk", k_sdk_keys};
inline constexpr ObjectShape k_variable_shape{"variable", k_variable_keys};
inline constexpr ObjectShape k_limits_shape{"limits", k_limits_keys};
inline constexpr ObjectShape k_packer_shape{"packer", k_packer_keys};
inline constexpr ObjectShape k_toolchain_shape{"toolchain", k_toolchain_keys};
inline constexpr ObjectShape k_compiler_shape{"compiler", k_compiler_keys};
inline constexpr ObjectShape k_step_shape{"step", k_step_keys};
inline constexpr ObjectShape k_platform_shape{"platform", k_platform_keys};
inline constexpr ObjectShape k_image_target_shape{"image_target", k_image_target_keys};
inline constexpr ObjectShape k_orchestration_target_shape{"orchestration_target", k_orchestration_target_keys};
inline constexpr ObjectShape k_runtime_shape{"runtime", k_runtime_keys};

inline constexpr const ObjectShape *k_sdk_shapes[] = {
    &k_sdk_shape,      &k_variable_shape, &k_limits_shape,   &k_packer_shape,       &k_toolchain_shape,
    &k_compiler_shape, &k_step_shape,     &k_platform_shape, &k_image_target_shape, &k_orchestration_target_shape,
    &k_runtime_shape};

}  // namespace scene_kernels
