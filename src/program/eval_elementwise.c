/* program: what the text forms say of elementwise instructions: all tiles have one type and shape. */
#include "model/dtype.h"
#include "model/habits.h"
#include "program/place.h"
#include "program/text_insn.h"

static bool read_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    insn->form = ptog_insn_form(e->target, &insn->insn);
    return true;
}

static void infer_from(struct ptog_value *to, const struct ptog_value *from)
{
    if (to->kind != PTOG_VALUE_TILE || from->kind != PTOG_VALUE_TILE)
        return; /* a scalar has a type of its own */
    ptog_infer_dtype(to, ptog_value_dtype(from));
    ptog_infer_extent(&to->tile.tile.rows, from->tile.tile.rows);
    ptog_infer_extent(&to->tile.tile.cols, from->tile.tile.cols);
}

static void infer(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    (void)e;
    for (int to = 0; to < insn->count; to++)
        for (int from = 0; from < insn->count; from++)
            infer_from(insn->of[to].value, insn->of[from].value);
}

/* A tmp that the target's library wants and the text leaves out is added, as the compiler does, unless the program has
 * addresses of its own. It is as wide as dst, and has as many rows as it takes. */
static void add_tmp(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_tmp_use use;
    int at = ptog_insn_find(&insn->insn, PTOG_AT_TMP);
    const struct ptog_value *dst = ptog_insn_value(insn, ptog_operand_name(PTOG_AT_DST));
    struct ptog_insn known;
    if (at < 0 || !dst || dst->tile.place == 0 || insn->insn.of[at].kind != PTOG_IS_ABSENT)
        return;
    ptog_insn_resolve(&known, &insn->insn, NULL);
    if (known.of[0].tile.valid_row == PTOG_DYN || known.of[0].tile.valid_col == PTOG_DYN) { /* all of it, at most */
        known.of[0].tile.valid_row = known.of[0].tile.rows;
        known.of[0].tile.valid_col = known.of[0].tile.cols;
    }
    if (!ptog_habit_tmp(e->target, &known, &use) || !use.is_wanted)
        return;
    int64_t bytes = use.need > use.lost ? use.need : use.lost,
            row = dst->tile.tile.cols * (int64_t)ptog_dtype_size(use.dtype);
    struct ptog_value tmp = {.kind = PTOG_VALUE_TILE, .span = insn->op->name_span};
    tmp.tile.tile = ptog_tile_vec(use.dtype, row > 0 ? (bytes + row - 1) / row : 1, dst->tile.tile.cols);
    ptog_place_new(e, insn->op, (uint8_t)insn->result_count, &tmp);
    ptog_place_use(e, &tmp);
    ptog_insn_set_tile(&insn->insn, at, &tmp.tile.tile);
}

const struct ptog_text_family ptog_text_elementwise = {read_attrs, infer, add_tmp};
