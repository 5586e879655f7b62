# Warnings for src/ and tool/ beyond those that everything is compiled with: ptog_warn_more(TARGET...).
set(more_warnings -Wshadow -Wconversion -Wcast-qual -Wstrict-prototypes -Wmissing-prototypes)

function(ptog_warn_more)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${more_warnings})
  endforeach()
endfunction()
