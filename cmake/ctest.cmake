# The tests as CTest sees them: every case of a unit test program is one with the label `unit`, such as program_gather.test_mgather_row
# of tests/unit/test_program_gather.c, and every stage of tests/stages.txt that needs a build like this one is one with the labels
# `stage`, its tier (check, test, all) and the folder of its script (pto, cli, ...). In the build folder, `ctest -L unit -R mgather` runs
# the unit tests of mgather, and `ctest -L pto` the stages of tests/pto.
enable_testing()
set(no_limit 1000000) # seconds: CTest's own limit is one that a busy machine reaches

foreach(source ${unit_sources})
  get_filename_component(program ${source} NAME_WE)
  string(REGEX REPLACE "^test_" "" topic ${program})
  file(READ ${source} text)
  string(REGEX MATCHALL "cmocka_unit_test[a-z_]*\\([a-z_0-9]+" cases "${text}")
  foreach(case ${cases})
    string(REGEX REPLACE "^.*\\(" "" case ${case})
    add_test(NAME ${topic}.${case} COMMAND ${program})
    set_tests_properties(${topic}.${case} PROPERTIES LABELS unit TIMEOUT ${no_limit}
      FAIL_REGULAR_EXPRESSION "Running 0 test") # which cmocka counts as a success
    if(NOT case MATCHES "^every_.*_was_reached$") # by the other cases: the whole program runs
      set_tests_properties(${topic}.${case} PROPERTIES ENVIRONMENT PTOG_UNIT_CASE=${case})
    endif()
  endforeach()
endforeach()

if(PTOG_SANITIZE)
  set(build_like asan)
elseif(PTOG_SANITIZE_THREADS)
  set(build_like tsan)
elseif(PTOG_THREADS)
  set(build_like gcc)
else()
  set(build_like alone)
endif()

find_package(Python3 COMPONENTS Interpreter)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/stages.txt)
file(STRINGS tests/stages.txt stages REGEX "^[a-z]+ +\\| ${build_like} ")
foreach(stage ${stages})
  string(REGEX MATCH "^([a-z]+) +\\| [a-z]+ +\\| (.*[^ ]) +\\| (.*)$" row "${stage}")
  set(tier ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(command ${CMAKE_MATCH_3})
  if(NOT Python3_FOUND OR command MATCHES "^@(unit|threads)") # these are there already, one by one
    continue()
  endif()
  string(REGEX REPLACE "^.*(tests/|@)([a-z]+).*$" "\\2" folder "${command}")
  string(REGEX REPLACE "[^A-Za-z0-9]+" "-" test_name "${name}") # all that CMake 3.18 takes
  add_test(NAME ${test_name} COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/run.py --build ${PROJECT_BINARY_DIR} --stage ${name})
  set_tests_properties(${test_name} PROPERTIES LABELS "stage;${tier};${folder}" TIMEOUT ${no_limit})
endforeach()
