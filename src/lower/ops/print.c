/* lower: `pto.tprint ins(%t : T)`: what a tile holds when the run comes to it, as a note. It is no access: it orders
 * nothing, and nothing is checked. An element that is undefined is shown as '?'. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/pick.h"
#include "core/inside.h"
#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "model/dtype.h"
#include "model/tile.h"

#define MAX_ROWS 8  /* that are shown, */
#define MAX_COLS 16 /* ... and of each so many elements */

/* A line that is written piece by piece; what has no room is left out. */
struct line {
    char text[MAX_ROWS * MAX_COLS * 28];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    size_t room = sizeof line->text - line->length;
    va_list args;
    va_start(args, format);
    int count = vsnprintf(line->text + line->length, room, format, args);
    va_end(args);
    if (count > 0)
        line->length += ptog_min((size_t)count, room - 1);
}

/* Appends an element to the line, as its type is written. */
static void add_element(struct line *line, enum ptog_dtype dtype, uint64_t bits)
{
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(dtype);
    if (ptog_dtype_is_float(dtype))
        add(line, "%.9g", ptog_dtype_to_float(dtype, bits));
    else if (ptog_dtype_is_signed(dtype))
        add(line, "%" PRId64, (int64_t)(bits << drop) >> drop);
    else
        add(line, "%" PRIu64, bits);
}

/* Appends row r of a tile, of many columns the first; "?" is a byte that nobody has written. */
static void add_row(struct line *line, const ptog_core *core, const struct ptog_tile *tile, int64_t r)
{
    add(line, "%s[", r > 0 ? ", " : "");
    for (int64_t c = 0; c < tile->valid_col; c++) {
        uint64_t bits;
        if (c > 0)
            add(line, ", ");
        if (c == MAX_COLS) {
            add(line, "...");
            break;
        }
        if (ptog_core_look(core, tile, r, c, &bits))
            add_element(line, tile->dtype, bits);
        else
            add(line, "?");
    }
    add(line, "]");
}

/* Adds a note with the elements that the tile has now. */
static void note_tile(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_value *value)
{
    struct line line = {.length = 0};
    struct ptog_tile tile = value->tile.tile;
    struct ptog_diag diag = {.id = "run-print", .severity = PTOG_NOTE, .message = line.text};
    ptog_tile_fill_defaults(&tile);
    add(&line, "%%%.80s, %" PRId64 "x%" PRId64 " of %s: [", ptog_tree_text(e->tree, made->name), tile.valid_row,
        tile.valid_col, ptog_dtype_name(tile.dtype));
    for (int64_t r = 0; r < ptog_min(tile.valid_row, MAX_ROWS); r++)
        add_row(&line, e->machine.core, &tile, r);
    add(&line, tile.valid_row > MAX_ROWS ? ", ...]" : "]");
    ptog_diag_emit_copy(e->diags, &diag, made->spans[0]);
}

void ptog_print_tile(struct ptog_eval *e, const struct ptog_made_code *made, struct ptog_value *tile)
{
    ptog_place_use(e, tile);
    if (tile->tile.tile.placed && !tile->odd && !tile->open)
        note_tile(e, made, tile);
}

/* Lowers pto.tprint; the tile is used there. */
void ptog_eval_print(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *ins = ptog_op_part(op, PTOG_PART_CLAUSE, PTOG_WORD_ins);
    struct ptog_operands operands = ptog_operands_of(op);
    if (ins)
        operands = (struct ptog_operands){
            .items = ins->items, .count = ins->count, .types = ins->types, .type_count = ins->type_count};
    if (!ptog_want_operands(e, op, operands.count, 1, 2) || !ptog_want_results(e, op, 0))
        return;
    struct ptog_value *tile = ptog_use_as(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_TILE);
    if (!tile)
        return;
    struct ptog_made_code made = {.name = operands.items[0].name, .spans = {operands.items[0].span}};
    struct ptog_code_arg arg = ptog_code_arg_of(e, &operands.items[0]);
    ptog_emit_made(e, PTOG_CODE_PRINT, op, &made, &arg, 1);
    ptog_place_use(e, tile);
    ptog_mark_read(e, tile);
}
