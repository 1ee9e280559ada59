# Settings that all of the project's own C++ shares: standard, warnings, ccache as launcher where it is installed.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set_property(GLOBAL PROPERTY USE_FOLDERS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(SCENE_KERNELS_CCACHE ccache)
mark_as_advanced(SCENE_KERNELS_CCACHE)
if(SCENE_KERNELS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SCENE_KERNELS_CCACHE}")
endif()

add_library(scene_kernels_warnings INTERFACE)
target_compile_options(scene_kernels_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-align -Wformat=2 -Wimplicit-fallthrough
  # GCC 12 reports an overlap inside std::string's own operator+ (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${SCENE_KERNELS_WERROR}>:-Werror>)

if(SCENE_KERNELS_SANITIZE)
  add_compile_options(-fsanitize=${SCENE_KERNELS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SCENE_KERNELS_SANITIZE})
endif()
if(SCENE_KERNELS_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# scene_kernels_library(NAME SOURCES ... [LINKS ...]): one static library per folder of generator/, so that the link line
# says who may know whom.
function(scene_kernels_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/generator")
  target_link_libraries(${name} PUBLIC ${arg_LINKS} PRIVATE scene_kernels_warnings)
  set_target_properties(${name} PROPERTIES FOLDER generator)
endfunction()
