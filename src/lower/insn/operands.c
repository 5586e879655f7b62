/* lower: the tiles and tables of an instruction, from the text to the model. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "base/pick.h"
#include "lower/bind.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"
#include "model/target.h"

/* What insns.def says about the operand at a position. */
static const struct ptog_operand_row *row_at(const struct ptog_text_insn *insn, int position)
{
    return &ptog_insn_row(insn->insn.opcode)->of[position];
}

struct ptog_value *ptog_insn_value(const struct ptog_text_insn *insn, enum ptog_operand_name name)
{
    for (int i = 0; i < insn->count; i++)
        if (row_at(insn, insn->of[i].position)->name == name)
            return insn->of[i].value;
    return NULL;
}

const struct ptog_text_operand *ptog_insn_operand(const struct ptog_text_insn *insn, const char *role)
{
    for (int i = 0; role && i < insn->count; i++)
        if (strcmp(insn->of[i].role, role) == 0)
            return &insn->of[i];
    return NULL;
}

/* Whether an operation has `least` to `most` ins and exactly `outs` outs, with types that fit. If not, that is reported,
 * and its results, if any, become values that fit everywhere. */
static bool have_counts(struct ptog_eval *e, const struct ptog_text_insn *insn, uint32_t least, uint32_t most,
                        uint32_t outs)
{
    const struct ptog_op *op = insn->op;
    uint32_t has = op->outs ? op->outs->count : 0;
    if (has != outs) {
        ptog_diag_emit(e->diags, "text-operands", op->name_span, "'%s' needs %u destination%s here, not %u",
                       ptog_op_info(op->name)->name, (unsigned)outs, ptog_plural(outs), (unsigned)has);
        ptog_define_any(e, op);
        return false;
    }
    uint32_t count = op->ins ? op->ins->count : 0;
    if (count < least && count + outs >= least && !op->defines && (op->form == PTOG_OP_SSA || op->form == PTOG_OP_AS)) {
        ptog_diag_emit(e->diags, "text-operands", op->name_span,
                       "'%s' has too few operands: without a result, the first one is the destination",
                       ptog_op_info(op->name)->name);
        return false;
    }
    if (!ptog_want_operands(e, op, count, least, most))
        return false;
    if (ptog_check_types(e, op))
        return true;
    ptog_define_any(e, op);
    return false;
}

/* ---- one operand */

/* Appends item `i` of a part as the operand at `position` of the instruction's row, its value not found yet. */
static struct ptog_text_operand *add_operand(struct ptog_text_insn *insn, const struct ptog_part *part, uint32_t i,
                                             int position)
{
    struct ptog_text_operand *use = &insn->of[insn->count++];
    *use = (struct ptog_text_operand){.role = ptog_operand_name(row_at(insn, position)->name),
                                      .position = position,
                                      .item = &part->items[i],
                                      .type = ptog_part_type(part, i)};
    return use;
}

/* What a name is that stands at `position` of the row. */
static enum ptog_value_kind kind_wanted(const struct ptog_text_insn *insn, int position)
{
    if (row_at(insn, position)->kind == PTOG_IS_VIEW)
        return PTOG_VALUE_VIEW;
    return PTOG_VALUE_TILE;
}

/* Finds the value of an operand, of the kind that its position needs; the instruction is skipped when there is none. */
static void find_value(struct ptog_eval *e, struct ptog_text_insn *insn, struct ptog_text_operand *use,
                       enum ptog_value_kind want)
{
    use->value = ptog_use_as(e, use->item, use->type, want);
    insn->skip = insn->skip || !use->value;
}

/* Looks up an operand that is one number for all of a tile, or, where the row allows it, a tile. Sets `skip`, after a
 * report, when it is neither, and drops one of which nothing is known. */
static void pick_value(struct ptog_eval *e, struct ptog_text_insn *insn, struct ptog_text_operand *use)
{
    struct ptog_value *value = use->value = ptog_use(e, use->item, use->type, PTOG_VALUE_NUMBER);
    insn->skip = true;
    if (!value || value->kind == PTOG_VALUE_ANY) {
        insn->count--; /* nothing is known of it */
        return;
    }
    insn->skip = false;
    bool tile = row_at(insn, use->position)->kind == PTOG_IS_TILE;
    if (value->kind == PTOG_VALUE_NUMBER || value->kind == PTOG_VALUE_REAL || (tile && value->kind == PTOG_VALUE_TILE))
        return;
    ptog_diag_emit(e->diags, "text-operand", use->item->span, "%%%.80s is %s, but a number%s is expected here",
                   ptog_tree_text(e->tree, use->item->name), ptog_value_kind_name((enum ptog_value_kind)value->kind),
                   ptog_when(tile, " or a tile"));
    insn->skip = true;
}

