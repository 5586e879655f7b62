/* kernel: the maps with AVX2. Compiled with -mavx2 (CMakeLists.txt); empty where the compiler has no such thing. */
#if defined(__AVX2__)
#define TABLE ptog_maps_avx2
#define VECTOR 32
#include "kernel/maps_stamp.h"
#else
#include "kernel/maps.h"
const struct ptog_map ptog_maps_avx2[] = {{NULL, PTOG_DTYPE_NONE, NULL}};
#endif
