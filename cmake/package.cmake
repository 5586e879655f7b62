# `make deb`: a Debian package of everything that is installed, by CPack.
set(CPACK_PACKAGE_NAME ptogather)
set(PTOG_PACKAGE_CONTACT "The ptogather authors <maintainers@ptogather.invalid>" CACHE STRING "who maintains the package of make deb")
set(CPACK_PACKAGE_CONTACT "${PTOG_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "run, check and speed up PTO gather kernels without an NPU")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "A library, a command and C++ headers for the gather instructions of the PTO
tile instruction set: programs and kernels are checked for each target, run
on a simulated machine that proves races, and gathers run fast on the CPU.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers) # refreshes the linker's cache
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/stage.cmake)         # since CMake 3.19
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
