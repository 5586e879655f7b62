/* lower: tiles: alloc_tile, set_validshape, tassign. */
#include <inttypes.h>
#include <string.h>

#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/forward_address.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/cube/memories.h"
#include "model/tile.h"

/* A tile is changed in place: outside a conditional region nobody knows whether it was. */
static void touch(struct ptog_eval *e, const struct ptog_value *value)
{
    uint32_t number = value->name ? e->value_of[value->name] : 0;
    if (number != 0 && value->depth < e->depth && !ptog_stack_push(&e->dirty, &number, sizeof number))
        e->no_memory = true;
}

/* ---- valid extents */

bool ptog_set_valid(struct ptog_eval *e, struct ptog_span span, struct ptog_number number, int64_t most, int64_t *to)
{
    *to = PTOG_DYN;
    if (!number.known)
        return true;
    if (number.value == 0) {
        *to = PTOG_NOTHING_VALID;
        return true;
    }
    if (number.value < 0 || (most > 0 && number.value > most)) {
        ptog_diag_emit(e->diags, "text-valid", span, "%" PRId64 " is not between 0 and %" PRId64, number.value, most);
        e->stopped = e->running;
        return false;
    }
    *to = number.value;
    return true;
}

/* Reads valid_row or valid_col: given exactly when the type has '?' there. False after an error. */
static bool read_valid(struct ptog_eval *e, const struct ptog_op *op, enum ptog_tile_clause clause,
                       struct ptog_made_code *made, struct ptog_number *number)
{
    bool row = clause == PTOG_CLAUSE_VALID_ROW;
    const struct ptog_part *part =
        ptog_op_part(op, PTOG_PART_KEY, row ? (ptog_symbol)PTOG_WORD_valid_row : (ptog_symbol)PTOG_WORD_valid_col);
    const char *name = row ? "valid_row" : "valid_col";
    const struct ptog_type *type = made->use->type;
    const struct ptog_extent *extent = &type->field[row ? PTOG_FIELD_V_ROW : PTOG_FIELD_V_COL];
    bool wants_size = extent->name == 0 && extent->value == PTOG_DYN && !type->elided;
    if (part && !wants_size) {
        ptog_diag_emit(e->diags, "text-extent", part->span, "%s is given, but the type already fixes the valid extent",
                       name);
        return false;
    }
    if (!part && wants_size) {
        struct ptog_diag_entry *found =
            ptog_diag_emit(e->diags, "text-extent", ptog_type_inside(made->use, extent->inside),
                           "the type has '?' here, so %s is required", name);
        ptog_diag_add_fix(e->diags, found, row ? "add valid_row = %n" : "add valid_col = %n");
        return false;
    }
    if (!part)
        return true;
    made->has[clause] = true;
    made->spans[clause] = part->items[0].span;
    return ptog_use_number(e, &part->items[0], NULL, number);
}

bool ptog_set_valid_clauses(struct ptog_eval *e, const struct ptog_made_code *made, int64_t rows, int64_t cols,
                            const struct ptog_number n[PTOG_TILE_CLAUSES], struct ptog_tile *tile)
{
    bool good = true;
    if (made->has[PTOG_CLAUSE_VALID_ROW])
        good = ptog_set_valid(e, made->spans[PTOG_CLAUSE_VALID_ROW], n[PTOG_CLAUSE_VALID_ROW], rows, &tile->valid_row);
    if (made->has[PTOG_CLAUSE_VALID_COL])
        good =
            ptog_set_valid(e, made->spans[PTOG_CLAUSE_VALID_COL], n[PTOG_CLAUSE_VALID_COL], cols, &tile->valid_col) &&
            good;
    return good;
}

bool ptog_read_tile(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                    struct ptog_made_code *made, struct ptog_number n[PTOG_TILE_CLAUSES])
{
    made->use = use;
    if (!ptog_tile_from_type(e, use, &made->value))
        return false;
    made->value.name = op->result_count > 0 ? op->results[0].name : 0;
    made->value.span = op->result_count > 0 ? op->results[0].span : op->name_span;
    bool good = read_valid(e, op, PTOG_CLAUSE_VALID_ROW, made, &n[PTOG_CLAUSE_VALID_ROW]);
    return read_valid(e, op, PTOG_CLAUSE_VALID_COL, made, &n[PTOG_CLAUSE_VALID_COL]) && good;
}

