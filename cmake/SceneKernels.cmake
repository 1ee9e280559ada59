# The public CMake functions: targets that warm scenes with the program SceneKernels::scene-kernels.
#
#   scene_kernels_add(NAME SCENES FILE_OR_FOLDER...
#                     [SDK FILE] [PLATFORM NAME] [STORE FOLDER] [SOURCE_ROOT FOLDER] [SELECT EXPRESSION]
#                     [MANUAL exclude|include|only] [LAUNCHER none|ccache] [JOBS N] [SET NAME=VALUE...])
#
# Makes the target warm-NAME, which brings every selected callable of the scenes up to date; a target
# warm-NAME-SCENE for each scene, in the IDE folder "scene-kernels"; and warm-kernels, which depends on every
# warm-NAME of the build. Warm targets use the terminal, so they run one after another: each has the whole job budget
# to itself, and shows Ninja's own status line.
#
# Relative paths start at the current source directory. The graph is kept in
# ${CMAKE_BINARY_DIR}/scene-kernels/NAME. The source root defaults to ${CMAKE_SOURCE_DIR}, the platform to the cache
# variable SCENE_KERNELS_PLATFORM; for what is not given otherwise, the program's own defaults hold.
include_guard(GLOBAL)

set(SCENE_KERNELS_PLATFORM "a2a3sim" CACHE STRING "The platform that scenes are warmed for")
set_property(CACHE SCENE_KERNELS_PLATFORM PROPERTY STRINGS a2a3sim a5sim a2a3 a5)

function(scene_kernels_add name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SDK;PLATFORM;STORE;SOURCE_ROOT;SELECT;MANUAL;LAUNCHER;JOBS" "SCENES;SET")
  _scene_kernels_check_arguments()
  if(NOT arg_PLATFORM)
    set(arg_PLATFORM "${SCENE_KERNELS_PLATFORM}")
  endif()
  if(NOT arg_SOURCE_ROOT)
    set(arg_SOURCE_ROOT "${CMAKE_SOURCE_DIR}")
  endif()
  foreach(path IN ITEMS SDK STORE SOURCE_ROOT)
    if(arg_${path})
      cmake_path(ABSOLUTE_PATH arg_${path} BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    endif()
  endforeach()

  _scene_kernels_command(command)
  _scene_kernels_target("warm-${name}" "${arg_SELECT}" "Warming ${name} for ${arg_PLATFORM}")
  if(NOT TARGET warm-kernels)
    add_custom_target(warm-kernels)
    set_target_properties(warm-kernels PROPERTIES FOLDER scene-kernels)
  endif()
  add_dependencies(warm-kernels "warm-${name}")

  _scene_kernels_scene_names(scenes)
  foreach(scene IN LISTS scenes)
    if(TARGET "warm-${name}-${scene}")
      continue()  # two scenes of one name: the program refuses them with a better message
    endif()
    set(select "scene:${scene}")
    if(arg_SELECT)
      set(select "(${arg_SELECT}) and ${select}")
    endif()
    _scene_kernels_target("warm-${name}-${scene}" "${select}" "Warming ${scene} for ${arg_PLATFORM}")
  endforeach()
endfunction()

# A part of scene_kernels_add, which sees its variables: stops with a clear text unless the arguments make sense.
function(_scene_kernels_check_arguments)
  set(where "scene_kernels_add(${name})")
  if(NOT name MATCHES "^[A-Za-z0-9_][A-Za-z0-9_.-]*$")
    message(FATAL_ERROR "${where}: a name consists of letters, digits and _.- and starts with none of .-")
  endif()
  if(TARGET "warm-${name}" OR name STREQUAL "kernels")
    message(FATAL_ERROR "${where}: there is a target warm-${name} already; choose another name")
  endif()
  if(NOT TARGET SceneKernels::scene-kernels)
    message(FATAL_ERROR "${where}: the program is not there; call find_package(SceneKernels REQUIRED) first")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown argument \"${arg_UNPARSED_ARGUMENTS}\"; known keywords: SCENES SDK PLATFORM "
                        "STORE SOURCE_ROOT SELECT MANUAL LAUNCHER JOBS SET")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${where}: no value after ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_SCENES)
    message(FATAL_ERROR "${where}: SCENES is missing: give descriptors (*.scene.json) or folders that hold them")
  endif()
  foreach(scene IN LISTS arg_SCENES)
    cmake_path(ABSOLUTE_PATH scene BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE path)
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "${where}: SCENES names \"${scene}\", but there is no ${path} (a misspelt keyword?)")
    endif()
  endforeach()
  foreach(setting IN LISTS arg_SET)
    if(NOT setting MATCHES "^[A-Za-z_][A-Za-z0-9_]*=")
      message(FATAL_ERROR "${where}: SET takes NAME=VALUE, not \"${setting}\" (a misspelt keyword?)")
    endif()
  endforeach()
  if(DEFINED arg_JOBS AND NOT arg_JOBS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${where}: JOBS takes a number of at least 1, not \"${arg_JOBS}\"")
  endif()
  if(DEFINED arg_MANUAL AND NOT arg_MANUAL MATCHES "^(exclude|include|only)$")
    message(FATAL_ERROR "${where}: MANUAL takes exclude, include or only, not \"${arg_MANUAL}\"")
  endif()
  if(DEFINED arg_LAUNCHER AND NOT arg_LAUNCHER MATCHES "^(none|ccache)$")
    message(FATAL_ERROR "${where}: LAUNCHER takes none or ccache, not \"${arg_LAUNCHER}\"")
  endif()
