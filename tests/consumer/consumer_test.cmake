# Installs the build PROJECT_BUILD, moves the installation, and lets a copy of the project CONSUMER use it, in WORK.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

function(expect_match text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern} in:\n${text}")
  endif()
endfunction()

function(expect_artifacts folder count)
  file(GLOB_RECURSE refs "${folder}/scene-kernels/own/refs/callable/*")
  list(LENGTH refs found)
  if(NOT found EQUAL count)
    message(FATAL_ERROR "expected ${count} callables in ${folder}, found ${found}: ${refs}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(COPY "${CONSUMER}/" DESTINATION "${WORK}/a consumer")
run("${CMAKE_COMMAND}" --install "${PROJECT_BUILD}" --prefix "${WORK}/first prefix")
# An installed package may be moved: nothing in it knows where it was put.
file(RENAME "${WORK}/first prefix" "${WORK}/prefix")

set(out "${WORK}/a consumer/build/out")
run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/a consumer" -B "${out}" -D "CMAKE_PREFIX_PATH=${WORK}/prefix")
run("${CMAKE_COMMAND}" --build "${out}" --target help)
expect_match("${output}" "warm-own-twice")
run("${CMAKE_COMMAND}" --build "${out}" --target warm-kernels)
expect_artifacts("${out}" 1)
run("${CMAKE_COMMAND}" --build "${out}" --target warm-own-twice)
expect_artifacts("${out}" 1)

# A store is taken along to another build directory and another platform is kept apart.
run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/a consumer" -B "${out}5" -D "CMAKE_PREFIX_PATH=${WORK}/prefix"
    -D SCENE_KERNELS_PLATFORM=a5sim)
run("${CMAKE_COMMAND}" --build "${out}5" --target warm-kernels)
expect_artifacts("${out}5" 1)

# A kernel that does not compile fails the build.
file(APPEND "${WORK}/a consumer/scenes/twice/aiv/twice.cpp" "\n#error not today\n")
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${out}" --target warm-kernels
                RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(result EQUAL 0)
  message(FATAL_ERROR "a broken kernel went unnoticed:\n${text}")
endif()
expect_match("${text}" "not today")
