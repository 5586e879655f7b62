/* asm: types to text, in the spelling of the wanted form. */
#include "asm/printer/printer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ptog/tile.h>

#include "base/pick.h"

static const struct {
    const char *key;
    int64_t value;
} fields[PTOG_FIELD_COUNT] = {
#define TILE_FIELD(FIELD, key, value) [PTOG_FIELD_##FIELD] = {key, value},
#include "spec/types.def"
};

static const char *word_of(enum ptog_tile_field field, int64_t value)
{
#define TILE_WORD(FIELD, number, word)                                                                                 \
    if (field == PTOG_FIELD_##FIELD && value == number)                                                                \
        return word;
#include "spec/types.def"
    return NULL;
}

/* Prints an extent: a number, '?', or the name of a placeholder. */
static void put_extent(struct ptog_printer *pr, const struct ptog_extent *extent)
{
    char digits[24];
    if (extent->name != 0) {
        ptog_put_symbol(pr, extent->name);
        return;
    }
    snprintf(digits, sizeof digits, "%" PRId64, extent->value);
    ptog_put(pr, extent->value == PTOG_DYN ? "?" : digits);
}

/* Numbers for fractal always, and for pad in a tile_buf; words otherwise. */
static void put_field(struct ptog_printer *pr, const struct ptog_type *type, enum ptog_tile_field field, bool pad_word)
{
    const struct ptog_extent *extent = &type->field[field];
    bool number = field == PTOG_FIELD_FRACTAL || (field == PTOG_FIELD_PAD && !pad_word);
    const char *word = number || extent->name != 0 ? NULL : word_of(field, extent->value);
    if (word)
        ptog_put(pr, word);
    else
        put_extent(pr, extent);
}

/* Prints extents and element type: 4x?xf32. */
static void put_shape(struct ptog_printer *pr, const struct ptog_extent *dims, uint32_t rank, ptog_symbol element)
{
    for (uint32_t i = 0; i < rank; i++) {
        put_extent(pr, &dims[i]);
        ptog_put(pr, "x");
    }
    ptog_put_symbol(pr, element);
}

/* ---- tiles */

static bool same_extent(const struct ptog_extent *a, const struct ptog_extent *b)
{
    return a->value == b->value && a->name == b->name;
}

static bool is_default(const struct ptog_type *type, enum ptog_tile_field field)
{
    if (field == PTOG_FIELD_V_ROW || field == PTOG_FIELD_V_COL)
        return same_extent(&type->field[field], &type->field[field - PTOG_FIELD_V_ROW + PTOG_FIELD_ROWS]);
    return type->field[field].name == 0 && type->field[field].value == fields[field].value;
}

/* Whether a name can stand in 16x32xT: it starts with a capital letter and has no x. */
static bool fits_shape(const struct ptog_printer *pr, ptog_symbol name)
{
    const char *text = ptog_tree_text(pr->tree, name);
    return name == 0 || (text[0] >= 'A' && text[0] <= 'Z' && !strchr(text, 'x'));
}

static bool can_be_short(const struct ptog_printer *pr, const struct ptog_type *type)
{
    for (int f = PTOG_FIELD_ROWS; f <= PTOG_FIELD_V_COL; f++)
        if (!fits_shape(pr, type->field[f].name))
            return false;
    const char *element = ptog_tree_text(pr->tree, type->element.name);
    return !type->element.placeholder || !strchr(element, 'x');
}

static bool can_be_positional(const struct ptog_type *type)
{
    return is_default(type, PTOG_FIELD_V_ROW) && is_default(type, PTOG_FIELD_V_COL) &&
           is_default(type, PTOG_FIELD_COMPACT);
}

static bool can_be_dims(const struct ptog_printer *pr, const struct ptog_type *type)
{
    for (int f = 0; f < PTOG_FIELD_COUNT; f++)
        if ((f < PTOG_FIELD_DTYPE || f > PTOG_FIELD_COLS) && !is_default(type, (enum ptog_tile_field)f))
            return false;
    return can_be_short(pr, type);
}

/* short ::= loc ',' shape {',' key '=' value}, keys only where they are not the default */
static void put_short(struct ptog_printer *pr, const struct ptog_type *type)
{
    put_field(pr, type, PTOG_FIELD_LOC, true);
    ptog_put(pr, ", ");
    put_shape(pr, &type->field[PTOG_FIELD_ROWS], 2, type->element.name);
    if (!is_default(type, PTOG_FIELD_V_ROW) || !is_default(type, PTOG_FIELD_V_COL)) {
        ptog_put(pr, ", valid=");
        put_extent(pr, &type->field[PTOG_FIELD_V_ROW]);
        ptog_put(pr, "x");
        put_extent(pr, &type->field[PTOG_FIELD_V_COL]);
    }
    for (int f = PTOG_FIELD_BLAYOUT; f < PTOG_FIELD_COUNT; f++) {
        if (is_default(type, (enum ptog_tile_field)f))
            continue;
        ptog_put(pr, ", ");
        ptog_put(pr, fields[f].key);
        ptog_put(pr, "=");
        put_field(pr, type, (enum ptog_tile_field)f, false);
    }
}

/* long ::= every field with its key, in the order of the table; compact only when it is not the default */
static void put_long(struct ptog_printer *pr, const struct ptog_type *type)
{
    for (int f = 0; f < PTOG_FIELD_COUNT; f++) {
        if (f == PTOG_FIELD_COMPACT && is_default(type, PTOG_FIELD_COMPACT))
            continue;
        ptog_put(pr, ptog_when(f != 0, ", "));
        ptog_put(pr, fields[f].key);
        ptog_put(pr, "=");
        if (f == PTOG_FIELD_DTYPE)
            ptog_put_symbol(pr, type->element.name);
        else
            put_field(pr, type, (enum ptog_tile_field)f, false);
    }
}

/* positional ::= the first `count` of loc ',' dtype ',' rows ',' cols ',' blayout ',' slayout ',' fractal ',' pad */
static void put_positional(struct ptog_printer *pr, const struct ptog_type *type, unsigned count, unsigned loc)
{
    static const enum ptog_tile_field order[] = {PTOG_FIELD_LOC,     PTOG_FIELD_DTYPE,   PTOG_FIELD_ROWS,
                                                 PTOG_FIELD_COLS,    PTOG_FIELD_BLAYOUT, PTOG_FIELD_SLAYOUT,
                                                 PTOG_FIELD_FRACTAL, PTOG_FIELD_PAD};
    for (unsigned i = loc == 2; i < count; i++) {
        ptog_put(pr, ptog_when(i > (loc == 2), ", "));
        ptog_put(pr, ptog_when(i == 0 && loc == 1, "loc="));
        if (order[i] == PTOG_FIELD_DTYPE)
            ptog_put_symbol(pr, type->element.name);
        else
            put_field(pr, type, order[i], true);
    }
}

/* The style in which the form prints the type of a tile. */
static enum ptog_type_style tile_style(struct ptog_printer *pr, const struct ptog_type *type)
{
    if (pr->form == PTOG_TEXT_WRITTEN)
        return type->style;
    if (pr->form == PTOG_TEXT_DPS || type->kind == PTOG_TYPE_MULTI_TILE_BUF)
        return can_be_short(pr, type) ? PTOG_STYLE_SHORT : PTOG_STYLE_LONG;
    if (pr->form == PTOG_TEXT_AS && can_be_dims(pr, type))
        return PTOG_STYLE_DIMS;
    if (can_be_positional(type))
        return PTOG_STYLE_POSITIONAL;
    return can_be_short(pr, type) ? PTOG_STYLE_SHORT : PTOG_STYLE_LONG; /* valid extents and compact mode need keys */
}

/* Prints what stands inside the brackets of a tile's type. */
static void put_tile(struct ptog_printer *pr, const struct ptog_type *type)
{
    bool written = pr->form == PTOG_TEXT_WRITTEN;
    switch (tile_style(pr, type)) {
    case PTOG_STYLE_SHORT: put_short(pr, type); break;
    case PTOG_STYLE_LONG: put_long(pr, type); break;
    case PTOG_STYLE_DIMS: put_shape(pr, &type->field[PTOG_FIELD_ROWS], 2, type->element.name); break;
    default: put_positional(pr, type, written ? type->positions : 8, written ? type->loc : 0); break;
    }
}

/* multi ::= '!pto.tile_buf<' ... '>' ',' 'count' '=' digits */
static void put_multi(struct ptog_printer *pr, const struct ptog_type *type)
{
    char count[40];
    snprintf(count, sizeof count, ">, count=%" PRId64, type->slots);
    ptog_put(pr, "!pto.tile_buf<");
    put_tile(pr, type);
    ptog_put(pr, count);
}

/* ---- the others */

/* A view is a memref in PTO-AS, and a memref without layout is a view in the other forms. */
static enum ptog_type_kind kind_in(const struct ptog_printer *pr, const struct ptog_type *type)
{
    bool written = pr->form == PTOG_TEXT_WRITTEN;
    if (!written && (type->kind == PTOG_TYPE_TILE || type->kind == PTOG_TYPE_TILE_BUF))
        return pr->form == PTOG_TEXT_DPS ? PTOG_TYPE_TILE_BUF : PTOG_TYPE_TILE;
    if (type->kind == PTOG_TYPE_PARTITION_VIEW && pr->form == PTOG_TEXT_AS)
        return PTOG_TYPE_PTO_MEMREF;
    if (type->kind == PTOG_TYPE_PTO_MEMREF && !written && pr->form != PTOG_TEXT_AS && type->rest_count == 0)
        return PTOG_TYPE_PARTITION_VIEW;
    return type->kind;
}

/* Prints what stands inside the brackets of a type. */
static void put_inside(struct ptog_printer *pr, const struct ptog_type *type)
{
    char count[24];
    if (type->elided) {
        ptog_put(pr, "...");
    } else if (type->kind == PTOG_TYPE_STRUCT) {
        ptog_print_type_list(pr, type->ins, type->in_count);
    } else if (type->kind == PTOG_TYPE_EVENTID_ARRAY) {
        snprintf(count, sizeof count, "%" PRId64, type->slots);
        ptog_put(pr, count);
    } else if (type->kind == PTOG_TYPE_MULTI_TILE_BUF) {
        put_multi(pr, type);
    } else if (type->kind == PTOG_TYPE_TILE || type->kind == PTOG_TYPE_TILE_BUF) {
        put_tile(pr, type);
    } else {
        put_shape(pr, type->dims, type->rank, type->element.name);
        if (type->space != 0) {
            ptog_put(pr, ", ");
            ptog_put_symbol(pr, type->space);
        }
        for (uint32_t i = 0; i < type->rest_count; i++) {
            ptog_put(pr, ", ");
            ptog_print_item(pr, &type->rest[i], false);
        }
    }
}

/* Prints a type that has a name and brackets. */
static void put_named(struct ptog_printer *pr, const struct ptog_type *type)
{
    static const struct {
        enum ptog_type_kind kind;
        const char *name;
        bool old;
    } names[] = {
#define TYPE_NAME(kind, name, old) {kind, name, old},
#include "spec/types.def"
    };
    enum ptog_type_kind kind = kind_in(pr, type);
    bool written = pr->form == PTOG_TEXT_WRITTEN, old = written && type->style == PTOG_STYLE_OLD;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].kind != kind || names[i].old != old)
            continue;
        ptog_put(pr, ptog_when(!(kind == PTOG_TYPE_MEMREF || (written && type->no_bang)), "!"));
        ptog_put(pr, names[i].name);
    }
    ptog_put(pr, "<");
    put_inside(pr, type);
    ptog_put(pr, ">");
}

