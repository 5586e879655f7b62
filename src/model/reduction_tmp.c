/* model: what libraries do around a reduction: the rows TMP, NARROW and FILLS of spec/reductions.def. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/reduction_tmp.h"

#include "base/pick.h"
#include "model/condition.h"
#include "model/dtype.h"
#include "model/reduce.h"
#include "model/target.h"
#include "model/tile.h"

/* A row of the table is for the instruction on the target. */
static bool is_for(ptog_form_set forms, uint32_t targets, const struct ptog_target *target,
                   const struct ptog_insn *insn)
{
    ptog_form_set only = forms >> PTOG_FORMS;
    if (!(targets & target->as))
        return false;
    if (only)
        return only == (ptog_form_set)insn->opcode;
    return (forms & PTOG_FORM_BIT(ptog_insn_form(target, insn))) != 0;
}

static int64_t in_steps(int64_t count, int64_t step)
{
    return (count + step - 1) / step;
}

static const struct ptog_tile *reduced_source(const struct ptog_insn *insn)
{
    return &insn->of[ptog_insn_find(insn, PTOG_AT_SRC)].tile;
}

bool ptog_reduction_tmp(const struct ptog_target *target, const struct ptog_insn *insn, bool open,
                        struct ptog_reduction_tmp *use)
{
    const struct ptog_rule_context c = {.target = target, .insn = insn, .written = insn, .open = open};
    const struct ptog_tile *src = reduced_source(insn);
    const int64_t SIZE = (int64_t)ptog_dtype_size(src->dtype);
    if (SIZE == 0)
        return false;
    const int64_t ROWS = src->valid_row, COLS = src->valid_col, REPEAT = 256 / SIZE, BLOCK = 32 / SIZE;
#define TMP(forms, targets, condition, rows_, cols_)                                                                   \
    if (is_for(forms, targets, target, insn) && ptog_condition_holds(PTOG_WHEN_##condition, &c)) {                     \
        *use = (struct ptog_reduction_tmp){rows_, cols_};                                                              \
        return use->rows > 0;                                                                                          \
    }
#include "spec/reductions.def"
    return false;
}

bool ptog_reduction_may_use_tmp(const struct ptog_target *target, const struct ptog_insn *insn)
{
    bool may = false;
#define TMP(forms, targets, ...) may = may || is_for(forms, targets, target, insn);
#include "spec/reductions.def"
    return may;
}

bool ptog_reduction_tmp_fits(const struct ptog_tile *tmp, const struct ptog_reduction_tmp *use)
{
    if (use->rows == 1)
        return tmp->rows * tmp->cols >= use->cols;
    return tmp->rows >= use->rows && tmp->cols >= use->cols;
}

bool ptog_reduction_is_idle(const struct ptog_target *target, const struct ptog_insn *insn)
{
    const struct ptog_tile *src = reduced_source(insn);
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    int64_t size = (int64_t)ptog_dtype_size(src->dtype), bytes = src->valid_col * size;
    bool narrow = false;
#define NARROW(forms, targets) narrow = narrow || is_for(forms, targets, target, insn);
#include "spec/reductions.def"
    struct ptog_reduction_tmp use;
    return narrow && bytes > 256 && bytes < 512 && insn->of[at].tile.cols * size < 256 &&
           ptog_reduction_tmp(target, insn, true, &use) && use.cols * size == 256;
}

int64_t ptog_reduction_fills(const struct ptog_target *target, const struct ptog_insn *insn)
{
    const struct ptog_tile *dst = &insn->of[0].tile;
    int64_t block = ptog_c0(dst->dtype), end = (dst->valid_col + block - 1) / block * block;
    bool fills = false;
#define FILLS(forms, targets) fills = fills || is_for(forms, targets, target, insn);
#include "spec/reductions.def"
    if (!fills)
        return 0;
    return (ptog_min(end, dst->cols) - dst->valid_col) * (int64_t)ptog_dtype_size(dst->dtype);
}
