/* model: the instruction table, and what any instruction can be asked. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/insn.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "base/reserved.h"
#include "model/convert.h"
#include "model/cube/memories.h"
#include "model/cube/product.h"
#include "model/elementwise.h"
#include "model/families/combine.h"
#include "model/families/histogram.h"
#include "model/families/sorts.h"
#include "model/families/tgatherb.h"
#include "model/families/tscatter.h"
#include "model/lane.h"
#include "model/masks.h"
#include "model/mgather.h"
#include "model/moves.h"
#include "model/mscatter.h"
#include "model/overlap.h"
#include "model/reduce.h"
#include "model/singles.h"
#include "model/target.h"
#include "model/target_quirks.h"
#include "model/tensor.h"
#include "model/tgather.h"
#include "model/tile.h"
#include "model/transfer.h"

const char *ptog_operand_name(enum ptog_operand_name name)
{
    static const char *const names[PTOG_AT_COUNT + 1] = {
#define OPERAND(NAME, name, ...) [PTOG_AT_##NAME] = name,
#include <ptog/spec/forms.def>
        [PTOG_AT_SCALAR] = "the scalar",
        [PTOG_AT_SELF] = "instruction",
    };
    if ((unsigned)name <= PTOG_AT_COUNT)
        return names[name];
    return "?";
}

const char *ptog_operand_role(enum ptog_operand_name name)
{
    static const char *const roles[PTOG_AT_COUNT + 1] = {
#define OPERAND(NAME, name, words) [PTOG_AT_##NAME] = words,
#include <ptog/spec/forms.def>
        [PTOG_AT_SCALAR] = "the scalar",
        [PTOG_AT_SELF] = "the instruction",
    };
    if ((unsigned)name <= PTOG_AT_COUNT)
        return roles[name];
    return "?";
}

const char *ptog_operand_given_name(const struct ptog_operand *operand)
{
    if (operand->kind == PTOG_IS_VIEW)
        return operand->view.name;
    if (operand->kind == PTOG_IS_ABSENT)
        return NULL;
    return operand->tile.name;
}

const char *ptog_insn_operand_words(const struct ptog_insn *insn, enum ptog_operand_name name)
{
    int at = insn && name < PTOG_AT_SCALAR ? ptog_insn_find(insn, name) : -1;
    return ptog_or(at >= 0 ? ptog_operand_given_name(&insn->of[at]) : NULL, ptog_operand_role(name));
}

/* ---- the rows */

/* The forms by the names that the table uses: more than an int has bits. */
__extension__ enum {
#define FORM(NAME, ...) NAME = PTOG_FORM_BIT(PTOG_FORM_##NAME),
#include <ptog/spec/forms.def>
};

