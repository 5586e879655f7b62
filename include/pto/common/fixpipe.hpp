/* pto: a name by which sources include FixpipeParams. */
#include <pto/pto-inst.hpp>
