/* lower: what tile instructions of several families share in the text forms: attributes that are words,
 * spec/attrs.def, and a tmp that the target wants and the text leaves out. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "base/pick.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "model/dtype.h"
#include "model/lane.h"
#include "model/reduction_tmp.h"
#include "model/target_quirks.h"

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

static const char *word_of_precision(int value)
{
    if (value)
        return "high_precision";
    return "default";
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

/* Compilers ask these two for a tmp then, which they do not add. */
static bool lacks_tmp(const struct ptog_text_insn *insn)
{
    uint32_t count = insn->op->ins ? insn->op->ins->count : 0;
    if (insn->insn.opcode == PTOG_TROWEXPANDDIV)
        return count == 2;
    return insn->insn.opcode == PTOG_TRSQRT && count == 1;
}

/* Checks high_precision, which only tdiv has: reports a missing tmp, and sets `skip` when lint refuses it. Results are
 * rounded once anyway. */
static void check_precise(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_item *precise = ptog_attr_of(e, insn->op, "precisionType");
    if (!precise || !ptog_tree_is(e->tree, precise->value, "high_precision"))
        return;
    if (lacks_tmp(insn) && !e->running)
        ptog_diag_emit(e->diags, "text-operands", precise->span, "'%s' with high_precision needs a tmp tile",
                       ptog_op_info(insn->op->name)->name);
    insn->skip = ptog_insn_row(insn->insn.opcode)->lane != PTOG_LANE_div && !e->running && !ptog_eval_lint(e, insn->op);
}

/* Reads the attributes that attrs.def lists for the opcode into the instruction, or their defaults, and decides its
 * form. False after an error. */
bool ptog_insn_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    insn->form = ptog_insn_form(e->target, &insn->insn);
    check_precise(e, insn);
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

/* Compilers have no way to hand a tmp to a power of integers. */
static void check_tmp(struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    bool power = insn->insn.opcode == PTOG_TPOW || insn->insn.opcode == PTOG_TPOWS;
    if (power && !e->running && !ptog_dtype_is_float(insn->insn.of[0].tile.dtype))
        ptog_diag_emit(e->diags, "text-operands", insn->op->name_span, "'%s' of integers has no tmp tile",
                       ptog_op_info(insn->op->name)->name);
}

/* Where the text gives tiles their addresses itself, compilers place nothing. */
static bool is_placed_by_text(const struct ptog_value *dst)
{
    return dst->kind == PTOG_VALUE_TILE && dst->tile.place == 0 && dst->tile.root == 0 && dst->tile.tile.placed;
}

/* Whether an operand is a tmp without an address that the library of the target never looks at: compilers leave it
 * out, and it takes no place. */
bool ptog_insn_leaves_out(const struct ptog_eval *e, const struct ptog_text_insn *insn,
                          const struct ptog_text_operand *use)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->insn.opcode);
    if (row->of[use->position].role != PTOG_ROLE_SCRATCH || e->target->machine == PTOG_NO_MACHINE ||
        is_placed_by_text(use->value))
        return false;
    switch (row->family) {
    case PTOG_FAMILY_ELEMENTWISE:
    case PTOG_FAMILY_MASKS:
    case PTOG_FAMILY_MOVES: return !ptog_quirk_may_use_tmp(e->target, insn->insn.opcode);
    case PTOG_FAMILY_REDUCE: return !ptog_reduction_may_use_tmp(e->target, &insn->insn);
    default: return false;
    }
}

void ptog_insn_set_tmp(struct ptog_eval *e, struct ptog_text_insn *insn, int at, struct ptog_tile tile)
{
    insn->has_tmp = true;
    insn->tmp = (struct ptog_value){.kind = PTOG_VALUE_TILE, .span = insn->op->name_span, .tile = {.tile = tile}};
    ptog_place_new(e, insn->op, (uint8_t)insn->result_count, &insn->tmp);
    ptog_place_use(e, &insn->tmp);
    ptog_insn_set_tile(&insn->insn, at, &insn->tmp.tile.tile);
}

/* Adds a tmp that the target's library wants and the text leaves out, as the compiler does: as wide as dst, with as
 * many rows as it takes. */
void ptog_insn_add_tmp(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_tmp_use use;
    int at = ptog_insn_find(&insn->insn, PTOG_AT_TMP);
    const struct ptog_value *dst = ptog_insn_value(insn, PTOG_AT_DST);
    struct ptog_insn known;
    if (at < 0 || !dst)
        return;
    if (insn->insn.of[at].kind != PTOG_IS_ABSENT) {
        check_tmp(e, insn);
        return;
    }
    ptog_insn_resolve(&known, &insn->insn, NULL);
    if (known.of[0].tile.valid_row == PTOG_DYN || known.of[0].tile.valid_col == PTOG_DYN) { /* all of it, at most */
        known.of[0].tile.valid_row = known.of[0].tile.rows;
        known.of[0].tile.valid_col = known.of[0].tile.cols;
    }
    if (!ptog_quirk_tmp(e->target, &known, &use))
        return;
    if (is_placed_by_text(dst) && !use.is_wanted) {
        if (insn->insn.opcode == PTOG_TCI && !e->running)
            ptog_diag_emit(
                e->diags, "text-tmp-absent", insn->op->name_span,
                "there is no tmp tile, and tiles have explicit addresses: current compilers do not allocate one then");
        return;
    }
    if (!use.is_wanted || (is_placed_by_text(dst) && e->program->strict))
        return;
    if (use.dtype == PTOG_DTYPE_NONE)
        use.dtype = PTOG_U8;
    int64_t bytes = ptog_max(use.need, use.lost), row = dst->tile.tile.cols * (int64_t)ptog_dtype_size(use.dtype);
    ptog_insn_set_tmp(e, insn, at,
                      ptog_tile_vec(use.dtype, row > 0 ? (bytes + row - 1) / row : 1, dst->tile.tile.cols));
}
