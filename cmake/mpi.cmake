# libptog_mpi: compiled and linked as mpicc says.
set(MPI_C_COMPILER ${PTOG_MPICC})
find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND)
  file(GLOB mpi_sources CONFIGURE_DEPENDS src/mpi/*.c)
  add_library(ptog_mpi SHARED ${mpi_sources})
  set_target_properties(ptog_mpi PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PTOG_SOVERSION}
    INSTALL_RPATH "$ORIGIN")
  target_include_directories(ptog_mpi PRIVATE src)
  target_compile_definitions(ptog_mpi PRIVATE PTOG_WITHOUT_OPCODES)
  ptog_warn_more(ptog_mpi)
  target_link_libraries(ptog_mpi PUBLIC ptog_shared MPI::MPI_C)
endif()