#define ROW_OF(NAME, role, kind, scalar, used, taken, ...)                                                             \
    {PTOG_AT_##NAME, PTOG_ROLE_##role, PTOG_IS_##kind, scalar, used, taken, __VA_ARGS__},
#define TILE_ROW(NAME, role, used, taken) ROW_OF(NAME, role, TILE, false, used, taken, .is_read = false)
#define VIEW_ROW_OF(NAME, role, forms) ROW_OF(NAME, role, VIEW, false, forms, forms, .is_read = false)
#define VIEW_ROW(NAME, role) VIEW_ROW_OF(NAME, role, PTOG_ALL_FORMS)
#define OUT(NAME) TILE_ROW(NAME, OUT, PTOG_ALL_FORMS, PTOG_ALL_FORMS)
#define BOTH(NAME) ROW_OF(NAME, OUT, TILE, false, PTOG_ALL_FORMS, PTOG_ALL_FORMS, .is_read = true)
#define OUT_OF(NAME, forms) TILE_ROW(NAME, OUT, forms, forms)
#define IN(NAME) TILE_ROW(NAME, IN, PTOG_ALL_FORMS, PTOG_ALL_FORMS)
#define IN_OF(NAME, forms) TILE_ROW(NAME, IN, forms, forms)
#define SAME(NAME) TILE_ROW(NAME, SAME, PTOG_ALL_FORMS, PTOG_ALL_FORMS)
#define PART(NAME) ROW_OF(NAME, SAME, TILE, false, PTOG_ALL_FORMS, PTOG_ALL_FORMS, .is_part = true)
#define SPREAD_ROW(NAME, way)                                                                                          \
    ROW_OF(NAME, SAME, TILE, false, PTOG_ALL_FORMS, PTOG_ALL_FORMS, .spread = PTOG_SPREAD_##way)
#define COLUMN(NAME) SPREAD_ROW(NAME, COLUMN)
#define LINE(NAME) SPREAD_ROW(NAME, ROW)
#define SCRATCH_OF(NAME, used, more) TILE_ROW(NAME, SCRATCH, used, (used) | (more))
#define PICK_OF(NAME, forms) ROW_OF(NAME, IN, TILE, true, forms, forms, .is_read = false)
#define OPTION_OF(NAME, forms) ROW_OF(NAME, IN, TILE, true, forms, forms, .is_optional = true)
#define SAME_PICK(NAME) ROW_OF(NAME, SAME, TILE, true, PTOG_ALL_FORMS, PTOG_ALL_FORMS, .is_read = false)
#define NUMBER(NAME) ROW_OF(NAME, IN, SCALAR, true, PTOG_ALL_FORMS, PTOG_ALL_FORMS, .is_read = false)
#define PLACE_OF(NAME, forms) ROW_OF(NAME, IN, SCALAR, true, forms, forms, .is_place = true)
#define PLACE(NAME) PLACE_OF(NAME, PTOG_ALL_FORMS)
#define FROM(NAME) VIEW_ROW(NAME, IN)
#define TO(NAME) VIEW_ROW(NAME, OUT)
#define FROM_OF(NAME, forms) VIEW_ROW_OF(NAME, IN, forms)
#define ROOM_OF(NAME, forms) VIEW_ROW_OF(NAME, SCRATCH, forms)

#define INSN(OPCODE, text, family, lane, kind, destinations, operands)                                                 \
    static const struct ptog_operand_row operands_of_##OPCODE[] = {operands};                                          \
    _Static_assert(sizeof operands_of_##OPCODE / sizeof operands_of_##OPCODE[0] <= PTOG_MAX_OPERANDS,                  \
                   text ": too many operands");
#include <ptog/spec/insns.def>

const struct ptog_insn_row ptog_insn_rows[PTOG_OPCODES] = {
    [PTOG_NO_INSN] = {.name = "?"},
#define INSN(OPCODE, text, family_, lane_, kind, destinations, operands)                                               \
    [PTOG_##OPCODE] = {.name = text,                                                                                   \
                       .family = PTOG_FAMILY_##family_,                                                                \
                       .lane = PTOG_LANE_##lane_,                                                                      \
                       .count = sizeof operands_of_##OPCODE / sizeof operands_of_##OPCODE[0],                          \
                       .of = {operands}},
#include <ptog/spec/insns.def>
};

/* Rules for one instruction keep its number above the bits of the forms. */
_Static_assert(PTOG_FORMS<64 && (UINT64_C(1) << (64 - PTOG_FORMS))> PTOG_OPCODES,
               "more forms than a set of them has room for");

const unsigned ptog_insn_row_count = PTOG_OPCODES;

const char *ptog_opcode_name(enum ptog_opcode opcode)
{
    return ptog_insn_row(opcode)->name;
}

enum ptog_opcode ptog_opcode_find(const char *name)
{
    if (name && strncmp(name, "pto.", 4) == 0)
        name += 4;
    for (int i = 1; name && i < PTOG_OPCODES; i++)
        if (strcmp(ptog_insn_rows[i].name, name) == 0)
            return (enum ptog_opcode)i;
    return PTOG_NO_INSN;
}

/* ---- forms */

static const struct {
    enum ptog_family family;
    const char *words;
} forms[PTOG_FORMS] = {
#define FORM(NAME, family, words) [PTOG_FORM_##NAME] = {PTOG_FAMILY_##family, words},
#include <ptog/spec/forms.def>
};

const char *ptog_form_name(enum ptog_form form)
{
    if ((unsigned)form < PTOG_FORMS)
        return forms[form].words;
    return "?";
}

enum ptog_family ptog_form_family(enum ptog_form form)
{
    return forms[form].family;
}

ptog_form_set ptog_family_forms(enum ptog_family family)
{
    ptog_form_set set = 0;
    for (int form = 0; form < PTOG_FORMS; form++)
        if (forms[form].family == family)
            set |= PTOG_FORM_BIT(form);
    return set;
}

enum ptog_form ptog_insn_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    static enum ptog_form (*const form_of[PTOG_FAMILIES])(const struct ptog_target *, const struct ptog_insn *) = {
#define FAMILY(NAME, name) [PTOG_FAMILY_##NAME] = ptog_##name##_form,
#include <ptog/spec/forms.def>
    };
    if (!target || !insn || ptog_insn_row(insn->opcode)->count == 0)
        return PTOG_FORMS;
    return form_of[ptog_insn_family(insn)](target, insn);
}

/* ---- operands */

int ptog_insn_find(const struct ptog_insn *insn, enum ptog_operand_name name)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    for (int i = 0; i < row->count; i++)
        if (row->of[i].name == name)
            return i;
    return -1;
}

