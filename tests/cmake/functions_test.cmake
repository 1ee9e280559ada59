# Configures small projects that call scene_kernels_add with /bin/echo as program, and checks what is refused and what
# would be run. MODULE: the module under test. WORK: a folder to work in.
cmake_minimum_required(VERSION 3.25)
# Writes a project that makes `calls` and configures it; sets `status` and `output`.
function(configure folder calls)
  file(REMOVE_RECURSE "${folder}")
  foreach(name IN ITEMS one two)
    file(WRITE "${folder}/scenes/${name}.scene.json"
         "// a comment\n{\"schema\": 1, /* another */ \"name\": \"scene_${name}\"}\n")
  endforeach()
  file(WRITE "${folder}/scenes/build/old.scene.json" "{\"name\": \"not_entered\"}")
  file(WRITE "${folder}/scenes/.hidden/old.scene.json" "{\"name\": \"not_entered\"}")
  file(WRITE "${folder}/scenes/store/CACHEDIR.TAG" "")
  file(WRITE "${folder}/scenes/store/deep/old.scene.json" "{\"name\": \"not_entered\"}")
  file(WRITE "${folder}/broken/bad.scene.json" "{\"name\": ")
  file(WRITE "${folder}/CMakeLists.txt" "
    cmake_minimum_required(VERSION 3.25)
    project(calls NONE)
    include([==[${MODULE}]==])
    add_executable(SceneKernels::scene-kernels IMPORTED)
    set_target_properties(SceneKernels::scene-kernels PROPERTIES IMPORTED_LOCATION /bin/echo)
    ${calls}
  ")
  execute_process(COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${folder}" -B "${folder}/out" ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(status "${result}" PARENT_SCOPE)
  set(output "${text}" PARENT_SCOPE)
endfunction()

function(fail what)
  message(SEND_ERROR "${what}")
endfunction()

function(expect_error calls message)
  configure("${WORK}/errors" "${calls}")
  if(status EQUAL 0)
    fail("was accepted: ${calls}")
  endif()
  string(FIND "${output}" "${message}" place)
  if(place EQUAL -1)
    fail("${calls}\n  should say: ${message}\n  said: ${output}")
  endif()
endfunction()

# Builds `target` of the project in `folder`; its output must have the text `wanted`.
function(expect_command folder target wanted)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${folder}/out" --target "${target}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(FIND "${text}" "${wanted}" place)
  if(NOT result EQUAL 0 OR place EQUAL -1)
    fail("building ${target} in ${folder}\n  should print: ${wanted}\n  printed: ${text}")
  endif()
endfunction()

expect_error("scene_kernels_add(a)" "SCENES is missing")
expect_error("scene_kernels_add(a SCENES)" "no value after SCENES")
expect_error("scene_kernels_add(a SCENES absent)" "SCENES names \"absent\", but there is no")
expect_error("scene_kernels_add(a SCENES scenes PLATFROM a5)" "SCENES names \"PLATFROM\"")
expect_error("scene_kernels_add(a SCENE scenes)" "unknown argument \"SCENE;scenes\"; known keywords: SCENES SDK")
expect_error("scene_kernels_add(a b SCENES scenes)" "unknown argument \"b\"")
expect_error("scene_kernels_add(\"a b\" SCENES scenes)" "a name consists of letters")
expect_error("scene_kernels_add(../a SCENES scenes)" "a name consists of letters")
expect_error("scene_kernels_add(.. SCENES scenes)" "a name consists of letters")
expect_error("scene_kernels_add(\"\" SCENES scenes)" "a name consists of letters")
expect_error("scene_kernels_add(kernels SCENES scenes)" "there is a target warm-kernels already")
expect_error("scene_kernels_add(a SCENES scenes)\nscene_kernels_add(a SCENES scenes)" "a target warm-a already")
expect_error("scene_kernels_add(a SCENES scenes JOBS 0)" "JOBS takes a number of at least 1, not \"0\"")
expect_error("scene_kernels_add(a SCENES scenes JOBS -1)" "JOBS takes a number")
expect_error("scene_kernels_add(a SCENES scenes JOBS)" "no value after JOBS")
expect_error("scene_kernels_add(a SCENES scenes MANUAL yes)" "MANUAL takes exclude, include or only")
expect_error("scene_kernels_add(a SCENES scenes LAUNCHER sccache)" "LAUNCHER takes none or ccache")
expect_error("scene_kernels_add(a SCENES scenes SET X)" "SET takes NAME=VALUE, not \"X\"")

# CMake itself refuses "#" in the path of a build directory, so that one is left out.
set(odd "${WORK}/odd 'names' \"and\" $ : & ü")
configure("${odd}" "
  scene_kernels_add(all SCENES scenes)
  scene_kernels_add(some SCENES scenes/one.scene.json broken SDK my.sdk.json PLATFORM a5sim STORE st SELECT [[a or \"b c\"]]
                    MANUAL include LAUNCHER none JOBS 3 SET [[A=x;y z]] [[B=\$HOME 'q']])
  file(GENERATE OUTPUT file.txt CONTENT [[$<TARGET_EXISTS:warm-all-not_entered>]])
")
if(NOT status EQUAL 0)
  fail("a project in \"${odd}\" was refused: ${output}")
endif()
file(READ "${odd}/out/file.txt" entered)
if(NOT entered STREQUAL 0)
  fail("a scene of a folder that must not be entered got a target")
endif()
set(common "--source-root ${odd} --build-dir ${odd}/out --graph-name")
expect_command("${odd}" warm-all "warm --platform a2a3sim ${common} all ${odd}/scenes\n")
expect_command("${odd}" warm-all-scene_two
               "warm --platform a2a3sim ${common} all --select scene:scene_two ${odd}/scenes\n")
set(options "--sdk ${odd}/my.sdk.json --store ${odd}/st --manual include --launcher none --jobs 3")
set(settings "--set A=x;y z --set B=$HOME 'q'")
set(paths "${odd}/scenes/one.scene.json ${odd}/broken")
expect_command("${odd}" warm-some
               "warm --platform a5sim ${common} some ${options} ${settings} --select a or \"b c\" ${paths}\n")
expect_command("${odd}" warm-some-bad
               "${settings} --select (a or \"b c\") and scene:bad ${paths}\n")
expect_command("${odd}" warm-kernels "--graph-name all")
expect_command("${odd}" warm-kernels "--graph-name some")

configure("${WORK}/plain path" "scene_kernels_add(all SCENES scenes)" -D SCENE_KERNELS_PLATFORM=a5)
expect_command("${WORK}/plain path" warm-all "--platform a5 ")

# A new descriptor gets a target without CMake being told; so does a renamed scene.
file(WRITE "${WORK}/plain path/scenes/three.scene.json" "{\"name\": \"scene_three\"}")
expect_command("${WORK}/plain path" warm-all "Re-running CMake")
expect_command("${WORK}/plain path" warm-all-scene_three "--select scene:scene_three")
file(WRITE "${WORK}/plain path/scenes/three.scene.json" "{\"name\": \"scene_renamed\"}")
expect_command("${WORK}/plain path" warm-all "Re-running CMake")
expect_command("${WORK}/plain path" warm-all-scene_renamed "--select scene:scene_renamed")
