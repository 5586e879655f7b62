/* program: tgather by index, by mask pattern and by comparison. */
#include <string.h>

#include <ptog/verify.h>

#include "model/dtype.h"
#include "model/tgather.h"
#include "program/eval.h"

static const char *pattern_name(int i)
{
    return ptog_pattern_name((enum ptog_pattern)i);
}

static const char *cmp_name(int i)
{
    return ptog_cmp_name((enum ptog_cmp)i);
}

/* ---- attributes */

/* "row" or "col" after the type of the source; older text has none. */
static bool read_axis(struct ptog_eval *e, const struct ptog_op *op, struct ptog_tgather *t)
{
    for (uint32_t i = 0; i < op->ins->type_count; i++) {
        const struct ptog_type_use *use = &op->ins->types[i];
        if (use->type->kind != PTOG_TYPE_STRING)
            continue;
        const char *text = ptog_tree_text(e->tree, use->type->text);
        if (t->form != PTOG_BY_MASK || (strcmp(text, "row") != 0 && strcmp(text, "col") != 0)) {
            ptog_say(e->finds, "text-attribute", use->span,
                     t->form == PTOG_BY_MASK ? "the axis is \"row\" or \"col\"" : "only the mask form has an axis");
            return false;
        }
        t->axis = text[0] == 'c' ? PTOG_AXIS_COL : PTOG_AXIS_ROW;
    }
    return true;
}

static bool read_offset(struct ptog_eval *e, const struct ptog_item *item, int32_t *offset)
{
    uint64_t most = UINT64_C(0x7fffffff) + (item->negative ? 1 : 0);
    if (item->kind != PTOG_ITEM_INT || item->number > most) {
        ptog_say(e->finds, "text-attribute", item->span, "the offset is an i32 number");
        return false;
    }
    *offset = (int32_t)(item->negative ? -(int64_t)item->number : (int64_t)item->number);
    return true;
}

static bool read_attrs(struct ptog_eval *e, const struct ptog_op *op, struct ptog_tgather *t)
{
    const struct ptog_item *mask = ptog_op_attr(op, PTOG_WORD_maskPattern);
    const struct ptog_item *cmp = ptog_op_attr(op, PTOG_WORD_cmpMode);
    const struct ptog_item *offset = ptog_op_attr(op, PTOG_WORD_offset);
    if (mask && cmp) {
        ptog_say(e->finds, "text-attribute", cmp->span, "tgather is by mask pattern or by comparison, not both");
        return false;
    }
    t->form = mask ? PTOG_BY_MASK : cmp ? PTOG_BY_COMPARE : PTOG_BY_INDEX;
    int value = mask  ? ptog_attr_enum(e, mask, pattern_name, PTOG_P0101, PTOG_P1111)
                : cmp ? ptog_attr_enum(e, cmp, cmp_name, PTOG_CMP_EQ, PTOG_CMP_GE)
                      : 0;
    if (value < 0)
        return false;
    if (mask)
        t->pattern = (enum ptog_pattern)value;
    if (cmp)
        t->cmp = (enum ptog_cmp)value;
    return (!op->ins || read_axis(e, op, t)) && (!offset || read_offset(e, offset, &t->offset));
}

/* ---- operands: src, then idx, nothing, or k; then tmp */

static bool read_operands(struct ptog_eval *e, struct ptog_text_insn *insn, const struct ptog_tgather *t)
{
    static const struct {
        uint32_t least, most, outs;
    } counts[] = {[PTOG_BY_INDEX] = {2, 3, 1}, [PTOG_BY_MASK] = {1, 1, 1}, [PTOG_BY_COMPARE] = {2, 3, 2}};
    if (!ptog_insn_counts(e, insn, counts[t->form].least, counts[t->form].most, counts[t->form].outs))
        return false;
    ptog_insn_in(e, insn, 0, "src", PTOG_VALUE_TILE);
    if (t->form == PTOG_BY_INDEX)
        ptog_insn_in(e, insn, 1, "idx", PTOG_VALUE_TILE);
    if (insn->op->ins->count > 2)
        ptog_insn_in(e, insn, 2, "tmp", PTOG_VALUE_TILE);
    ptog_insn_out(e, insn, 0, "dst", PTOG_VALUE_TILE);
    if (t->form == PTOG_BY_COMPARE)
        ptog_insn_out(e, insn, 1, "cdst", PTOG_VALUE_TILE);
    return true;
}

/* k is one number for all rows, or a tile with one for each. The model sees a tile of one element for a number. */
struct k {
    struct ptog_value *value;
    uint64_t bits;
    bool scalar;
};

static bool read_k(struct ptog_eval *e, struct ptog_text_insn *insn, struct k *k)
{
    const struct ptog_part *ins = insn->op->ins;
    const struct ptog_type_use *use = ptog_part_type(ins, 1);
    struct ptog_text_operand *operand = &insn->of[insn->count];
    *operand = (struct ptog_text_operand){.role = "k", .item = &ins->items[1], .type = use};
    operand->value = k->value = ptog_use(e, &ins->items[1], use, PTOG_VALUE_NUMBER);
    if (!k->value || k->value->kind == PTOG_VALUE_ANY)
        return false;
    insn->count++;
    switch (k->value->kind) {
    case PTOG_VALUE_NUMBER:
    case PTOG_VALUE_REAL: k->scalar = true; return true;
    case PTOG_VALUE_TILE: return true;
    default:
        ptog_say(e->finds, "text-operand", ins->items[1].span, "%%%.80s is %s, but a number or a tile is compared with",
                 ptog_tree_text(e->tree, ins->items[1].name),
                 ptog_value_kind_name((enum ptog_value_kind)k->value->kind));
        return false;
    }
}

