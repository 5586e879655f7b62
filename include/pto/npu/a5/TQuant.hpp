/* pto: TQUANT as the header of A5 declares it. Included before the others, with no target named, it
 * chooses a5. */
#ifndef PTO_NPU_A5_TQUANT_HPP
#define PTO_NPU_A5_TQUANT_HPP

#ifndef PTOG_INCLUDED_TARGET
#define PTOG_INCLUDED_TARGET "a5"
#endif

#include <pto/pto-inst.hpp>

#endif
