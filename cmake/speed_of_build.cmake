# What keeps the build short. A build from scratch took 115 s of processor time before this, and the kernels' shared steps
# (PTOG_SHARED in src/kernel/map.h).
#
# Functions and lines for backtraces and profiles, which is what a build with optimization is debugged with; a Debug build has
# variables, too. It is a fifth of the time of gcc.
if(NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  add_compile_options($<$<CONFIG:RelWithDebInfo>:-g1>)
endif()

# Code that runs once per command, message or picture, with the optimizations that pay for themselves: a third of the time.
set(seldom_folders api asm/printer auto diag draw explore inputs lint lower reduce repair report verify)
set(seldom_sources)
foreach(folder ${seldom_folders})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.c)
  list(APPEND seldom_sources ${sources})
endforeach()
set(optimize_less $<$<OR:$<CONFIG:RelWithDebInfo>,$<CONFIG:Release>>:-O1>)
set_property(SOURCE ${seldom_sources} APPEND PROPERTY COMPILE_OPTIONS ${optimize_less})
