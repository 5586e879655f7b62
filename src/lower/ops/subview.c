/* lower: subview: a part of a tile, in the same memory. */
#include <inttypes.h>
#include <stdio.h>

#include "base/arith.h"
#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/tile.h"

struct window {
    struct ptog_number row, col;
    int64_t rows, cols;
    int64_t valid_row, valid_col;
};

/* The numbers of a pair, which are arguments of the record. False after an error. */
static bool read_pair(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *items, uint32_t count,
                      struct ptog_number *pair, struct ptog_code_arg *args)
{
    if (!items || count != 2)
        return ptog_refuse(e, "text-subview", op->name_span,
                           "a part of a tile needs two offsets, two sizes and two valid extents");
    bool good = ptog_use_number(e, &items[0], NULL, &pair[0]);
    good = ptog_use_number(e, &items[1], NULL, &pair[1]) && good;
    args[0] = ptog_code_arg_of(e, &items[0]);
    args[1] = ptog_code_arg_of(e, &items[1]);
    return good;
}

/* Sets *w to the window that the numbers describe. False after a report: it is not inside the tile. */
static bool set_window(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_tile *tile,
                       const struct ptog_number *n, struct window *w)
{
    const struct ptog_number *size = n + 2, *valid = n + 4;
    *w = (struct window){n[0], n[1], size[0].value, size[1].value, size[0].value, size[1].value};
    for (int i = 0; i < 2; i++) {
        int64_t whole = i == 0 ? tile->rows : tile->cols, end;
        int64_t at = n[i].known ? n[i].value : 0;
        if (at >= 0 && ptog_add_i64(at, size[i].value, &end) && end <= whole)
            continue;
        ptog_diag_emit(e->diags, "text-subview", made->spans[0],
                       "the tile has %" PRId64 " %s, but the part has offset %" PRId64 " and size %" PRId64, whole,
                       i == 0 ? "rows" : "columns", at, size[i].value);
        e->stopped = e->running;
        return false;
    }
    return !made->has[0] || (ptog_set_valid(e, made->spans[1], valid[0], w->rows, &w->valid_row) &&
                             ptog_set_valid(e, made->spans[2], valid[1], w->cols, &w->valid_col));
}

/* Whether a part of a boxed tile consists of whole boxes; said if not. */
static bool is_of_boxes(struct ptog_eval *e, const struct ptog_op *op, const struct window *w,
                        const struct ptog_tile *tile)
{
    int64_t rows, cols;
    ptog_tile_box(tile, &rows, &cols);
    bool row = (!w->row.known || w->row.value % rows == 0) && w->rows % rows == 0;
    bool col = (!w->col.known || w->col.value % cols == 0) && w->cols % cols == 0;
    if (!row || !col) {
        ptog_diag_emit(e->diags, "text-subview", op->name_span,
                       "a part of a boxed tile must consist of whole boxes, here of %" PRId64 "x%" PRId64, rows, cols);
        e->stopped = e->running;
        return false;
    }
    return true;
}

/* Where the part of such a tile lies is not modelled. */
static bool cut_boxes(struct ptog_eval *e, const struct ptog_op *op, const struct window *w,
                      const struct ptog_tile *tile)
{
    if (!is_of_boxes(e, op, w, tile))
        return false;
    ptog_say_not_modelled(e, op->name_span, "'%s' of a boxed tile is not simulated", ptog_op_info(op->name)->name);
    e->stopped = e->stopped || e->running;
    return true;
}

/* Makes *tile the part of it in the window, and *at the bytes before it. A part keeps the whole's distance from row to
 * row: unless its elements lie together, it is a tile of the whole's width of which only the part is valid. False
 * after a report. */
