/* pto: TQUANT as the header of A2A3 declares it. Included before the others, with no target named, it
 * chooses a2a3. */
#ifndef PTO_NPU_A2A3_TQUANT_HPP
#define PTO_NPU_A2A3_TQUANT_HPP

#ifndef PTOG_INCLUDED_TARGET
#define PTOG_INCLUDED_TARGET "a2a3"
#endif

#include <pto/pto-inst.hpp>

#endif
