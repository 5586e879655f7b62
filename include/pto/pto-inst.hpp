/* pto: everything a kernel includes. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_PTO_INST_HPP
#define PTO_PTO_INST_HPP

#include <pto/common/constants.hpp>
#include <pto/common/pto_instr.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/common/type.hpp>

/* The simulator's own headers also give its sources the host side. */
#ifdef __CPU_SIM
#include <acl/acl.h>
#include <pto/ptog/npu_memory_model.hpp>
#endif

#endif
