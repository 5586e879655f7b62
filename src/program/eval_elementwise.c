/* program: what the text forms say of elementwise instructions: all tiles have one shape, and one type but
 * for conversions. */
#include "model/dtype.h"
#include "model/habits.h"
#include "program/parts.h"
#include "program/place.h"
#include "program/text_insn.h"

/* ---- attributes */

#define INSN_ATTR(OPCODE, place, key, type, ...)                                                                       \
    static const char *name_of_##place(int value)                                                                      \
    {                                                                                                                  \
        return ptog_##type##_name((enum ptog_##type)value);                                                            \
    }
#include "spec/attrs.def"

static const struct insn_attr {
    enum ptog_opcode opcode;
    int place;
    const char *key;
    const char *(*name)(int);
    int first, last, otherwise;
} attrs[] = {
#define INSN_ATTR(OPCODE, place, key, type, first, last, otherwise)                                                    \
    {PTOG_##OPCODE, place, key, name_of_##place, first, last, otherwise},
#include "spec/attrs.def"
};

static bool read_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    insn->form = ptog_insn_form(e->target, &insn->insn);
    for (size_t i = 0; i < sizeof attrs / sizeof attrs[0]; i++) {
        const struct insn_attr *attr = &attrs[i];
        if (attr->opcode != insn->insn.opcode)
            continue;
        const struct ptog_item *item = ptog_attr_of(e, insn->op, attr->key);
        int value = item ? ptog_attr_enum(e, item, attr->name, attr->first, attr->last) : attr->otherwise;
        if (value < 0)
            return false;
        insn->insn.attr[attr->place] = value;
    }
    return true;
}

/* ---- types that are left out */

static void infer_from(struct ptog_value *to, const struct ptog_value *from, bool one_type)
{
    if (to->kind != PTOG_VALUE_TILE || from->kind != PTOG_VALUE_TILE)
        return; /* a scalar has a type of its own */
    if (one_type)
        ptog_infer_dtype(to, ptog_value_dtype(from));
    ptog_infer_extent(&to->tile.tile.rows, from->tile.tile.rows);
    ptog_infer_extent(&to->tile.tile.cols, from->tile.tile.cols);
}

static void infer(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    (void)e;
    for (int to = 0; to < insn->count; to++)
        for (int from = 0; from < insn->count; from++)
            infer_from(insn->of[to].value, insn->of[from].value, insn->form != PTOG_FORM_CONVERT);
}

/* ---- tmp */

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