static bool is_unreserved(const struct ptog_operand *operand)
{
    if (operand->reserved != 0)
        return false;
    if (operand->kind == PTOG_IS_VIEW)
        return ptog_is_unreserved(&operand->view);
    return operand->kind == PTOG_IS_ABSENT || ptog_is_unreserved(&operand->tile);
}

const char *ptog_insn_malformed(const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    if (row->count == 0)
        return "has an unknown opcode";
    if (insn->count != row->count)
        return "has a different number of operands than its row in ptog/spec/insns.def";
    if (!ptog_is_unreserved(insn))
        return "has a reserved word that is not zero";
    for (int i = 0; i < row->count; i++) {
        bool scalar = insn->of[i].kind == PTOG_IS_SCALAR && row->of[i].scalar;
        if (insn->of[i].kind != row->of[i].kind && insn->of[i].kind != PTOG_IS_ABSENT && !scalar)
            return "has an operand of a different kind than its row in ptog/spec/insns.def";
        if (!is_unreserved(&insn->of[i]))
            return "has an operand with a reserved word that is not zero";
    }
    return NULL;
}

bool ptog_insn_has(const struct ptog_insn *insn, enum ptog_form form, int position)
{
    const struct ptog_operand_row *row = &ptog_insn_row(insn->opcode)->of[position];
    if (!(row->taken & PTOG_FORM_BIT(form)))
        return false;
    if (row->is_optional)
        return insn->of[position].kind != PTOG_IS_ABSENT;
    if (row->kind == PTOG_IS_VIEW && row->role == PTOG_ROLE_SCRATCH)
        return insn->of[position].kind != PTOG_IS_ABSENT;
    return row->role != PTOG_ROLE_SCRATCH || insn->of[position].tile.dtype != PTOG_DTYPE_NONE;
}

#define STEP_BYTES 256 /* of a vector register: read whole before it is written */

/* Devices go through the rows in order, a step after the other, and may do all rows of the first step before the second
 * one: rows are one step long, or follow each other without gaps in both tiles. */
static bool is_read_first(const struct ptog_target *target, const struct ptog_insn *insn, int out, int in)
{
    const struct ptog_tile *dst = &insn->of[out].tile, *src = &insn->of[in].tile;
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    if (!target || target->machine == PTOG_NO_MACHINE || row->family != PTOG_FAMILY_ELEMENTWISE ||
        row->of[in].is_part || !ptog_tile_never_overtakes(dst, src, 0))
        return false;
    int64_t cols = dst->cols;
    if (dst->valid_col > 0)
        cols = dst->valid_col;
    bool packed = cols == dst->cols && cols == src->cols && row->of[in].spread == PTOG_SPREAD_NONE;
    bool one_step = cols <= STEP_BYTES && cols * (int64_t)ptog_dtype_size(dst->dtype) <= STEP_BYTES;
    return packed || one_step || dst->valid_row == 1;
}