/* Prints a type. */
void ptog_print_type(struct ptog_printer *pr, const struct ptog_type *type)
{
    switch (type->kind) {
    case PTOG_TYPE_NONE: break;
    case PTOG_TYPE_SCALAR: ptog_put_symbol(pr, type->element.name); break;
    case PTOG_TYPE_RAW: ptog_put_symbol(pr, type->text); break;
    case PTOG_TYPE_STRING:
        ptog_put(pr, "\"");
        ptog_put_symbol(pr, type->text);
        ptog_put(pr, "\"");
        break;
    case PTOG_TYPE_FUNCTION:
        ptog_print_types(pr, type->ins, type->in_count, true);
        ptog_put(pr, " -> ");
        ptog_print_types(pr, type->outs, type->out_count,
                         type->out_count != 1 || type->outs[0].type->kind == PTOG_TYPE_FUNCTION);
        break;
    default: put_named(pr, type); break;
    }
}

void ptog_print_type_list(struct ptog_printer *pr, const struct ptog_type_use *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ptog_put(pr, ptog_when(i > 0, ", "));
        ptog_print_type(pr, types[i].type);
    }
}

void ptog_print_types(struct ptog_printer *pr, const struct ptog_type_use *types, uint32_t count, bool parens)
{
    ptog_put(pr, ptog_when(parens, "("));
    ptog_print_type_list(pr, types, count);
    ptog_put(pr, ptog_when(parens, ")"));
}