static bool cut(struct ptog_eval *e, const struct ptog_op *op, const struct window *w, struct ptog_tile *tile,
                struct ptog_number *at)
{
    bool known = w->row.known && w->col.known;
    int64_t row = w->row.value, col = w->col.value, c0 = ptog_c0(tile->dtype), elements = 0;
    switch (ptog_tile_order(tile)) {
    case PTOG_ORDER_ROW:
        elements = row * tile->cols + col;
        tile->cols = w->rows == 1 ? w->cols : tile->cols;
        tile->rows = w->rows;
        break;
    case PTOG_ORDER_COL:
        elements = col * tile->rows + row;
        tile->rows = w->cols == 1 ? w->rows : tile->rows;
        tile->cols = w->cols;
        break;
    case PTOG_ORDER_NZ:
        if (known && (col % c0 != 0 || w->cols % c0 != 0))
            return ptog_refuse(e, "text-subview", op->name_span,
                               "a part of an NZ tile must start and end at blocks of 32 bytes");
        elements = col / c0 * (tile->rows * c0) + row * c0;
        tile->cols = w->cols;
        break;
    case PTOG_ORDER_ACC:
        if (!is_of_boxes(e, op, w, tile))
            return false;
        elements = col * tile->rows + row * 16;
        tile->cols = w->cols;
        break;
    default:
        known = false;
        tile->rows = w->rows;
        tile->cols = w->cols;
        if (!cut_boxes(e, op, w, tile))
            return false;
    }
    tile->valid_row = w->valid_row;
    tile->valid_col = w->valid_col;
    tile->part = true;
    *at = (struct ptog_number){elements * (int64_t)ptog_dtype_size(tile->dtype), known};
    return true;
}

/* Without `valid`, takes the window's valid extents from the type of the result where that has numbers, 0 included.
 * False after a report: '?' has none to take. */
static bool take_valid(struct ptog_eval *e, const struct ptog_made_code *made, struct window *w)
{
    const struct ptog_type_use *use = made->use;
    const enum ptog_tile_field fields[] = {PTOG_FIELD_V_ROW, PTOG_FIELD_V_COL};
    int64_t *const valid[] = {&w->valid_row, &w->valid_col};
    if (!use || use->type->elided || !ptog_type_is_tile(use->type) || made->has[0])
        return true;
    for (int i = 0; i < 2; i++) {
        const struct ptog_extent *extent = &use->type->field[fields[i]];
        if (extent->name == 0 && extent->value == PTOG_DYN)
            return ptog_refuse(e, "text-subview", ptog_type_inside(use, extent->inside),
                               "the type of the result has '?', so the part needs valid [%rows, %cols]");
        if (extent->name == 0 && extent->value < *valid[i])
            *valid[i] = extent->value > 0 ? extent->value : PTOG_NOTHING_VALID;
    }
    return true;
}

/* Whether a type allows a part this valid extent. */
static bool has_extent(const struct ptog_type *type, enum ptog_tile_field field, int64_t part, int64_t whole)
{
    const struct ptog_extent *extent = &type->field[field];
    bool open = extent->name != 0 || extent->value == PTOG_DYN;
    if (part == PTOG_NOTHING_VALID)
        part = 0;
    return open || part == PTOG_DYN || extent->value == part || extent->value == whole;
}

/* Whether the type of the result has the extents of the part, or the whole's where the distance from row to row stays;
 * reported if not. */
static bool check_result(struct ptog_eval *e, const struct ptog_type_use *use, const struct ptog_tile *whole,
                         const struct window *w)
{
    const struct ptog_type *type = ptog_used_type(use);
    if (!type || type->elided || e->running)
        return true;
    if (!ptog_type_is_tile(type))
        return ptog_refuse(e, "text-subview", use->span, "the result must be a tile");
    if (!type->element.placeholder && type->element.dtype != whole->dtype)
        return ptog_refuse(e, "text-subview", use->span, "the part must have the element type of its tile");
    if (!has_extent(type, PTOG_FIELD_ROWS, w->rows, whole->rows) ||
        !has_extent(type, PTOG_FIELD_COLS, w->cols, whole->cols))
        return ptog_refuse(e, "text-subview", use->span, "the type of the result does not match the sizes");
    if (!has_extent(type, PTOG_FIELD_V_ROW, w->valid_row, type->field[PTOG_FIELD_ROWS].value) ||
        !has_extent(type, PTOG_FIELD_V_COL, w->valid_col, type->field[PTOG_FIELD_COLS].value))
        return ptog_refuse(e, "text-subview", use->span, "the type of the result does not match the valid extents");
    return true;
}

