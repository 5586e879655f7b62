# find_package(ptogather): ptogather::ptog and ptogather::ptog_static for the C library, ptog::pto for C++ kernels,
# ptog_add_kernel for programs with launches.
include(${CMAKE_CURRENT_LIST_DIR}/ptogatherTargets.cmake)

if(NOT TARGET ptog::pto)
  add_library(ptog::pto INTERFACE IMPORTED)
  target_link_libraries(ptog::pto INTERFACE ptogather::ptog)
  target_compile_features(ptog::pto INTERFACE cxx_std_17)
endif()

find_program(PTOG_CXX_COMMAND ptog-cxx HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin ${CMAKE_CURRENT_LIST_DIR}/../../../../bin)
mark_as_advanced(PTOG_CXX_COMMAND)
include(${CMAKE_CURRENT_LIST_DIR}/ptog_add_kernel.cmake)
