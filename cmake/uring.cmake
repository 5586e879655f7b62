# io_uring for rows of large tables: liburing's header when this is built, its library when the command first wants it.
# Versions before 2.3 need the library for more than is loaded.
if(PTOG_URING AND CMAKE_SYSTEM_NAME STREQUAL Linux)
  check_c_source_compiles("#define _GNU_SOURCE
#include <liburing.h>
int main(void)
{
    struct io_uring ring = {.flags = IORING_SETUP_COOP_TASKRUN};
    struct io_uring_sqe *entry = io_uring_get_sqe(&ring);
    struct io_uring_cqe *ended;
    unsigned place;
    io_uring_prep_read(entry, 0, &ring, 1, 0);
    io_uring_sqe_set_data(entry, &ring);
    io_uring_for_each_cqe(&ring, place, ended) return io_uring_cqe_get_data(ended) == &ring;
    return ring.features & IORING_FEAT_RW_CUR_POS;
}" has_liburing)
  if(has_liburing)
    target_compile_definitions(tool_io PRIVATE PTOG_URING)
  endif()
endif()
