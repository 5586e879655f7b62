/* program: what tile instructions of several families share in the text forms: attributes that are words,
 * spec/attrs.def, and a tmp that the target wants and the text leaves out. */
#include <string.h>

#include "base/pick.h"
#include "model/dtype.h"
#include "model/habits.h"
#include "model/lane.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/place.h"
#include "program/text_insn.h"

/* ---- attributes */

#define WORD_OF(type)                                                                                                  \
    static const char *word_of_##type(int value)                                                                       \
    {                                                                                                                  \
        return ptog_##type##_name((enum ptog_##type)value);                                                            \
    }
WORD_OF(round)
WORD_OF(saturation)
WORD_OF(cmp)

static const char *word_of_flag(int value)
{
    return ptog_bool_name(value);
}

static const struct insn_attr {
    enum ptog_opcode opcode;
    int place;
    const char *key;
    const char *(*word)(int);
    int first, last, otherwise;
} attrs[] = {
#define INSN_ATTR(OPCODE, place, key, type, first, last, otherwise)                                                    \
    {PTOG_##OPCODE, place, key, word_of_##type, first, last, otherwise},
#include "spec/attrs.def"
};

bool ptog_insn_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_item *precise = ptog_attr_of(e, insn->op, "precisionType");
    insn->form = ptog_insn_form(e->target, &insn->insn);
    bool exact = ptog_insn_row(insn->insn.opcode)->lane == PTOG_LANE_div; /* a quotient is rounded once anyway */
    if (precise && !exact && strcmp(ptog_tree_text(e->tree, precise->value), "high_precision") == 0) {
        ptog_say_not_modelled(e, precise->span, "'%s' is read, but not modelled", "precisionType = high_precision");
        insn->skip = true;
    }
    for (size_t i = 0; i < sizeof attrs / sizeof attrs[0]; i++) {
        const struct insn_attr *attr = &attrs[i];
        if (attr->opcode != insn->insn.opcode)
            continue;
        const struct ptog_item *item = ptog_attr_of(e, insn->op, attr->key);
        int value = item ? ptog_attr_enum(e, item, attr->word, attr->first, attr->last) : attr->otherwise;
        if (value < 0)
            return false;
        insn->insn.attr[attr->place] = value;
    }
    return true;
}

/* ---- tmp */

/* A tmp that the target's library wants and the text leaves out is added, as the compiler does. It is as wide as dst,
 * and has as many rows as it takes. */
void ptog_insn_add_tmp(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_tmp_use use;
    int at = ptog_insn_find(&insn->insn, PTOG_AT_TMP);
    const struct ptog_value *dst = ptog_insn_value(insn, ptog_operand_name(PTOG_AT_DST));
    struct ptog_insn known;
    if (at < 0 || !dst || insn->insn.of[at].kind != PTOG_IS_ABSENT)
        return;
    ptog_insn_resolve(&known, &insn->insn, NULL);
    if (known.of[0].tile.valid_row == PTOG_DYN || known.of[0].tile.valid_col == PTOG_DYN) { /* all of it, at most */
        known.of[0].tile.valid_row = known.of[0].tile.rows;
        known.of[0].tile.valid_col = known.of[0].tile.cols;
    }
    if (!ptog_habit_tmp(e->target, &known, &use) || !use.is_wanted)
        return;
    if (use.dtype == PTOG_DTYPE_NONE)
        use.dtype = PTOG_U8;
    int64_t bytes = ptog_max(use.need, use.lost), row = dst->tile.tile.cols * (int64_t)ptog_dtype_size(use.dtype);
    struct ptog_value tmp = {.kind = PTOG_VALUE_TILE, .span = insn->op->name_span};
    tmp.tile.tile = ptog_tile_vec(use.dtype, row > 0 ? (bytes + row - 1) / row : 1, dst->tile.tile.cols);
    ptog_place_new(e, insn->op, (uint8_t)insn->result_count, &tmp);
    ptog_place_use(e, &tmp);
    ptog_insn_set_tile(&insn->insn, at, &tmp.tile.tile);
}