/* The indices of Elem, element under element, on a target that gathers in order. */
static bool is_gathered_in_order(const struct ptog_target *target, const struct ptog_insn *insn, int in)
{
    const struct ptog_tile *dst = ptog_mgather_dst(insn), *idx = ptog_mgather_idx(insn);
    return target && target->elem_in_order && in == PTOG_MGATHER_IDX && !ptog_mgather_is_row(target, insn) &&
           dst->addr == idx->addr && dst->cols == idx->cols && ptog_tile_order(dst) == PTOG_ORDER_ROW &&
           ptog_tile_order(idx) == PTOG_ORDER_ROW && ptog_dtype_size(dst->dtype) == ptog_dtype_size(idx->dtype);
}

bool ptog_insn_is_in_place(const struct ptog_target *target, const struct ptog_insn *insn, int out, int in)
{
    const struct ptog_tile *dst = &insn->of[out].tile, *src = &insn->of[in].tile;
    if (dst->loc != src->loc)
        return false;
    if (ptog_insn_family(insn) == PTOG_FAMILY_MGATHER)
        return is_gathered_in_order(target, insn, in);
    if (insn->opcode == PTOG_TMRGSORT)
        return ptog_merge_goes_through_tmp(target, insn, in);
    if (ptog_insn_row(insn->opcode)->of[in].role != PTOG_ROLE_SAME || ptog_quirk_is_apart(target, insn, in))
        return false;
    if (insn->opcode == PTOG_TCVT)
        return src->addr == dst->addr && ptog_conversion_narrows_in_place(dst, src);
    if (insn->opcode == PTOG_TEXTRACT)
        return ptog_window_is_read_first(insn);
    if (ptog_insn_family(insn) == PTOG_FAMILY_REDUCE) /* of dst, only the first row is written */
        return src->addr == dst->addr && src->dtype == dst->dtype;
    if (is_read_first(target, insn, out, in))
        return true;
    return src->addr == dst->addr && src->rows == dst->rows && src->cols == dst->cols &&
           ptog_tile_order(src) == ptog_tile_order(dst) && ptog_dtype_size(src->dtype) == ptog_dtype_size(dst->dtype);
}

void ptog_insn_copy(struct ptog_insn *to, const struct ptog_insn *from)
{
    memcpy(to, from, ptog_insn_bytes(from));
}

void ptog_insn_start(struct ptog_insn *insn, enum ptog_opcode opcode)
{
    const struct ptog_insn_row *row = ptog_insn_row(opcode);
    if (!insn)
        return;
    memset(insn, 0, offsetof(struct ptog_insn, of) + (size_t)row->count * sizeof insn->of[0]);
    insn->opcode = row->count > 0 ? opcode : PTOG_NO_INSN;
    insn->count = row->count;
}

void ptog_insn_set_tile(struct ptog_insn *insn, int position, const struct ptog_tile *tile)
{
    if (!insn || !tile || position < 0 || position >= insn->count)
        return;
    insn->of[position].kind = PTOG_IS_TILE;
    memcpy(&insn->of[position].tile, tile, sizeof *tile);
}

void ptog_insn_set_view(struct ptog_insn *insn, int position, const struct ptog_tensor *view)
{
    insn->of[position].kind = PTOG_IS_VIEW;
    memcpy(&insn->of[position].view, view, sizeof *view);
}

void ptog_insn_set_scalar(struct ptog_insn *insn, int position, enum ptog_dtype dtype, uint64_t bits)
{
    if (!insn || position < 0 || position >= insn->count)
        return;
    struct ptog_operand *operand = &insn->of[position];
    memset(operand, 0, sizeof *operand);
    operand->kind = PTOG_IS_SCALAR;
    memcpy(&operand->bits, &bits, ptog_dtype_size(dtype)); /* what lies above the type is no part of it */
    operand->tile.dtype = dtype;
    operand->tile.rows = operand->tile.cols = 1;
}

