/* pto: the same as pto/pto-inst.hpp, under a name by which sources include it. */
#include <pto/pto-inst.hpp>
