/* ptogather: run, check and speed up PTO gather kernels without an NPU. This header includes the whole public API of
 * libptog. libptog_mpi has a header of its own, ptog/mpi.h.
 *
 * There are five ways in, from the smallest to the largest:
 *
 *   ptog/verify.h   is an instruction legal on a target?          describe it, check it
 *   ptog/plan.h     one gather or elementwise instruction, fast   describe it, plan it once, run it often
 *   ptog/bag.h      embedding bags: sums, means and maxima of rows, fast
 *   ptog/core.h     a kernel on a simulated device                open a device and a core, one call per instruction
 *   ptog/fifo.h     FIFOs between the cores of a device           open both ends, push and pop tiles
 *   ptog/program.h  a program of text                             parse, check, run, repair, print
 *
 * What holds everywhere:
 *   - Structs describe, handles hold state. Zero is the default of every field that has one, so start with `= {0}` or
 * name the fields. `reserved` words are zero; others are refused.
 *   - A call that can fail returns enum ptog_status. PTOG_BAD_ARGUMENT is the caller's mistake; NULL where a pointer is
 *     needed is one, in calls without a status nothing is done then. Where a call has a list of diagnostics, an entry
 *     `bad-argument` in it says which argument it was.
 *   - What a call creates is freed with its ..._free or ..._close, which take NULL.
 *   - A table is read with ..._at(i) for i from 0 on, until it returns NULL, or false where it fills a struct.
 *   - The library prints nothing, never exits, has no state of its own, and reads the environment for PTOG_ISA and
 *     PTOG_TUNE alone. It opens no file but the one that PTOG_TUNE names.
 *   - Different handles may be used by different threads at once; one handle by one thread at a time, but for plans and
 *     pools, which threads share. */
#ifndef PTOG_PTOG_H
#define PTOG_PTOG_H

#include <ptog/version.h>

#include <ptog/status.h>

#include <ptog/dtype.h>
#include <ptog/tensor.h>
#include <ptog/tile.h>

#include <ptog/insn.h>
#include <ptog/target.h>

#include <ptog/pipe.h>

#include <ptog/diag.h>
#include <ptog/rule.h>
#include <ptog/verify.h>

#include <ptog/bag.h>
#include <ptog/memory.h>
#include <ptog/plan.h>
#include <ptog/pool.h>
#include <ptog/report.h>

#include <ptog/core.h>
#include <ptog/fifo.h>
#include <ptog/program.h>
#include <ptog/prove.h>
#include <ptog/reduce.h>

#include <ptog/drawing.h>
#include <ptog/inputs.h>
#include <ptog/language.h>

#endif
