# Where the program is built, and the data that it finds beside itself: bin/../share/scene-kernels/{sdk,pack}.
set_target_properties(scene-kernels PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
add_executable(SceneKernels::scene-kernels ALIAS scene-kernels)

# Relative links, so that a checkout may be moved or copied together with its build directory.
function(scene_kernels_link_data name source)
  set(link "${PROJECT_BINARY_DIR}/share/scene-kernels/${name}")
  cmake_path(GET link PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  file(REAL_PATH "${folder}" folder)
  file(REAL_PATH "${source}" source)
  file(RELATIVE_PATH target "${folder}" "${source}")
  file(CREATE_LINK "${target}" "${link}" SYMBOLIC)
endfunction()

scene_kernels_link_data(sdk "${PROJECT_SOURCE_DIR}/kernels/sdk")
scene_kernels_link_data(pack "${PROJECT_SOURCE_DIR}/generator/pack")
