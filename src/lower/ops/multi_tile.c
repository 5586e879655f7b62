/* lower: several tiles of one type, side by side in UB: alloc_multi_tile makes them, multi_tile_get gives one. */
#include <inttypes.h>

#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"

#define MAX_ROWS (INT64_C(1) << 40) /* of one tile: no UB holds more */

/* The bytes of all tiles are those of one tile with the rows of all; its valid extents are those of each tile. */
bool ptog_make_tiles(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                     const struct ptog_number n[PTOG_TILE_CLAUSES], struct ptog_value *value)
{
    *value = made->value;
    struct ptog_tile *tile = &value->tile.tile;
    return ptog_set_valid_clauses(e, made, tile->rows / made->use->type->slots, tile->cols, n, tile) &&
           ptog_place_made(e, op, made, n, value);
}

/* Fills *value with several tiles of the written type, places them, and appends their record; false after an error. */
static bool alloc_tiles(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                        struct ptog_value *value)
{
    struct ptog_made_code made = {0};
    struct ptog_number n[PTOG_TILE_CLAUSES] = {{0}};
    struct ptog_tile *tile = &made.value.tile.tile;
    if (!ptog_read_tile(e, op, use, &made, n))
        return false;
    if (tile->loc != PTOG_VEC || made.value.open || made.value.odd || tile->rows > MAX_ROWS ||
        use->type->slots > UINT8_MAX || use->type->slots < 1) {
        ptog_say_not_modelled(e, op->name_span, "'%s' of such tiles is not simulated", "pto.alloc_multi_tile");
        return false;
    }
    tile->rows *= use->type->slots;
    tile->blayout = PTOG_ROW_MAJOR;
    tile->slayout = PTOG_NONE_BOX;
    made.value.kind = PTOG_VALUE_MULTI_TILE;
    return ptog_emit_tile(e, op, PTOG_CODE_TILES, &made, n) && ptog_make_tiles(e, op, &made, n, value);
}

/* Lowers pto.alloc_multi_tile. */
static void eval_alloc_tiles(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_type_use *use = ptog_only_type(&operands);
    struct ptog_value value = {0};
    if (!ptog_want_operands(e, op, operands.count, 0, 0) || !ptog_want_results(e, op, 1))
        return;
    if (!use || use->type->kind != PTOG_TYPE_MULTI_TILE_BUF || use->type->elided)
        ptog_refuse(e, "text-operands", op->name_span, "'pto.alloc_multi_tile' needs the type of its tiles");
    else if (!ptog_eval_lint(e, op) || !alloc_tiles(e, op, use, &value))
        value = (struct ptog_value){0};
    value.type = ptog_used_type(use);
    ptog_define_result(e, op, 0, &value);
}

/* Whether the number is one of the tiles', or not known yet; reported if not. */
static bool has_tile(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_type *type,
                     struct ptog_number number)
{
    if (!number.known || (number.value >= 0 && number.value < type->slots))
        return true;
    ptog_diag_emit(e->diags, "text-subview", made->spans[0],
                   "%%%.80s has %" PRId64 " tiles, counted from 0, and no tile %" PRId64,
                   ptog_tree_text(e->tree, made->name), type->slots, number.value);
    return false;
}

/* A tile with '?' has the valid extent that alloc_multi_tile was given. */
static void keep_valid(struct ptog_tile *tile, const struct ptog_tile *all)
{
    if (tile->valid_row == PTOG_DYN)
        tile->valid_row = all->valid_row;
    if (tile->valid_col == PTOG_DYN)
        tile->valid_col = all->valid_col;
}

/* Makes *value tile `number` of several that were allocated together, and uses all of them. False after a report. */
bool ptog_make_tile_of(struct ptog_eval *e, const struct ptog_made_code *made, struct ptog_value *all,
                       struct ptog_number number, struct ptog_value *value)
{
    struct ptog_tile *tile = &value->tile.tile;
    if (!has_tile(e, made, all->type, number))
        return false;
    *value = made->value;
    ptog_place_use(e, all);
    keep_valid(tile, &all->tile.tile);
    value->tile.root = all->tile.root;
    tile->placed = false;
    if (!all->tile.tile.placed) {
        value->tile.place = all->tile.place; /* overlap is not judged before there is a place */
        return true;
    }
    uint64_t bytes = (uint64_t)(tile->rows * tile->cols) * ptog_dtype_size(tile->dtype);
    value->tile.place = 0;
    tile->placed = number.known;
    tile->is_static = all->tile.tile.is_static;
    tile->addr = all->tile.tile.addr + (uint64_t)number.value * bytes;
    e->addr_unknown = e->addr_unknown || !number.known;
    return true;
}

/* Reads which tile of several is meant, writes the record, and makes *value. False after a report. */
static bool get_tile(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item,
                     struct ptog_value *all, const struct ptog_type_use *use, struct ptog_value *value)
{
    struct ptog_made_code made = {.use = use, .name = item->name, .spans = {item->span}};
    struct ptog_number number = {0, false};
    if (!item->called || item->count != 1)
        return ptog_refuse(e, "text-operands", item->span, "a tile of several is written as %tiles[%number]");
    if (!ptog_use_number(e, &item->items[0], NULL, &number) || !ptog_tile_from_type(e, use, &made.value))
        return false;
    struct ptog_code_arg args[2] = {ptog_code_arg_of(e, item), ptog_code_arg_of(e, &item->items[0])};
    ptog_emit_made(e, PTOG_CODE_TILE_OF, op, &made, args, 2);
    return ptog_make_tile_of(e, &made, all, number, value);
}

/* Lowers pto.multi_tile_get: defines one of several tiles. */
static void eval_get_tile(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_type_use *use = ptog_result_type(&operands);
    struct ptog_value value = {0};
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    const struct ptog_item *item = &operands.items[0];
    struct ptog_value *all = ptog_use_as(e, item, ptog_operand_type(&operands, 0), PTOG_VALUE_MULTI_TILE);
    if (!use || !ptog_type_is_tile(use->type))
        ptog_refuse(e, "text-operands", op->name_span, "'pto.multi_tile_get' needs the type of its tile");
    else if (all && (!ptog_eval_lint(e, op) || !get_tile(e, op, item, all, use, &value)))
        value = (struct ptog_value){0};
    ptog_define_result(e, op, 0, &value);
}

/* Lowers an operation on several tiles. */
void ptog_eval_multi_tile(struct ptog_eval *e, const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_ALLOC_MULTI_TILE)
        eval_alloc_tiles(e, op);
    else
        eval_get_tile(e, op);
}
