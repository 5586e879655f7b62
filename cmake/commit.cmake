# Writes a header with the commit that is built, "51abf43" or "51abf43-dirty"; empty when this is no git clone of its own.
# usage: cmake -DSOURCE=DIR -DOUTPUT=FILE -P commit.cmake     The file is touched only when its text changes.
cmake_minimum_required(VERSION 3.18)
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --exclude=* OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define PTOG_COMMIT \"@commit@\"\n" @ONLY)
