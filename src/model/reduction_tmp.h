/* model: what the libraries of the targets do around a reduction: the tmp that they use, and bytes of dst that they
 * fill as well. Rows of spec/reductions.def. */
#ifndef PTOG_MODEL_REDUCTION_TMP_H
#define PTOG_MODEL_REDUCTION_TMP_H

#include "model/insn.h"

/* The part of tmp that a library writes over: so many columns of each of so many rows. A single row goes on from row to
 * row of tmp. */
struct ptog_reduction_tmp {
    int64_t rows, cols;
};

/* False when the library does not look at tmp: then it may be left out, and its contents stay. The instruction is
 * resolved; `open`: an extent of it was left to the run. */
bool ptog_reduction_tmp(const struct ptog_target *target, const struct ptog_insn *insn, bool open,
                        struct ptog_reduction_tmp *use);

/* Whatever the operands are: false when the library never looks at a tmp of this instruction. */
bool ptog_reduction_may_use_tmp(const struct ptog_target *target, const struct ptog_insn *insn);

/* A tmp that is given has room for that. */
bool ptog_reduction_tmp_fits(const struct ptog_tile *tmp, const struct ptog_reduction_tmp *use);

/* The library does nothing, because a row of tmp is too short: NARROW. */
bool ptog_reduction_is_idle(const struct ptog_target *target, const struct ptog_insn *insn);

/* How many bytes behind the last element of dst's row the library fills as well: FILLS. */
int64_t ptog_reduction_fills(const struct ptog_target *target, const struct ptog_insn *insn);

#endif
