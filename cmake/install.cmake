# What `make install` puts where. Nothing installed knows its prefix: the tree can be moved as a whole.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ptogather)
file(RELATIVE_PATH prefix_from_pc /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file(cmake/ptogather.pc.in ptogather.pc @ONLY)
write_basic_package_version_file(ptogatherConfigVersion.cmake COMPATIBILITY ${PTOG_COMPATIBILITY})

install(TARGETS ptog ptog-cxx RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ptog_shared ptog_static EXPORT ptogather
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT ptogather FILE ptogatherTargets.cmake NAMESPACE ptogather:: DESTINATION ${package_dir})
install(FILES cmake/ptogatherConfig.cmake cmake/ptog_add_kernel.cmake ${PROJECT_BINARY_DIR}/ptogatherConfigVersion.cmake DESTINATION ${package_dir})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.def" PATTERN "mpi*.h" EXCLUDE)
if(TARGET ptog_mpi)
  install(TARGETS ptog_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES include/ptog/mpi.h include/ptog/mpi_table.h include/ptog/mpi_world.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ptog)
endif()
install(FILES ${PROJECT_BINARY_DIR}/ptogather.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES docs/man/ptog.1 docs/man/ptog-cxx.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# For people: documents, examples, the licence; in the same places as here, so that links between them lead somewhere.
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE PATTERN site EXCLUDE
  PATTERN __pycache__ EXCLUDE)

# Pages of the rules, and completions of shells: what the command itself prints. Where it cannot be run, it is built for another machine.
if(NOT CMAKE_CROSSCOMPILING)
  set(rule_pages ${PROJECT_BINARY_DIR}/docs/reference/rules)
  add_custom_command(OUTPUT ${rule_pages}/index.md DEPENDS ptog cmake/rule_pages.cmake
    COMMAND ${CMAKE_COMMAND} -DPTOG=$<TARGET_FILE:ptog> -DPAGES=${rule_pages} -P ${PROJECT_SOURCE_DIR}/cmake/rule_pages.cmake)
  add_custom_target(ptog_rule_pages ALL DEPENDS ${rule_pages}/index.md)
  install(DIRECTORY ${rule_pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs/reference)

  set(completions ${PROJECT_BINARY_DIR}/completions)
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${completions}/ptog.${shell} DEPENDS ptog
      COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
      COMMAND ptog completion ${shell} >${completions}/ptog.${shell})
    list(APPEND completion_files ${completions}/ptog.${shell})
  endforeach()
  add_custom_target(ptog_completions ALL DEPENDS ${completion_files})
  install(FILES ${completions}/ptog.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ptog)
  install(CODE "set(zsh_dir zsh/site-functions)
    if(CMAKE_INSTALL_PREFIX MATCHES \"(^|/)usr$\" AND EXISTS /etc/debian_version)
      set(zsh_dir zsh/vendor-completions) # where Debian's zsh looks for what packages bring
    endif()
    file(INSTALL \"${completions}/ptog.zsh\"
      DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/\${zsh_dir}\" RENAME _ptog)")
  install(FILES ${completions}/ptog.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

configure_file(cmake/ldconfig.cmake.in ldconfig.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/ldconfig.cmake)

if(is_top)
  include(cmake/package.cmake)
endif()
