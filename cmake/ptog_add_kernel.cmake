# ptog_add_kernel(NAME SOURCES file... [TARGET target] [LIBRARIES library...] [ARGS word...])
#
# A program from C++ sources with kernels: launches, kernel<<<...>>>(...), are rewritten by ptog-cxx, and the project's own compiler and
# flags do the rest. TARGET is the target of the kernels, host without one. The program is a test of the same name for ctest, which
# runs it with ARGS and fails when it does, also because of what the checks found: errors make the exit status 1.
function(ptog_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 kernel "" "TARGET" "SOURCES;LIBRARIES;ARGS")
  if(NOT kernel_SOURCES OR kernel_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ptog_add_kernel(${name}): expected SOURCES file... [TARGET target] [LIBRARIES library...] [ARGS word...]")
  endif()
  add_executable(${name} ${kernel_SOURCES})
  target_link_libraries(${name} PRIVATE ptog::pto ${kernel_LIBRARIES})
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "${PTOG_CXX_COMMAND};--ptog-launch")
  if(TARGET ptog-cxx)
    add_dependencies(${name} ptog-cxx)
  endif()
  if(kernel_TARGET)
    target_compile_definitions(${name} PRIVATE PTOG_TARGET=${kernel_TARGET})
  endif()
  add_test(NAME ${name} COMMAND ${name} ${kernel_ARGS})
endfunction()