bool ptog_emit_tile(struct ptog_eval *e, const struct ptog_op *op, enum ptog_code_kind kind,
                    struct ptog_made_code *made, struct ptog_number n[PTOG_TILE_CLAUSES])
{
    static const ptog_symbol words[PTOG_TILE_CLAUSES] = {PTOG_WORD_valid_row, PTOG_WORD_valid_col, PTOG_WORD_addr};
    const struct ptog_part *addr = ptog_op_part(op, PTOG_PART_KEY, PTOG_WORD_addr);
    struct ptog_code_arg args[PTOG_TILE_CLAUSES];
    uint32_t count = 0;
    if (addr) {
        made->has[PTOG_CLAUSE_ADDR] = true;
        made->spans[PTOG_CLAUSE_ADDR] = addr->span;
        if (!ptog_use_number(e, &addr->items[0], NULL, &n[PTOG_CLAUSE_ADDR]))
            return false;
    }
    for (int i = 0; i < PTOG_TILE_CLAUSES; i++)
        if (made->has[i])
            args[count++] = ptog_code_arg_of(e, &ptog_op_part(op, PTOG_PART_KEY, words[i])->items[0]);
    ptog_emit_made(e, kind, op, made, args, count);
    return true;
}

bool ptog_place_made(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                     const struct ptog_number n[PTOG_TILE_CLAUSES], struct ptog_value *value)
{
    if (made->has[PTOG_CLAUSE_ADDR])
        return ptog_place_at(e, value, n[PTOG_CLAUSE_ADDR], made->spans[PTOG_CLAUSE_ADDR]);
    ptog_place_new(e, op, 0, value);
    return true;
}

/* ---- alloc_tile */

/* Warns of a tile that is not made of whole 32-byte blocks. */
static void check_blocks(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_tile *tile)
{
    bool must_be_blocks = e->target->ub_bytes > 0 || e->program->strict; /* host takes every tile */
    if (!must_be_blocks || ptog_tile_is_of_blocks(tile))
        return;
    struct ptog_diag_entry *found = ptog_diag_emit(e->diags, "text-tile-align", op->name_span,
                                                   "a tile of %" PRId64 "x%" PRId64
                                                   " %s is not a multiple of 32 bytes, as current compilers require",
                                                   tile->rows, tile->cols, ptog_dtype_name(tile->dtype));
    ptog_diag_add_fix(e->diags, found, "pad the tile and keep its valid shape");
}

/* Whether a tile fits in its memory of the cube core; reports where not. */
static bool check_buffer(struct ptog_eval *e, const struct ptog_type_use *use, const struct ptog_tile *tile)
{
    if (tile->loc == PTOG_VEC || (unsigned)tile->loc >= PTOG_LOCS)
        return true;
    int64_t most = (int64_t)ptog_memory_bytes(e->target, tile->loc);
    if (most == 0) /* host and cpu: as much as the largest device has */
        most = (int64_t)ptog_memory_bytes(ptog_target_at(PTOG_TARGET_A5), tile->loc);
    if (tile->dtype == PTOG_DTYPE_NONE || ptog_tile_bytes(tile) <= most)
        return true;
    ptog_diag_emit(e->diags, "text-buffer-size", use->span, "the tile has %lld bytes, but its buffer has only %lld",
                   (long long)ptog_tile_bytes(tile), (long long)most);
    return false;
}

bool ptog_make_tile(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                    const struct ptog_number n[PTOG_TILE_CLAUSES], struct ptog_value *value)
{
    *value = made->value;
    struct ptog_tile *tile = &value->tile.tile;
    return ptog_set_valid_clauses(e, made, tile->rows, tile->cols, n, tile) && ptog_place_made(e, op, made, n, value);
}

/* Fills *value with a tile of the written type and clauses, at its place, and appends the record; false after an
 * error. */
static bool alloc_tile(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                       struct ptog_value *value)
{
    struct ptog_made_code made = {0};
    struct ptog_number n[PTOG_TILE_CLAUSES] = {{0}};
    if (!ptog_read_tile(e, op, use, &made, n))
        return false;
    if (op->name == PTOG_OP_NAME_ALLOC_TILE) /* compilers pad what a memref has */
        check_blocks(e, op, &made.value.tile.tile);
    return check_buffer(e, use, &made.value.tile.tile) && ptog_emit_tile(e, op, PTOG_CODE_TILE, &made, n) &&
           ptog_make_tile(e, op, &made, n, value);
}

