/* pto: stops a compilation that has read the headers of another PTO library: the two have the same names. Every header
 * that kernels include reads this one, of which no other library has the name; it has no guard, because it is asked
 * again later. */
#if defined(PTO_INST_HPP) || defined(PTO_INSTR_HPP) || defined(PTO_TILE_HPP) || defined(_PTO_INCLUDE_NPU_TYPE_H_)
#error "another library's pto headers come before ptogather's: put our include directory first, or use ptog-cxx"
#include <pto/ptog/there_are_two_libraries> /* not there: what would follow is said of a mixture */
#endif
