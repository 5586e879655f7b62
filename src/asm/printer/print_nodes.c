/* asm: affine maps, strided layouts and records to text, as compilers space them. */
#include <inttypes.h>
#include <stdio.h>

#include <ptog/tile.h>

#include "asm/printer/printer.h"
#include "base/pick.h"

/* Prints a number. */
static void put_number(struct ptog_printer *pr, int64_t number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    ptog_put(pr, digits);
}

/* ---- affine maps */

static void put_affine(struct ptog_printer *pr, const struct ptog_affine_map *map, const struct ptog_affine *node);

/* A term of a sum or product, or what is negated: whatever binds less, or was grouped by hand, is in brackets. */
static void put_term(struct ptog_printer *pr, const struct ptog_affine_map *map, const struct ptog_affine *term,
                     bool in_sum)
{
    bool brackets = term->kind == PTOG_AFFINE_SUM || (term->kind == PTOG_AFFINE_PRODUCT && !in_sum);
    ptog_put(pr, ptog_when(brackets, "("));
    put_affine(pr, map, term);
    ptog_put(pr, ptog_when(brackets, ")"));
}

/* Prints an expression of an affine map, with brackets where the text needs them. */
static void put_affine(struct ptog_printer *pr, const struct ptog_affine_map *map, const struct ptog_affine *node)
{
    static const char *const signs[] = {" + ", " - ", " * ", " floordiv ", " ceildiv ", " mod "};
    switch ((enum ptog_affine_kind)node->kind) {
    case PTOG_AFFINE_NUMBER: put_number(pr, node->value); break;
    case PTOG_AFFINE_NAME: ptog_put_symbol(pr, map->names[node->value]); break;
    case PTOG_AFFINE_NEGATED:
        ptog_put(pr, "-");
        put_term(pr, map, node->first, false);
        break;
    case PTOG_AFFINE_SUM:
    case PTOG_AFFINE_PRODUCT:
        for (const struct ptog_affine *term = node->first; term; term = term->next) {
            ptog_put(pr, term == node->first ? "" : signs[term->sign]);
            put_term(pr, map, term, node->kind == PTOG_AFFINE_SUM);
        }
        break;
    }
}

/* Prints names, separated by commas. */
static void put_names(struct ptog_printer *pr, const ptog_symbol *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ptog_put(pr, ptog_when(i > 0, ", "));
        ptog_put_symbol(pr, names[i]);
    }
}

/* Prints an affine map. */
static void put_map(struct ptog_printer *pr, const struct ptog_affine_map *map)
{
    ptog_put(pr, "affine_map<(");
    put_names(pr, map->names, map->dim_count);
    ptog_put(pr, ")");
    if (map->brackets) {
        ptog_put(pr, "[");
        put_names(pr, map->names + map->dim_count, map->symbol_count);
        ptog_put(pr, "]");
    }
    ptog_put(pr, " -> (");
    for (const struct ptog_affine *result = map->result; result; result = result->next) {
        ptog_put(pr, ptog_when(result != map->result, ", "));
        put_affine(pr, map, result);
    }
    ptog_put(pr, ")>");
}

/* ---- layouts and records */

/* Prints a stride, '?' where it is not known. */
static void put_stride(struct ptog_printer *pr, int64_t stride)
{
    if (stride == PTOG_DYN)
        ptog_put(pr, "?");
    else
        put_number(pr, stride);
}

/* Prints a strided layout. */
static void put_layout(struct ptog_printer *pr, const struct ptog_strided *strided)
{
    ptog_put(pr, "strided<[");
    for (uint32_t i = 0; i < strided->count; i++) {
        ptog_put(pr, ptog_when(i > 0, ", "));
        put_stride(pr, strided->strides[i]);
    }
    ptog_put(pr, "]");
    if (strided->has_offset) {
        ptog_put(pr, ", offset: ");
        put_stride(pr, strided->offset);
    }
    ptog_put(pr, ">");
}

/* Prints an attribute that is a list of keys and values. */
static void put_record(struct ptog_printer *pr, const struct ptog_item *record)
{
    ptog_put(pr, "#pto.");
    ptog_put_symbol(pr, record->name);
    ptog_put(pr, "<");
    for (uint32_t i = 0; i < record->count; i++) {
        ptog_put(pr, ptog_when(i > 0, ", "));
        ptog_put_symbol(pr, record->entries[i].key);
        ptog_put(pr, " = ");
        ptog_print_item(pr, &record->entries[i].value, false);
    }
    ptog_put(pr, ">");
}

void ptog_print_node(struct ptog_printer *pr, const struct ptog_item *item)
{
    if (item->kind == PTOG_ITEM_RECORD)
        put_record(pr, item);
    else if (item->kind == PTOG_ITEM_MAP && item->map)
        put_map(pr, item->map);
    else if (item->kind == PTOG_ITEM_LAYOUT && item->strided)
        put_layout(pr, item->strided);
    else
        ptog_put_symbol(pr, item->name);
}