/* Reports that the type of an allocation is missing, or is no tile. */
static void say_no_tile(struct ptog_eval *e, const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_MEMREF_ALLOC)
        ptog_refuse(e, "text-operands", op->name_span,
                    "'memref.alloc' needs a memref of constant extents in an on-chip memory, such as "
                    "memref<16x32xf16, #pto.address_space<vec>>");
    else
        ptog_diag_emit(e->diags, "text-operands", op->name_span, "'%s' needs the type of its tile",
                       ptog_op_info(op->name)->name);
    e->stopped = e->running;
}

/* Lowers pto.alloc_tile: defines a tile, or after an error a value of which nothing is known. */
static void eval_alloc(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_type_use *use = ptog_only_type(&operands);
    struct ptog_value value = {0};
    if (!ptog_want_operands(e, op, operands.count, 0, 0) || !ptog_want_results(e, op, 1))
        return;
    if (!use || !ptog_type_is_tile(use->type))
        say_no_tile(e, op);
    else if (!alloc_tile(e, op, use, &value))
        value = (struct ptog_value){0};
    ptog_define_result(e, op, 0, &value);
}

/* ---- changes in place */

void ptog_change_valid(struct ptog_eval *e, const struct ptog_made_code *made, struct ptog_number row,
                       struct ptog_number col, struct ptog_value *value)
{
    struct ptog_tile *tile = &value->tile.tile;
    ptog_value_changed(e, value);
    ptog_set_valid(e, made->spans[0], row, tile->rows, &tile->valid_row);
    ptog_set_valid(e, made->spans[1], col, tile->cols, &tile->valid_col);
}

static bool fixes_valid(const struct ptog_type *type)
{
    return type && !type->elided && type->field[PTOG_FIELD_V_ROW].value != PTOG_DYN &&
           type->field[PTOG_FIELD_V_COL].value != PTOG_DYN;
}

/* Lowers pto.set_validshape: changes the valid extents of a tile from there on. */
static void eval_validshape(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 3, 3) || !ptog_want_results(e, op, 0))
        return;
    const struct ptog_type_use *use = ptog_operand_type(&operands, 0);
    struct ptog_value *value = ptog_use_as(e, &operands.items[0], use, PTOG_VALUE_TILE);
    struct ptog_number row, col;
    bool good = ptog_use_number(e, &operands.items[1], NULL, &row);
    good = ptog_use_number(e, &operands.items[2], NULL, &col) && good;
    if (!value || !good)
        return;
    if (fixes_valid(value->type)) {
        struct ptog_diag_entry *found =
            ptog_diag_emit(e->diags, "text-extent", operands.items[0].span,
                           "the type of %%%.80s fixes the valid extents, so they cannot change",
                           ptog_tree_text(e->tree, operands.items[0].name));
        ptog_diag_relate(found, value->span, "defined here");
    }
    struct ptog_made_code made = {.spans = {operands.items[1].span, operands.items[2].span}};
    struct ptog_code_arg args[3];
    for (uint32_t i = 0; i < 3; i++)
        args[i] = ptog_code_arg_of(e, &operands.items[i]);
    ptog_emit_made(e, PTOG_CODE_SET_VALID, op, &made, args, 3);
    touch(e, value);
    ptog_change_valid(e, &made, row, col, value);
}

/* The address: %x, a number, or @tile(0x1000). */
static bool read_addr(struct ptog_eval *e, const struct ptog_item *item, struct ptog_number *addr,
                      struct ptog_code_arg *arg)
{
    const struct ptog_item *number = item;
    if (item->kind == PTOG_ITEM_SYMBOL && item->called && item->count == 1 && ptog_tree_is(e->tree, item->name, "tile"))
        number = &item->items[0];
    if (number->kind != PTOG_ITEM_SYMBOL) {
        bool good = ptog_use_number(e, number, NULL, addr);
        *arg = ptog_code_arg_of(e, number);
        return good;
    }
    return ptog_refuse(e, "text-operand", item->span, "expected an address such as @tile(0x1000)");
}

