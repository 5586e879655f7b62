/* pto: everything a kernel includes. */
#ifndef PTO_PTO_INST_HPP
#define PTO_PTO_INST_HPP

#include <pto/common/constants.hpp>
#include <pto/common/pto_instr.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/common/type.hpp>

#endif
