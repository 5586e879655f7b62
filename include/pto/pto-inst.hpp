/* pto: everything a kernel includes. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_PTO_INST_HPP
#define PTO_PTO_INST_HPP

#include <pto/ptog/constants.hpp>
#include <pto/common/pto_instr.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/common/type.hpp>

/* The simulator's own headers also give its sources the host side, and much of the standard library: sources rely on it. */
#ifdef __CPU_SIM
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <limits>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <acl/acl.h>
#include <pto/cpu/tile_offsets.hpp>
#include <pto/ptog/npu_memory_model.hpp>
#include <pto/ptog/print_instr.hpp>
#endif

#endif
