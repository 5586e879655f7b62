/* ptogather: run, check and speed up PTO gather kernels without an NPU. This header includes the whole public API. */
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

#include <ptog/plan.h>
#include <ptog/pool.h>
#include <ptog/report.h>

#include <ptog/core.h>
#include <ptog/program.h>

#include <ptog/drawing.h>

#endif
