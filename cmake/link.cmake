# How the shared library and the command are linked, where the linker can: without data that only tests look at, and with the
# addresses in tables packed. The loader filled in 9,566 of them before main started, in 341,000 cycles, and packed in 78,000:
# a tenth of a millisecond less for a command that takes one (bench/ab.py, "ptog check, refused").
include(CheckCSourceCompiles)
include(CheckLinkerFlag)

set(link_options)
check_linker_flag(C -Wl,--gc-sections has_gc_sections)
if(has_gc_sections)
  list(APPEND link_options -Wl,--gc-sections)
endif()

# Older C libraries would not fill them in.
check_c_source_compiles("#include <features.h>
#if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 36)
#error no DT_RELR
#endif
int main(void) { return 0; }" has_relr_loader)
check_linker_flag(C -Wl,-z,pack-relative-relocs has_packed_relocations)
if(has_relr_loader AND has_packed_relocations)
  list(APPEND link_options -Wl,-z,pack-relative-relocs)
endif()
