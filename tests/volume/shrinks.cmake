# The test of the test: with an oracle that does not notice when a shadowing header goes, the run must fail, and be
# shortened to the few changes that it takes: one that adds the header, at most one that lets a kernel see it, and one
# that removes it.
execute_process(COMMAND "${VOLUME}" --changes 100 --seed 1 --lie remove_shadow
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 1)
  message(FATAL_ERROR "exit status ${status} instead of 1:\n${output}")
endif()
if(NOT output MATCHES "minimal sequence of [23] changes[^\n]*\n  (add|copy)_shadow [^\n]*\n(  [^\n]*\n)?  remove_shadow [^\n]*\nleads to: ")
  message(FATAL_ERROR "the sequence was not shortened to the changes that it takes:\n${output}")
endif()
