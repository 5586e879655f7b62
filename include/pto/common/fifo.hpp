/* pto: a name by which sources include TPipe. */
#include <pto/pto-inst.hpp>