endfunction()

# A part of scene_kernels_add: sets `result` to the command up to, but without, --select and the scenes.
function(_scene_kernels_command result)
  set(words "$<TARGET_FILE:SceneKernels::scene-kernels>" warm --platform "${arg_PLATFORM}"
      --source-root "${arg_SOURCE_ROOT}" --build-dir "${CMAKE_BINARY_DIR}" --graph-name "${name}")
  foreach(option IN ITEMS "SDK --sdk" "STORE --store" "MANUAL --manual" "LAUNCHER --launcher" "JOBS --jobs")
    string(REPLACE " " ";" option "${option}")
    list(GET option 0 keyword)
    list(GET option 1 flag)
    if(DEFINED arg_${keyword})
      list(APPEND words ${flag} "${arg_${keyword}}")
    endif()
  endforeach()
  foreach(setting IN LISTS arg_SET)
    string(REPLACE ";" "\\;" setting "${setting}")
    list(APPEND words --set "${setting}")
  endforeach()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# A part of scene_kernels_add: makes one target that warms what `select` matches.
function(_scene_kernels_target target select comment)
  set(selection "")
  if(NOT "${select}" STREQUAL "")
    set(selection --select "${select}")
  endif()
  set(paths "")
  foreach(scene IN LISTS arg_SCENES)
    cmake_path(ABSOLUTE_PATH scene BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    list(APPEND paths "${scene}")
  endforeach()
  add_custom_target("${target}"
    COMMAND ${command} ${selection} ${paths}
    WORKING_DIRECTORY "${arg_SOURCE_ROOT}"
    COMMENT "${comment}"
    USES_TERMINAL VERBATIM)
  set_target_properties("${target}" PROPERTIES FOLDER scene-kernels)
  if(TARGET scene-kernels)
    add_dependencies("${target}" scene-kernels)
  endif()
endfunction()

# A part of scene_kernels_add: sets `result` to the names of all scenes. CMake runs again when one is added, removed
# or edited.
function(_scene_kernels_scene_names result)
  set(names "")
  foreach(argument IN LISTS arg_SCENES)
    cmake_path(ABSOLUTE_PATH argument BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    set(found "${argument}")
    if(IS_DIRECTORY "${argument}")
      _scene_kernels_find("${argument}" found)
    endif()
    foreach(descriptor IN LISTS found)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${descriptor}")
      _scene_kernels_name("${descriptor}" scene)
      list(APPEND names "${scene}")
    endforeach()
  endforeach()
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# The descriptors below `folder`, found as the program finds them: not in hidden folders, folders named build, or
# folders that hold a CACHEDIR.TAG.
function(_scene_kernels_find folder result)
  # CMake 3.25 does not escape paths in the script that looks for new files: there, only a configuration finds them.
  set(watch CONFIGURE_DEPENDS)
  if(folder MATCHES "[\"\\$]")
    set(watch "")
  endif()
  file(GLOB_RECURSE candidates RELATIVE "${folder}" ${watch} "${folder}/*.scene.json")
  set(descriptors "")
  foreach(candidate IN LISTS candidates)
    if("/${candidate}" MATCHES "/\\.[^/]*/|/build/")
      continue()
    endif()
    set(tagged OFF)
    cmake_path(GET candidate PARENT_PATH parent)
    while(parent)
      if(EXISTS "${folder}/${parent}/CACHEDIR.TAG")
        set(tagged ON)
      endif()
      cmake_path(GET parent PARENT_PATH parent)
    endwhile()
    if(NOT tagged)
      list(APPEND descriptors "${folder}/${candidate}")
    endif()
  endforeach()
  set(${result} "${descriptors}" PARENT_SCOPE)
endfunction()

# The name that a descriptor gives its scene; the file's own where the descriptor cannot be read, because only the
# program explains what is wrong with it.
function(_scene_kernels_name descriptor result)
  cmake_path(GET descriptor FILENAME stem)
  string(REGEX REPLACE "\\.scene\\.json$" "" stem "${stem}")
  file(READ "${descriptor}" text)
  string(JSON scene ERROR_VARIABLE problem GET "${text}" name)
  if(problem OR NOT scene MATCHES "^[A-Za-z0-9_][A-Za-z0-9_.-]*$")
    message(STATUS "scene-kernels: ${descriptor} has no readable name; its target is named after the file")
    string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" scene "${stem}")
  endif()
  set(${result} "${scene}" PARENT_SCOPE)
endfunction()
