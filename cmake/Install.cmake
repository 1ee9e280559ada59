# What `cmake --install` lays out: the program, its data, and a package for find_package(SceneKernels).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/SceneKernels")
set(config_file "${PROJECT_BINARY_DIR}/package/SceneKernelsConfig.cmake")
set(version_file "${PROJECT_BINARY_DIR}/package/SceneKernelsConfigVersion.cmake")

install(TARGETS scene-kernels EXPORT SceneKernelsTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# The program looks for its data at ../share from itself, whatever CMAKE_INSTALL_DATADIR says.
install(DIRECTORY kernels/sdk generator/pack
        DESTINATION share/scene-kernels
        PATTERN CMakeLists.txt EXCLUDE)
install(EXPORT SceneKernelsTargets NAMESPACE SceneKernels:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/SceneKernelsConfig.cmake.in "${config_file}" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${version_file}" COMPATIBILITY SameMinorVersion)
install(FILES "${config_file}" "${version_file}" cmake/SceneKernels.cmake DESTINATION "${package_dir}")
