# Warnings for src/ and tool/ beyond those that everything is compiled with: ptog_warn_more(TARGET...).
set(more_warnings -Wshadow -Wconversion -Wcast-qual -Wstrict-prototypes -Wmissing-prototypes)

function(ptog_warn_more)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${more_warnings})
  endforeach()
endfunction()

# The evaluator, until it is taken apart: src/lower and src/interp have all of them.
file(GLOB evaluator_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/program/eval*.c)
foreach(name bind infer insn_parts machine operands run scope)
  list(APPEND evaluator_sources ${PROJECT_SOURCE_DIR}/src/program/${name}.c)
endforeach()
set_source_files_properties(${evaluator_sources} PROPERTIES COMPILE_OPTIONS "-Wno-conversion;-Wno-sign-conversion;-Wno-cast-qual;-Wno-shadow")