/* Notes in *value that a part starts where an instruction cannot access it, for a report if one does. */
static void note_start(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_value *from,
                       struct ptog_number at, struct ptog_value *value)
{
    uint64_t base = from->tile.tile.placed ? from->tile.tile.addr : 0; /* a place to be found is aligned */
    value->tile.misaligned = 0;
    if (!at.known || e->target->ub_bytes == 0 || (base + (uint64_t)at.value) % 32 == 0)
        return;
    char message[120];
    snprintf(message, sizeof message,
             "the part starts at byte %" PRId64 " of the tile, which is not a multiple of 32 bytes", at.value);
    ptog_note_misaligned(e, value, made->spans[0], message);
}

/* Makes *value the part of tile `from` that the numbers describe; `from` counts as used. False after a report. */
bool ptog_make_subview(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                       struct ptog_value *from, const struct ptog_number *n, struct ptog_value *value)
{
    struct window w = {.rows = 1, .cols = 1};
    struct ptog_number at = {0, false};
    if (from->open || from->odd)
        return ptog_refuse(e, "text-subview", made->spans[0], "the type of the tile is unknown, or not supported here");
    ptog_place_use(e, from);
    *value = *from;
    if (!set_window(e, made, &from->tile.tile, n, &w) || !take_valid(e, made, &w) ||
        !check_result(e, made->use, &from->tile.tile, &w) || !cut(e, op, &w, &value->tile.tile, &at))
        return false;
    note_start(e, made, from, at, value);
    if (!from->tile.tile.placed)
        return true; /* overlap is not judged before there is a place */
    value->tile.place = 0;
    value->tile.tile.placed = at.known;
    value->tile.tile.addr += (uint64_t)at.value;
    e->addr_unknown = e->addr_unknown || !at.known;
    return true;
}

/* Reads the numbers, and writes the record. False after an error. */
static bool read_window(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *from,
                        struct ptog_made_code *made, struct ptog_number *n)
{
    uint32_t count, valid_count;
    const struct ptog_item *sizes = ptog_list_of(op, PTOG_WORD_sizes, &count);
    const struct ptog_item *valids = ptog_list_of(op, PTOG_WORD_valid, &valid_count);
    struct ptog_code_arg args[7] = {ptog_code_arg_of(e, from)};
    const struct ptog_number *size = n + 2;
    made->spans[0] = from->span;
    if (!read_pair(e, op, from->items, from->called ? from->count : 0, n, &args[1]) ||
        !read_pair(e, op, sizes, count, n + 2, &args[3]))
        return false;
    if (!size[0].known || !size[1].known || size[0].value < 1 || size[1].value < 1)
        return ptog_refuse(e, "text-subview", op->name_span,
                           "the sizes of a part of a tile must be positive constants");
    if (valids) {
        made->has[0] = true;
        if (!read_pair(e, op, valids, valid_count, n + 4, &args[5]))
            return false;
        made->spans[1] = valids[0].span;
        made->spans[2] = valids[1].span;
    }
    ptog_emit_made(e, PTOG_CODE_SUBVIEW, op, made, args, valids ? 7 : 5);
    return true;
}

/* Reads the part of a tile. False after an error. */
static bool read_subview(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                         struct ptog_value *from, struct ptog_value *value)
{
    struct ptog_made_code made = {.use = ptog_result_type(operands)};
    struct ptog_number n[6] = {{0}};
    return read_window(e, op, &operands->items[0], &made, n) && ptog_make_subview(e, op, &made, from, n, value);
}

/* The tile that an entry is given by whoever launches it has no address that the newest compiler could count from. */
static void check_argument(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_value *from)
{
    bool given = e->function && e->calls == 0 && from->slot > 0;
    if (given && ptog_module_attribute(e->tree, e->function, "pto.entry"))
        ptog_diag_relate(
            ptog_diag_emit(e->diags, "text-subview-argument", op->name_span,
                           "%%%.80s is an argument of the kernel; current compilers reject parts of such tiles",
                           ptog_tree_text(e->tree, from->name)),
            from->span, "argument here");
}

/* Lowers pto.subview: defines a tile over a part of another one's bytes. */
void ptog_eval_subview(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    struct ptog_value value = {0};
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    struct ptog_value *from = ptog_use_as(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_TILE);
    if (from)
        check_argument(e, op, from);
    if (from && !read_subview(e, op, &operands, from, &value))
        value = (struct ptog_value){0};
    value.type = ptog_used_type(ptog_result_type(&operands));
    ptog_define_result(e, op, 0, &value);
}
