/* pto: MGATHER as the earlier custom A5 header declares it. Included before the others, with no target named, it
 * chooses a5-custom. */
#ifndef PTO_NPU_A5_CUSTOM_MGATHER_HPP
#define PTO_NPU_A5_CUSTOM_MGATHER_HPP

#ifndef PTOG_INCLUDED_TARGET
#define PTOG_INCLUDED_TARGET "a5-custom"
#endif
#define PTOG_INCLUDED_CUSTOM

#include <pto/pto-inst.hpp>

#endif