/* MLIR's integers have no sign: one of the source's width is of the source's type. */
static struct ptog_tile tile_of_k(const struct k *k, enum ptog_dtype src)
{
    enum ptog_dtype dtype = ptog_value_dtype(k->value);
    if (k->value->kind == PTOG_VALUE_NUMBER) {
        static const enum ptog_dtype by_size[] = {PTOG_I8, PTOG_I16, PTOG_I32, PTOG_I64};
        bool fits = src <= PTOG_U64 && 8 * ptog_dtype_size(src) == k->value->width;
        int log = k->value->width > 32 ? 3 : k->value->width > 16 ? 2 : k->value->width > 8 ? 1 : 0;
        dtype = fits || !k->value->type ? src : by_size[log];
    }
    return ptog_tile_vec(dtype, 1, 1);
}

static uint64_t bits_of_k(const struct k *k, enum ptog_dtype src)
{
    if (k->value->kind == PTOG_VALUE_REAL)
        return k->value->real.bits;
    return ptog_dtype_is_float(src) ? ptog_real_bits(src, (double)k->value->number.value)
                                    : (uint64_t)k->value->number.value;
}

/* ---- elided types */

static void infer_shape(struct ptog_tile *to, const struct ptog_tile *from)
{
    ptog_infer_extent(&to->rows, from->rows);
    ptog_infer_extent(&to->cols, from->cols);
}

static void infer_mask(const struct ptog_tgather *t, struct ptog_tile *dst, const struct ptog_tile *src)
{
    struct ptog_kept kept;
    if (!ptog_pattern_kept(t->pattern, &kept) || src->rows < 1 || src->cols < 1)
        return;
    bool row = t->axis == PTOG_AXIS_ROW;
    ptog_infer_extent(&dst->rows, row ? src->rows : ptog_kept_count(kept, src->rows));
    ptog_infer_extent(&dst->cols, row ? ptog_kept_count(kept, src->cols) : src->cols);
}

static void infer(struct ptog_eval *e, struct ptog_text_insn *insn, const struct ptog_tgather *t)
{
    struct ptog_value *src = ptog_insn_value(insn, "src"), *dst = ptog_insn_value(insn, "dst");
    struct ptog_value *idx = ptog_insn_value(insn, "idx"), *cdst = ptog_insn_value(insn, "cdst");
    ptog_infer_names(e, insn);
    if (t->form == PTOG_BY_COMPARE) {
        ptog_infer_dtype(dst, PTOG_I32);
        ptog_infer_dtype(cdst, PTOG_I32);
        infer_shape(&dst->tile.tile, &src->tile.tile);
    } else {
        ptog_infer_dtype(dst, ptog_value_dtype(src));
        ptog_infer_dtype(src, ptog_value_dtype(dst));
    }
    if (t->form == PTOG_BY_MASK)
        infer_mask(t, &dst->tile.tile, &src->tile.tile);
    if (t->form == PTOG_BY_INDEX) {
        infer_shape(&dst->tile.tile, &idx->tile.tile);
        infer_shape(&idx->tile.tile, &dst->tile.tile);
    }
    ptog_infer_names(e, insn);
}

static bool is_open(const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (insn->of[i].value && insn->of[i].value->open)
            return true;
    return false;
}

/* ---- check and run */

static void run(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_tgather *t, const struct k *k)
{
    struct ptog_fault fault = {0};
    e->gather = insn->op;
    enum ptog_status status = e->machine.device ? ptog_machine_tgather(e, insn->op, t, k->scalar ? &k->bits : NULL)
                              : k->scalar       ? ptog_plain_tgather_scalar(&e->core, t, &k->bits, NULL, &fault)
                                                : ptog_plain_tgather(&e->core, t, NULL, &fault);
    ptog_diags *diags = status == PTOG_ILLEGAL ? ptog_diags_new() : NULL;
    if (diags)
        ptog_verify_tgather(e->target, t, diags);
    ptog_judge_run(e, insn, status, diags, &fault);
    ptog_diags_free(diags);
}

static void describe(struct ptog_text_insn *insn, struct ptog_tgather *t, struct k *k)
{
    const struct ptog_value *idx = ptog_insn_value(insn, "idx"), *tmp = ptog_insn_value(insn, "tmp");
    const struct ptog_value *cdst = ptog_insn_value(insn, "cdst");
    t->src = ptog_insn_value(insn, "src")->tile.tile;
    t->dst = ptog_insn_value(insn, "dst")->tile.tile;
    if (idx)
        t->idx = idx->tile.tile;
    if (tmp)
        t->tmp = tmp->tile.tile;
    if (cdst)
        t->cdst = cdst->tile.tile;
    if (k->value)
        t->k = k->scalar ? tile_of_k(k, t->src.dtype) : k->value->tile.tile;
    if (k->scalar)
        k->bits = bits_of_k(k, t->src.dtype);
}

void ptog_eval_tgather(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_text_insn insn = {.op = op};
    struct ptog_tgather t;
    struct k k = {0};
    memset(&t, 0, sizeof t); /* padding too: see judge.c */
    if (!read_attrs(e, op, &t)) {
        e->stopped = e->running;
        ptog_define_any(e, op);
        return;
    }
    if (!read_operands(e, &insn, &t))
        return;
    if (t.form == PTOG_BY_COMPARE && !read_k(e, &insn, &k))
        insn.skip = true;
    if (!insn.skip && is_open(&insn)) {
        infer(e, &insn, &t);
        ptog_infer_done(e, &insn);
    }
    if (ptog_insn_ready(e, &insn)) {
        describe(&insn, &t, &k);
        if (e->running)
            run(e, &insn, &t, &k);
        if (!e->stopped)
            ptog_judge_tgather(e, &insn, &t);
    }
    ptog_insn_finish(e, &insn);
}
