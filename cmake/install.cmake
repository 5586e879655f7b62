# What `make install` puts where. Nothing installed knows its prefix: the tree can be moved as a whole.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ptogather)
file(RELATIVE_PATH prefix_from_pc /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file(cmake/ptogather.pc.in ptogather.pc @ONLY)
write_basic_package_version_file(ptogatherConfigVersion.cmake COMPATIBILITY SameMajorVersion)

install(TARGETS ptog ptog-cxx RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ptog_shared ptog_static EXPORT ptogather
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT ptogather FILE ptogatherTargets.cmake NAMESPACE ptogather:: DESTINATION ${package_dir})
install(FILES cmake/ptogatherConfig.cmake ${PROJECT_BINARY_DIR}/ptogatherConfigVersion.cmake DESTINATION ${package_dir})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.def")
install(FILES ${PROJECT_BINARY_DIR}/ptogather.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES docs/man/ptog.1 docs/man/ptog-cxx.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