/* Where the operand belongs: an index tile has a position of its own, also where the form has no use for it. */
static int position_of(const struct ptog_eval *e, const struct ptog_text_insn *insn, uint32_t i, int position)
{
    const struct ptog_value *value = ptog_value_named(e, insn->op->ins->items[i].name);
    bool tile = insn->op->ins->items[i].kind == PTOG_ITEM_VALUE && value && value->kind == PTOG_VALUE_TILE;
    return row_at(insn, position)->name == PTOG_AT_INDICES && tile ? position - 1 : position;
}

/* Appends source `i` and finds its value; a number is accepted where the row takes one. */
static void read_source(struct ptog_eval *e, struct ptog_text_insn *insn, uint32_t i, int position)
{
    bool skip = insn->skip;
    position = position_of(e, insn, i, position);
    if (row_at(insn, position)->scalar)
        pick_value(e, insn, add_operand(insn, insn->op->ins, i, position));
    else
        find_value(e, insn, add_operand(insn, insn->op->ins, i, position), kind_wanted(insn, position));
    insn->skip = insn->skip || skip;
}

/* Makes the tile of a result: of its written type, or open when there is none. Sets `skip` after a report. */
static void make_result(struct ptog_eval *e, struct ptog_text_insn *insn, struct ptog_text_operand *use)
{
    struct ptog_value *value = &insn->results[insn->result_count++];
    *value = (struct ptog_value){.kind = PTOG_VALUE_TILE, .open = true};
    value->tile.tile.rows = value->tile.tile.cols = PTOG_DYN;
    use->fresh = true;
    use->value = value;
    if (use->type && !ptog_type_is_tile(use->type->type)) {
        ptog_diag_emit(e->diags, "text-operand", use->type->span, "the result must be a tile");
        insn->skip = true;
    } else if (use->type && !ptog_tile_from_type(e, use->type, value)) {
        insn->skip = true;
    }
    value->name = use->item->name;
    value->span = use->item->span;
}

/* Appends destination `i`: a result that the operation defines, or a name that it writes to. */
static void read_destination(struct ptog_eval *e, struct ptog_text_insn *insn, uint32_t i, int position)
{
    struct ptog_text_operand *use = add_operand(insn, insn->op->outs, i, position);
    use->is_out = true;
    if (insn->op->defines)
        make_result(e, insn, use);
    else
        find_value(e, insn, use, kind_wanted(insn, position));
}

/* Whether the form uses the operand at a position. */
static bool is_taken(const struct ptog_text_insn *insn, int position)
{
    return row_at(insn, position)->taken & PTOG_FORM_BIT(insn->form);
}

/* Of lists, tmrgsort has a second destination, the counts, which no text can read. */
static uint32_t count_unread(const struct ptog_text_insn *insn)
{
    return insn->form >= PTOG_FORM_MERGE_2 && insn->form <= PTOG_FORM_MERGE_4;
}

/* The scratch tile of tquant stands behind its destination. */
static bool is_scratch_in_outs(const struct ptog_text_insn *insn, int position)
{
    return insn->insn.opcode == PTOG_TQUANT && row_at(insn, position)->role == PTOG_ROLE_SCRATCH && insn->op->outs &&
           insn->op->outs->count == 2;
}

bool ptog_insn_operands(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->insn.opcode);
    uint32_t least = 0, most = 0, outs = 0, source = 0, destination = 0;
    for (int i = 0; i < row->count; i++) {
        bool out = row->of[i].role == PTOG_ROLE_OUT || is_scratch_in_outs(insn, i), taken = is_taken(insn, i);
        outs += taken && out;
        most += taken && !out;
        least += taken && !out && row->of[i].role != PTOG_ROLE_SCRATCH && !row->of[i].is_optional;
    }
    if (!have_counts(e, insn, least, most, outs + count_unread(insn)))
        return false;
    /* else a tmp was left out, which may stand in the middle, or no_tmp stands there */
    bool whole = insn->op->ins->count == most && (most == 0 || insn->op->ins->items[most - 1].kind != PTOG_ITEM_WORD);
    for (int i = 0; i < row->count; i++)
        if (is_taken(insn, i) && row->of[i].role != PTOG_ROLE_OUT && source < insn->op->ins->count &&
            !is_scratch_in_outs(insn, i) &&
            (whole || row->of[i].role != PTOG_ROLE_SCRATCH))
            read_source(e, insn, source++, i);
    for (int i = 0; i < row->count; i++)
        if (is_taken(insn, i) && (row->of[i].role == PTOG_ROLE_OUT || is_scratch_in_outs(insn, i)))
            read_destination(e, insn, destination++, i);
    return true;
}

/* ---- all of them */

/* The 8- and 4-bit types of PTO that this project has no element type for. */
static bool is_low_precision(const struct ptog_eval *e, const struct ptog_value *value)
{
    return value->type && ptog_element_is_low_precision(e->tree, &value->type->element);
}

/* Of the boxed layouts of UB, loads and stores know NZ. */
static bool is_other_box(const struct ptog_text_insn *insn, const struct ptog_value *value)
{
    return ptog_insn_family(&insn->insn) == PTOG_FAMILY_TRANSFER && value->kind == PTOG_VALUE_TILE &&
           value->tile.tile.loc == PTOG_VEC && ptog_tile_order(&value->tile.tile) > PTOG_ORDER_NZ;
}

