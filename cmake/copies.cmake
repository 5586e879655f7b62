# For structs of some hundred bytes, gcc's tuning for every x86 clears and copies with `rep stos` and `rep movs`, which take longer
# to start than memset and memcpy take in all. With calls, checking a small program takes 10 % less time (bench/ab.py, "program
# check"). Other compilers and processors do not have the options.
include(CheckCCompilerFlag)

foreach(what memset memcpy)
  set(calls -m${what}-strategy=libcall:-1:noalign)
  check_c_compiler_flag(${calls} has_${what}_strategy)
  if(has_${what}_strategy)
    add_compile_options($<$<COMPILE_LANGUAGE:C>:${calls}>)
  endif()
endforeach()
