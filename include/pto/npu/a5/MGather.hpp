/* pto: MGATHER as the A5 header declares it. Included before the others, with no target named, it
 * chooses a5. */
#ifndef PTO_NPU_A5_MGATHER_HPP
#define PTO_NPU_A5_MGATHER_HPP

#ifndef PTOG_INCLUDED_TARGET
#define PTOG_INCLUDED_TARGET "a5"
#endif

#include <pto/pto-inst.hpp>

#endif