/* Exponents and numbers of 4 bits in an instruction that this project has for other types only. */
static bool is_tiny_unsimulated(const struct ptog_eval *e, const struct ptog_text_insn *insn,
                              const struct ptog_value *value)
{
    enum ptog_dtype dtype = value->kind == PTOG_VALUE_TILE ? value->tile.tile.dtype : PTOG_DTYPE_NONE;
    bool moves = ptog_insn_family(&insn->insn) == PTOG_FAMILY_TRANSFER;
    if (!ptog_dtype_is_tiny(dtype))
        return false;
    if (value->tile.tile.loc != PTOG_VEC)
        return true;
    return insn->form != PTOG_FORM_CONVERT && !moves && !(ptog_accepted_types(e->target, insn->insn.opcode, insn->form, PTOG_AT_DST) >> dtype & 1);
}

/* What is not modelled is asked what compilers ask of it, and noted when it is right. */
static void say_not_modelled(struct ptog_eval *e, const struct ptog_text_insn *insn, struct ptog_span span,
                             const char *format, const char *name)
{
    if (ptog_eval_lint(e, insn->op))
        ptog_say_not_modelled(e, span, format, name);
}

/* Whether an operand is something that the simulator can execute; reports what is not. */
static bool is_modelled(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_text_operand *use)
{
    const struct ptog_value *value = use->value;
    struct ptog_span span = use->type ? use->type->span : use->item->span;
    if (is_other_box(insn, value)) {
        say_not_modelled(e, insn, span, "'%s' of a boxed tile other than NZ is not simulated",
                         ptog_op_info(insn->op->name)->name);
        return false;
    }
    if (is_tiny_unsimulated(e, insn, value)) {
        say_not_modelled(e, insn, span, "this instruction is not simulated with elements of type %.40s",
                         ptog_dtype_name(value->tile.tile.dtype));
        return false;
    }
    if (value->odd && is_low_precision(e, value)) {
        say_not_modelled(e, insn, span, "element type %.40s is not simulated",
                         ptog_tree_text(e->tree, value->type->element.name));
        return false;
    }
    if (value->odd) {
        ptog_diag_emit(e->diags, "text-element", span,
                       "%%%.80s has an element type that this instruction does not support",
                       ptog_tree_text(e->tree, use->item->name));
        return false;
    }
    if (value->kind == PTOG_VALUE_TILE && (unsigned)value->tile.tile.loc > PTOG_ACC && !ptog_op_is_cube(e, insn->op)) {
        ptog_diag_emit(e->diags, "text-location", span, "%%%.80s is in a memory that this instruction cannot access",
                       ptog_tree_text(e->tree, use->item->name));
        return false;
    }
    if (value->kind == PTOG_VALUE_VIEW && value->view.outside_gm) {
        ptog_diag_emit(e->diags, "text-location", span, "%%%.80s is not in global memory",
                       ptog_tree_text(e->tree, use->item->name));
        return false;
    }
    return true;
}

/* Notes that the tiles of the instruction are used here, and gives its new tiles places, as each execution does. */
void ptog_insn_use_places(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    uint8_t fresh = 0;
    for (int i = 0; i < insn->count; i++) {
        struct ptog_text_operand *use = &insn->of[i];
        if (use->left_out)
            continue;
        if (use->fresh)
            ptog_place_new(e, insn->op, fresh++, use->value);
        if (use->value->kind != PTOG_VALUE_TILE)
            continue;
        ptog_place_use(e, use->value);
        if (use->is_out && insn->form == PTOG_FORM_ELEM)
            ptog_place_use_elem(e, use->value);
    }
}

/* What a check notes about the buffers of the instruction. */
static void mark_buffers(struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++) {
        const struct ptog_text_operand *use = &insn->of[i];
        bool scratch = row_at(insn, use->position)->role == PTOG_ROLE_SCRATCH && use->value->kind == PTOG_VALUE_VIEW;
        if (!use->left_out && !scratch && (!use->is_out || row_at(insn, use->position)->is_read))
            ptog_mark_read(e, use->value);
        if (use->is_out || scratch)
            ptog_mark_written(e, use->value);
    }
}

bool ptog_insn_ready(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count && !insn->skip; i++)
        insn->skip = !is_modelled(e, insn, &insn->of[i]);
    for (int i = 0; i < insn->count && !insn->skip; i++)
        insn->of[i].left_out = ptog_insn_leaves_out(e, insn, &insn->of[i]);
    if (!insn->skip)
        ptog_insn_use_places(e, insn);
    if (!insn->skip)
        mark_buffers(e, insn);
    return !insn->skip;
}

void ptog_insn_finish(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    static const struct ptog_value any;
    for (int i = 0; i < insn->result_count; i++)
        ptog_define_result(e, insn->op, (uint32_t)i, insn->skip ? &any : &insn->results[i]);
}