void ptog_insn_tiles(struct ptog_insn *insn, enum ptog_opcode opcode, const struct ptog_tile *tiles, size_t count)
{
    ptog_insn_start(insn, opcode);
    for (size_t i = 0; insn && tiles && i < count && i < (size_t)insn->count; i++)
        ptog_insn_set_tile(insn, (int)i, &tiles[i]);
}

/* ---- extents */

#define NOT_GIVEN SIZE_MAX
#define VALID_OF(operand) offsetof(struct ptog_run, operand##_valid)

/* Where the valid extent of an operand stands in struct ptog_run; NOT_GIVEN: nowhere. */
static size_t valid_offset(const struct ptog_operand_row *row)
{
    switch (row->name) {
    case PTOG_AT_DST: return VALID_OF(dst);
    case PTOG_AT_TILE: return row->role == PTOG_ROLE_OUT ? VALID_OF(dst) : VALID_OF(src);
    case PTOG_AT_SRC:
    case PTOG_AT_SRC0: return VALID_OF(src);
    case PTOG_AT_BITS:
    case PTOG_AT_OFFSET:
    case PTOG_AT_SRC2:
    case PTOG_AT_IDX: return VALID_OF(idx);
    case PTOG_AT_SRC3:
    case PTOG_AT_IDX1:
    case PTOG_AT_BIAS:
    case PTOG_AT_QUANT:
    case PTOG_AT_K: return VALID_OF(k);
    case PTOG_AT_VAL:
    case PTOG_AT_SUM:
    case PTOG_AT_DST1:
    case PTOG_AT_CDST: return VALID_OF(cdst);
    case PTOG_AT_SRC1: return VALID_OF(src1);
    default: return NOT_GIVEN;
    }
}

const int64_t *ptog_run_valid(const struct ptog_run *run, const struct ptog_operand_row *row)
{
    size_t offset = valid_offset(row);
    return offset == NOT_GIVEN ? NULL : (const int64_t *)(const void *)((const char *)run + offset);
}

int64_t *ptog_run_valid_of(struct ptog_run *run, const struct ptog_operand_row *row)
{
    size_t offset = valid_offset(row);
    return offset == NOT_GIVEN ? NULL : (int64_t *)(void *)((char *)run + offset);
}

static void add_extent(struct ptog_extents *extents, struct ptog_open_extent extent)
{
    extents->of[extents->count++] = extent;
}

static void add_tile(struct ptog_extents *extents, enum ptog_operand_name name, struct ptog_tile *tile,
                     const int64_t *given)
{
    add_extent(extents, (struct ptog_open_extent){name, PTOG_VALID_ROW, 0, &tile->valid_row, given[0]});
    add_extent(extents, (struct ptog_open_extent){name, PTOG_VALID_COL, 0, &tile->valid_col, given[1]});
}

/* Adds the shape and strides of a view to the open extents. */
static void add_view(struct ptog_extents *extents, enum ptog_operand_name name, struct ptog_tensor *view,
                     const struct ptog_run *run)
{
    for (int d = 0; d < 5; d++)
        add_extent(extents, (struct ptog_open_extent){name, PTOG_SHAPE, d, &view->shape[d], run->shape[d]});
    for (int d = 0; d < 5; d++)
        add_extent(extents, (struct ptog_open_extent){name, PTOG_STRIDE, d, &view->stride[d], run->stride[d]});
}

/* Lists the extents of an instruction that a run may give, in the order of the operands' names, as everything is
 * reported. */
