/* verify: the words that the rules of broadcasts put into their messages. */
#include <inttypes.h>

#include "base/pick.h"
#include "model/broadcast.h"
#include "model/target_quirks.h"
#include "model/tile.h"
#include "verify/advice.h"

void ptog_advise_expand_whole(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_addf(text, "%.80s", ptog_insn_operand_words(c->insn, PTOG_AT_SRC0));
    if (!ptog_quirk_first_is_whole(c->target, c->insn))
        ptog_text_addf(text, " or %.80s", ptog_insn_operand_words(c->insn, PTOG_AT_SRC1));
}

/* Appends which shapes an instruction that expands rows or columns accepts. */
void ptog_advise_expand_wants(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST);
    switch (c->form) {
    case PTOG_FORM_BY_COLUMN:
        ptog_text_addf(text,
                       "row-major tiles, and a column of [%" PRId64 ", 1] column-major or [%" PRId64 ", %" PRId64
                       "] row-major",
                       dst->valid_row, dst->valid_row, ptog_c0(dst->dtype));
        break;
    case PTOG_FORM_FROM_COLUMN:
        ptog_text_addf(
            text, "a row-major destination, and a source of %" PRId64 " rows, row-major or [R, 1] column-major%s",
            dst->valid_row, ptog_when(ptog_quirk_wants_one_column(c->target, c->insn), ", of one valid column"));
        break;
    default:
        ptog_text_addf(text, "row-major tiles, and a row of %" PRId64 " columns%s", dst->valid_col,
                       ptog_when(!ptog_quirk_wants_same_cols(c->target, c->insn), " or more"));
        break;
    }
}

/* Appends how large tmp must be, or that there is to be none. */
void ptog_advise_expand_tmp(struct ptog_text *text, const struct ptog_check *c)
{
    struct ptog_tmp_use use;
    if (ptog_quirk_tmp(c->target, c->insn, &use))
        ptog_text_addf(text, "needs %" PRId64 " bytes of tmp", use.need);
    else
        ptog_text_add(text, "does not use a tmp tile with a row-major column");
}

void ptog_advise_expand_tmp_fix(struct ptog_text *text, const struct ptog_check *c)
{
    struct ptog_tmp_use use;
    ptog_text_add(text, ptog_quirk_tmp(c->target, c->insn, &use) ? "use a larger tmp tile" : "leave out the tmp tile");
}
