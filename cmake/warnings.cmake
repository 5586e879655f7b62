# Warnings for src/ and tool/ beyond those that everything is compiled with: ptog_warn_more(TARGET...).
set(more_warnings -Wshadow -Wconversion -Wcast-qual -Wstrict-prototypes -Wmissing-prototypes)

function(ptog_warn_more)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${more_warnings})
  endforeach()
endfunction()

# The walk over operations, until it has no run in it any more.
file(GLOB evaluator_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/lower/ops/*.c ${PROJECT_SOURCE_DIR}/src/lower/insn/*.c)
foreach(name lower/bind lower/eval lower/scope interp/machine interp/run)
  list(APPEND evaluator_sources ${PROJECT_SOURCE_DIR}/src/${name}.c)
endforeach()
set_property(SOURCE ${evaluator_sources} APPEND PROPERTY COMPILE_OPTIONS "-Wno-conversion;-Wno-sign-conversion;-Wno-cast-qual;-Wno-shadow")
