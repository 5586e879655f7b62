# Writes a page for every rule and fault, PAGES/ID.md, and PAGES/index.md with links to all of them: what PTOG, the command, prints.
file(REMOVE_RECURSE "${PAGES}")
file(MAKE_DIRECTORY "${PAGES}")

function(write_page file)
  execute_process(COMMAND "${PTOG}" explain --markdown ${ARGN} OUTPUT_FILE "${PAGES}/${file}" RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "ptog explain --markdown ${ARGN}: ${failed}")
  endif()
endfunction()

write_page(list.tmp)
file(READ "${PAGES}/list.tmp" list)
string(REGEX MATCHALL "\\([a-z0-9-]+\\.md\\): " ids "${list}")
list(TRANSFORM ids REPLACE "[(](.*)[.]md[)]: " "\\1")
list(REMOVE_DUPLICATES ids)
foreach(id IN LISTS ids)
  write_page(${id}.md ${id})
endforeach()
file(RENAME "${PAGES}/list.tmp" "${PAGES}/index.md") # last: it says that all are there
