# A part of `make deb`, run by CPack in the staged files: what Debian expects of a package beside them, the copyright, a changelog in
# its form, and compressed manual pages.
set(doc "${CPACK_TEMPORARY_DIRECTORY}/usr/share/doc/${CPACK_PACKAGE_NAME}")
file(RENAME "${doc}/LICENSE" "${doc}/copyright")
file(CREATE_LINK copyright "${doc}/LICENSE" SYMBOLIC) # where our documents name it

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${doc}/changelog" "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md lists the changes.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")

file(GLOB pages "${CPACK_TEMPORARY_DIRECTORY}/usr/share/man/man1/*.1")
execute_process(COMMAND gzip -9n "${doc}/changelog" ${pages} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "make deb: gzip failed: ${failed}")
endif()
