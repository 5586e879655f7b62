/* program: tiles: alloc_tile, set_validshape, tassign. */
#include <inttypes.h>
#include <string.h>

#include "model/tile.h"
#include "program/bind.h"
#include "program/forward_address.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/place.h"
#include "program/scope.h"
#include "program/types.h"

/* A tile is changed in place: outside a conditional region nobody knows whether it was. */
static void touch(struct ptog_eval *e, const struct ptog_value *value)
{
    uint32_t number = value->name ? e->value_of[value->name] : 0;
    if (!e->running && number != 0 && value->depth < e->depth && !ptog_stack_push(&e->dirty, &number, sizeof number))
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
        ptog_say(e->finds, "text-valid", span, "%" PRId64 " is not between 0 and %" PRId64, number.value, most);
        e->stopped = e->running;
        return false;
    }
    *to = number.value;
    return true;
}

/* valid_row and valid_col are given exactly when the type has '?' there. */
static bool read_valid(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use, ptog_symbol word,
                       int64_t most, int64_t *valid)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_KEY, word);
    bool row = word == PTOG_WORD_valid_row;
    const char *name = row ? "valid_row" : "valid_col";
    const struct ptog_extent *extent = &use->type->field[row ? PTOG_FIELD_V_ROW : PTOG_FIELD_V_COL];
    bool asked = extent->name == 0 && extent->value == PTOG_DYN && !use->type->elided;
    if (part && !asked) {
        ptog_say(e->finds, "text-extent", part->span, "%s is given, but the type already fixes the valid extent", name);
        return false;
    }
    if (!part && asked) {
        struct ptog_found *found = ptog_say(e->finds, "text-extent", ptog_type_inside(use, extent->inside),
                                            "the type has '?' here, so %s is required", name);
        ptog_say_fix(e->finds, found, row ? "add valid_row = %n" : "add valid_col = %n");
        return false;
    }
    struct ptog_number number;
    if (!part)
        return true;
    return ptog_use_number(e, &part->items[0], NULL, &number) &&
           ptog_set_valid(e, part->items[0].span, number, most, valid);
}

/* ---- alloc_tile */

static void check_blocks(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_tile *tile)
{
    bool asked = e->target->ub_bytes > 0 || e->program->strict; /* host takes every tile */
    if (e->running || !asked || ptog_tile_is_of_blocks(tile))
        return;
    struct ptog_found *found =
        ptog_say(e->finds, "text-tile-align", op->name_span,
                 "a tile of %" PRId64 "x%" PRId64 " %s is not a multiple of 32 bytes, as current compilers require",
                 tile->rows, tile->cols, ptog_dtype_name(tile->dtype));
    ptog_say_fix(e->finds, found, "pad the tile and keep its valid shape");
}

/* Of the buffers of the cube core, in KiB; 0: UB, which is counted with all that lies in it. */
static const struct {
    int64_t a2a3, a5;
} buffers[] = {[PTOG_MAT] = {512, 512},
               [PTOG_LEFT] = {64, 64},
               [PTOG_RIGHT] = {64, 64},
               [PTOG_ACC] = {128, 256},
               {1, 4},
               {2, 4}}; /* bias, scaling */

static bool check_buffer(struct ptog_eval *e, const struct ptog_type_use *use, const struct ptog_tile *tile)
{
    if (tile->loc == PTOG_VEC || (size_t)tile->loc >= sizeof buffers / sizeof buffers[0] || e->running)
        return true;
    int64_t most = buffers[tile->loc].a2a3 * 1024;
    if (!e->target->v_overtakes)
        most = buffers[tile->loc].a5 * 1024;
    if (tile->dtype == PTOG_DTYPE_NONE || ptog_tile_bytes(tile) <= most)
        return true;
    ptog_say(e->finds, "text-buffer-size", use->span, "the tile has %lld bytes, but its buffer has only %lld",
             (long long)ptog_tile_bytes(tile), (long long)most);
    return false;
}

static bool alloc(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                  struct ptog_value *value)
{
    const struct ptog_part *addr = ptog_op_part(op, PTOG_PART_KEY, PTOG_WORD_addr);
    struct ptog_tile *tile = &value->tile.tile;
    if (!ptog_tile_from_type(e, use, value))
        return false;
    bool good = read_valid(e, op, use, PTOG_WORD_valid_row, tile->rows, &tile->valid_row);
    good = read_valid(e, op, use, PTOG_WORD_valid_col, tile->cols, &tile->valid_col) && good;
    if (!good)
        return false;
    check_blocks(e, op, tile);
    if (!check_buffer(e, use, tile))
        return false;
    value->name = op->result_count > 0 ? op->results[0].name : 0;
    value->span = op->result_count > 0 ? op->results[0].span : op->name_span;
    if (!addr) {
        ptog_place_new(e, op, 0, value);
        return true;
    }
    struct ptog_number number;
    return ptog_use_number(e, &addr->items[0], NULL, &number) && ptog_place_at(e, value, number, addr->span);
}