/* A tile from outside that is given an address before anything touches it has its data there from the start. */
static void move_slot(struct ptog_eval *e, const struct ptog_value *from, const struct ptog_tile_value *to)
{
    if (e->depth > 0 || from->slot == 0 || from->tile.place == 0 || !to->tile.placed ||
        e->places[from->tile.place - 1].needed)
        return;
    struct ptog_tile_value *slot = &e->slots[from->slot - 1].value.tile;
    slot->tile = ptog_tile_at(slot->tile, to->tile.addr);
    slot->place = 0;
}

/* Compilers give an address to tiles only, and none to a memref. */
static bool check_is_tile(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use)
{
    const struct ptog_value *value = item->kind == PTOG_ITEM_VALUE ? ptog_value_named(e, item->name) : NULL;
    const struct ptog_type *type = ptog_used_type(use);
    bool memref = type && (type->kind == PTOG_TYPE_MEMREF || type->kind == PTOG_TYPE_PTO_MEMREF);
    if (!memref || !value || (value->kind != PTOG_VALUE_ANY && value->kind != PTOG_VALUE_TILE))
        return true;
    ptog_diag_emit(e->diags, "text-operand", item->span, "%%%.80s is a memref, but a tile is expected here",
                   ptog_tree_text(e->tree, item->name));
    return false;
}

bool ptog_change_address(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_value *from,
                         struct ptog_number addr, struct ptog_value *value)
{
    *value = *from;
    if (ptog_place_at(e, value, addr, made->spans[0]))
        return true;
    e->stopped = e->running;
    return false;
}

/* The result, or the tile itself, has the new address. */
static void finish_tassign(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                           struct ptog_value *from, struct ptog_value *value)
{
    const struct ptog_type_use *use = operands->result_count > 0 ? operands->results : NULL;
    if (op->result_count > 0) {
        if (use && from && from->type && !ptog_types_agree(use->type, from->type))
            ptog_diag_emit(e->diags, "text-type-mismatch", use->span, "the result must have the type of %%%.80s",
                           ptog_tree_text(e->tree, operands->items[0].name));
        if (use)
            value->type = use->type;
        ptog_define_result(e, op, 0, value);
    } else if (value->kind == PTOG_VALUE_TILE) {
        if (from->depth < e->depth)
            ptog_life_lend(e, from); /* where this is not executed, the tile keeps its old place */
        touch(e, from);
        move_slot(e, from, &value->tile);
        from->tile = value->tile;
        ptog_value_changed(e, from);
    }
}

/* Lowers pto.tassign: gives a tile an address, or defines a tile that has one. */
static void eval_tassign(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, op->result_count != 0))
        return;
    struct ptog_made_code made = {.use = operands.result_count > 0 ? operands.results : NULL,
                                  .name = operands.items[0].name,
                                  .spans = {operands.items[1].span}};
    struct ptog_code_arg args[2];
    struct ptog_number addr;
    bool good = read_addr(e, &operands.items[1], &addr, &args[1]);
    if (op->result_count == 0 && ptog_is_yet_to_come(e, op, &operands.items[0])) {
        if (good) {
            ptog_emit_made(e, PTOG_CODE_ADDRESS, op, &made, &args[1], 1);
            ptog_set_forward_address(e, made.name, addr, made.spans[0]);
        }
        return;
    }
    const struct ptog_type_use *type = ptog_operand_type(&operands, 0);
    struct ptog_value *from = ptog_use_as(e, &operands.items[0], type, PTOG_VALUE_TILE);
    struct ptog_value value = {0};
    good = check_is_tile(e, &operands.items[0], type) && good;
    if (from && good) {
        args[0] = ptog_code_arg_of(e, &operands.items[0]);
        ptog_emit_made(e, PTOG_CODE_ASSIGN, op, &made, args, 2);
        if (!ptog_change_address(e, &made, from, addr, &value))
            value = (struct ptog_value){0};
    }
    finish_tassign(e, op, &operands, from, &value);
}

/* Lowers an operation that makes or changes tiles. */
void ptog_eval_tile(struct ptog_eval *e, const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_DECLARE_TILE: /* which something else may give its bytes */
    case PTOG_OP_NAME_MEMREF_ALLOC:
    case PTOG_OP_NAME_ALLOC_TILE: eval_alloc(e, op); break;
    case PTOG_OP_NAME_SET_VALIDSHAPE: eval_validshape(e, op); break;
    default: eval_tassign(e, op); break;
    }
}
