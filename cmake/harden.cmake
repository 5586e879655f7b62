# What makes a hole harder to use, where compiler and linker have it: a canary in frames with arrays, string functions that know
# the size of what they write to, and tables of the linker that are read-only before main starts.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)

check_c_compiler_flag(-fstack-protector-strong has_stack_protector)
if(has_stack_protector)
  add_compile_options(-fstack-protector-strong)
endif()

# Checked functions need an optimizing build, are the sanitizers' business in theirs, and may be set by the distribution already.
if(NOT CMAKE_BUILD_TYPE STREQUAL Debug AND NOT PTOG_SANITIZE AND NOT PTOG_SANITIZE_THREADS AND NOT PTOG_FUZZ
   AND NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

check_linker_flag(C -Wl,-z,relro,-z,now has_full_relro)
if(has_full_relro)
  add_link_options(-Wl,-z,relro,-z,now)
endif()

# The machine reads descriptions that were verified, and no bytes of others: there only frames with strings get a canary. One in
# every frame with an operand list made a small transfer 8 % slower (bench/ab.py, "machine load 1x8").
if(has_stack_protector)
  file(GLOB_RECURSE machine_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/core/*.c ${PROJECT_SOURCE_DIR}/src/model/*.c ${PROJECT_SOURCE_DIR}/src/sim/*.c
    ${PROJECT_SOURCE_DIR}/src/sanitize/*.c ${PROJECT_SOURCE_DIR}/src/verify/*.c)
  set_source_files_properties(${machine_sources} PROPERTIES COMPILE_OPTIONS -fstack-protector)
endif()