static void eval_alloc(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_type_use *use = ptog_only_type(&operands);
    struct ptog_value value = {0};
    if (!ptog_want_operands(e, op, operands.count, 0, 0) || !ptog_want_results(e, op, 1))
        return;
    if (!use || !ptog_type_is_tile(use->type))
        ptog_refuse(e, "text-operands", op->name_span, "'pto.alloc_tile' needs the type of its tile");
    else if (!alloc(e, op, use, &value))
        value = (struct ptog_value){0};
    ptog_define_result(e, op, 0, &value);
}

/* ---- changes in place */

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
    const struct ptog_type *type = value->type;
    bool fixed = type && !type->elided &&
                 (type->field[PTOG_FIELD_V_ROW].value != PTOG_DYN && type->field[PTOG_FIELD_V_COL].value != PTOG_DYN);
    if (fixed && !e->running) {
        struct ptog_found *found = ptog_say(e->finds, "text-extent", operands.items[0].span,
                                            "the type of %%%.80s fixes the valid extents, so they cannot change",
                                            ptog_tree_text(e->tree, operands.items[0].name));
        ptog_say_related(found, value->span, "defined here");
    }
    struct ptog_tile *tile = &value->tile.tile;
    touch(e, value);
    ptog_value_changed(e, value);
    ptog_set_valid(e, operands.items[1].span, row, tile->rows, &tile->valid_row);
    ptog_set_valid(e, operands.items[2].span, col, tile->cols, &tile->valid_col);
}

/* The address: %x, a number, or @tile(0x1000). */
static bool read_addr(struct ptog_eval *e, const struct ptog_item *item, struct ptog_number *addr)
{
    if (item->kind != PTOG_ITEM_SYMBOL)
        return ptog_use_number(e, item, NULL, addr);
    if (item->called && item->count == 1 && strcmp(ptog_tree_text(e->tree, item->name), "tile") == 0)
        return ptog_use_number(e, &item->items[0], NULL, addr);
    return ptog_refuse(e, "text-operand", item->span, "expected an address such as @tile(0x1000)");
}

/* A tile from outside that is given an address before anything touches it has its data there from the start. */
static void move_slot(struct ptog_eval *e, const struct ptog_value *from, const struct ptog_tile_value *to)
{
    if (e->running || e->depth > 0 || from->slot == 0 || from->tile.place == 0 || !to->tile.placed ||
        e->places[from->tile.place - 1].needed)
        return;
    struct ptog_tile_value *slot = &e->slots[from->slot - 1].value.tile;
    slot->tile = ptog_tile_at(slot->tile, to->tile.addr);
    slot->place = 0;
}

/* What becomes of a memref is not modelled; that it is no tile is known. */
static bool check_is_tile(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use)
{
    const struct ptog_value *value = item->kind == PTOG_ITEM_VALUE ? ptog_value_named(e, item->name) : NULL;
    const struct ptog_type *type = ptog_used_type(use);
    bool memref = type && (type->kind == PTOG_TYPE_MEMREF || type->kind == PTOG_TYPE_PTO_MEMREF);
    if (!memref || !value || value->kind != PTOG_VALUE_ANY)
        return true;
    ptog_say(e->finds, "text-operand", item->span, "%%%.80s is a memref, but a tile is expected here",
             ptog_tree_text(e->tree, item->name));
    return false;
}

static void eval_tassign(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    uint32_t results = op->result_count;
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, results != 0))
        return;
    struct ptog_number addr;
    bool good = read_addr(e, &operands.items[1], &addr);
    if (!results && ptog_is_yet_to_come(e, op, &operands.items[0])) {
        if (good)
            ptog_set_forward_address(e, &operands.items[0], addr, operands.items[1].span);
        return;
    }
    const struct ptog_type_use *type = ptog_operand_type(&operands, 0);
    struct ptog_value *from = ptog_use_as(e, &operands.items[0], type, PTOG_VALUE_TILE);
    struct ptog_value value = {0};
    good = check_is_tile(e, &operands.items[0], type) && good;
    if (from && good) {
        value = *from;
        if (!ptog_place_at(e, &value, addr, operands.items[1].span)) {
            e->stopped = e->running;
            value = (struct ptog_value){0};
        }
    }
    if (results) {
        if (operands.result_count > 0 && from && from->type && !e->running &&
            !ptog_types_agree(operands.results[0].type, from->type))
            ptog_say(e->finds, "text-type-mismatch", operands.results[0].span,
                     "the result must have the type of %%%.80s", ptog_tree_text(e->tree, operands.items[0].name));
        if (operands.result_count > 0)
            value.type = operands.results[0].type;
        ptog_define_result(e, op, 0, &value);
    } else if (value.kind == PTOG_VALUE_TILE) {
        if (!e->running && from->depth < e->depth)
            ptog_life_lend(e, from); /* where this is not executed, the tile keeps its old place */
        touch(e, from);
        move_slot(e, from, &value.tile);
        from->tile = value.tile;
        ptog_value_changed(e, from);
    }
}

void ptog_eval_tile(struct ptog_eval *e, const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_ALLOC_TILE: eval_alloc(e, op); break;
    case PTOG_OP_NAME_SET_VALIDSHAPE: eval_validshape(e, op); break;
    default: eval_tassign(e, op); break;
    }
}
