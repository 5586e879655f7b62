/* asm: memrefs. One in global memory is a view. One in an on-chip memory whose extents are constants is a tile, in the
 * layout that tiles of that memory have; dimensions before the last one are its rows. */
#include "asm/parser/parser.h"

#include <string.h>

#include <ptog/tile.h>

#include "asm/words.h"
#include "base/arith.h"

static const struct {
    enum ptog_tile_field field;
    int64_t value;
    const char *word;
} words[] = {
#define TILE_WORD(FIELD, value, word) {PTOG_FIELD_##FIELD, value, word},
#include "spec/types.def"
};

/* The on-chip memory that an address space names; -1: it is none. */
static int location_of(const struct ptog_parser *p, ptog_symbol space)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].field == PTOG_FIELD_LOC && ptog_tree_is(p->tree, space, words[i].word))
            return (int)words[i].value;
    return -1;
}

/* Elements follow each other without gaps, from the first one on. */
static bool is_packed(const struct ptog_strided *strided, const struct ptog_type *type)
{
    int64_t step = 1;
    if (!strided || strided->count != type->rank || strided->offset != 0)
        return false;
    for (uint32_t i = type->rank; i > 0; i--) {
        if (strided->strides[i - 1] != step && type->dims[i - 1].value != 1)
            return false;
        if (!ptog_mul_i64(step, type->dims[i - 1].value, &step))
            return false;
    }
    return true;
}

/* The memory of a memref that can be a tile; -1: it cannot. */
static int location_of_memref(const struct ptog_parser *p, const struct ptog_type *type)
{
    int loc = -1;
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i].name != 0 || type->dims[i].value < 1)
            return -1;
    for (uint32_t i = 0; i < type->rest_count; i++) {
        const struct ptog_item *rest = &type->rest[i];
        if (rest->kind == PTOG_ITEM_ATTR && rest->name == PTOG_WORD_address_space)
            loc = location_of(p, rest->value);
        else if (rest->kind != PTOG_ITEM_LAYOUT || !is_packed(rest->strided, type))
            return -1;
    }
    return type->rank > 0 ? loc : -1;
}

/* The fields of a tile with so many rows and columns. */
static void fill_fields(struct ptog_type *type, enum ptog_loc loc, int64_t rows, int64_t cols)
{
    struct ptog_tile tile = ptog_tile_cube(loc, type->element.dtype, rows, cols);
    const int64_t values[PTOG_FIELD_COUNT] = {
        [PTOG_FIELD_LOC] = loc,
        [PTOG_FIELD_ROWS] = rows,
        [PTOG_FIELD_COLS] = cols,
        [PTOG_FIELD_V_ROW] = rows,
        [PTOG_FIELD_V_COL] = cols,
        [PTOG_FIELD_BLAYOUT] = tile.blayout,
        [PTOG_FIELD_SLAYOUT] = tile.slayout,
        [PTOG_FIELD_FRACTAL] = tile.fractal == 1024 ? 1024 : 512,
    };
    for (int f = 0; f < PTOG_FIELD_COUNT; f++)
        type->field[f].value = values[f];
    type->is_on_chip = true;
}

/* Makes a memref in an on-chip memory the tile that it stands for: its last extent is the columns, all others rows. One
 * that is too large stays a memref. */
static void make_tile(const struct ptog_parser *p, struct ptog_type *type)
{
    int loc = location_of_memref(p, type);
    int64_t rows = 1;
    for (uint32_t i = 0; loc >= 0 && i + 1 < type->rank; i++)
        if (!ptog_mul_i64(rows, type->dims[i].value, &rows))
            loc = -1;
    if (loc >= 0)
        fill_fields(type, (enum ptog_loc)loc, rows, type->dims[type->rank - 1].value);
}

/* memref ::= '<' shape {',' item} '>' */
bool ptog_parse_memref(struct ptog_parser *p, struct ptog_type *type, uint32_t start)
{
    if (!ptog_type_shape(p, type, start))
        return false;
    size_t from = p->lists.used;
    ptog_take_from(p, p->lexer.at);
    while (ptog_take_if(p, ',')) {
        struct ptog_item item;
        if (!ptog_parse_item(p, &item, true) || !ptog_push(p, &item, sizeof item))
            return false;
    }
    if (!ptog_take_list(p, from, sizeof *type->rest, &type->rest, &type->rest_count))
        return false;
    if (!ptog_at(p, '>'))
        return ptog_fail_expected(p, "',' or '>'");
    p->lexer.at = p->token.end;
    make_tile(p, type);
    return true;
}