void ptog_insn_extents(struct ptog_insn *insn, const struct ptog_run *run, struct ptog_extents *extents)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    signed char at[PTOG_AT_COUNT]; /* by name: the operand; -1: there is none */
    memset(at, -1, sizeof at);
    for (int i = row->count - 1; i >= 0; i--)
        at[row->of[i].name] = (signed char)i;
    extents->count = 0;
    for (int name = 0; name < PTOG_AT_SCALAR; name++) {
        int i = at[name];
        if (i < 0)
            continue;
        const int64_t *given = ptog_run_valid(run, &row->of[i]);
        bool view = name == PTOG_AT_TABLE || name == PTOG_AT_VIEW; /* a run has the extents of one */
        if (insn->of[i].kind == PTOG_IS_VIEW && view)
            add_view(extents, (enum ptog_operand_name)name, &insn->of[i].view, run);
        else if (insn->of[i].kind == PTOG_IS_TILE && given)
            add_tile(extents, (enum ptog_operand_name)name, &insn->of[i].tile, given);
    }
}

static bool tile_is_open(const struct ptog_tile *tile)
{
    return tile->valid_row == PTOG_DYN || tile->valid_col == PTOG_DYN;
}

static bool view_is_open(const struct ptog_tensor *view)
{
    for (int d = 0; d < 5; d++)
        if (view->shape[d] == PTOG_DYN || view->stride[d] == PTOG_DYN)
            return true;
    return false;
}

bool ptog_insn_is_open(const struct ptog_insn *insn)
{
    for (int i = 0; i < insn->count; i++) {
        const struct ptog_operand *operand = &insn->of[i];
        if (operand->kind == PTOG_IS_VIEW ? view_is_open(&operand->view) : tile_is_open(&operand->tile))
            return true;
    }
    return false;
}

/* Puts a run's extents in where the instruction leaves them open. */
static void apply_extents(struct ptog_insn *insn, const struct ptog_run *run)
{
    struct ptog_extents extents;
    ptog_insn_extents(insn, run, &extents);
    for (int i = 0; i < extents.count; i++)
        if (*extents.of[i].planned == PTOG_DYN && extents.of[i].given != 0)
            *extents.of[i].planned = extents.of[i].given;
}

void ptog_insn_resolve(struct ptog_insn *known, const struct ptog_insn *insn, const struct ptog_run *run)
{
    ptog_insn_copy(known, insn);
    if (run && ptog_insn_is_open(known))
        apply_extents(known, run);
    for (int i = 0; i < known->count; i++)
        if (known->of[i].kind == PTOG_IS_VIEW)
            ptog_tensor_fill_defaults(&known->of[i].view);
        else
            ptog_tile_fill_defaults(&known->of[i].tile);
}

void ptog_known_start(struct ptog_known_insn *known, const struct ptog_target *target, const struct ptog_insn *insn,
                      const struct ptog_run *run)
{
    memset(known, 0, offsetof(struct ptog_known_insn, insn));
    ptog_insn_resolve(&known->insn, insn, run);
    if (ptog_insn_family(insn) == PTOG_FAMILY_TRANSFER)
        ptog_transfer_settle(target, &known->insn);
    known->target = target;
    known->open = ptog_insn_is_open(insn);
    known->form = ptog_insn_form(target, &known->insn);
    known->view = -1;
    for (int i = 0; i < known->insn.count; i++) {
        if (known->insn.of[i].kind == PTOG_IS_VIEW && known->view < 0)
            known->view = i;
        else if (known->insn.of[i].kind != PTOG_IS_VIEW && insn->of[i].tile.valid_col == PTOG_DYN)
            known->late_cols |= (uint8_t)(1u << i);
        if (known->insn.of[i].kind == PTOG_IS_TILE)
            ptog_tile_settle(target, &known->insn.of[i].tile);
    }
}

struct ptog_known_insn *ptog_known_share(const struct ptog_known_insn *known)
{
    struct ptog_known_insn *shared = (struct ptog_known_insn *)(uintptr_t)known;
    if (known->holders == 0) {
        shared = malloc(ptog_known_bytes(known));
        if (!shared)
            return NULL;
        memcpy(shared, known, ptog_known_bytes(known));
    }
    shared->holders++;
    return shared;
}

void ptog_known_let_go(struct ptog_known_insn *known)
{
    if (known && --known->holders == 0)
        free(known);
}
