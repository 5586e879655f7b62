/* asm: whether two trees say the same. Names are compared as text: each tree numbers its own. */
#include <string.h>

#include "asm/asm.h"

struct pair {
    const struct ptog_tree *a, *b;
    bool written; /* PTOG_EQUAL_WRITTEN */
};

static bool same_name(const struct pair *p, ptog_symbol x, ptog_symbol y)
{
    uint32_t length = ptog_symbol_length(&p->a->symbols, x);
    return (x == 0) == (y == 0) && length == ptog_symbol_length(&p->b->symbols, y) &&
           memcmp(ptog_tree_text(p->a, x), ptog_tree_text(p->b, y), length) == 0;
}

/* ---- types */

static bool same_items(const struct pair *p, const struct ptog_item *x, uint32_t xn, const struct ptog_item *y,
                       uint32_t yn);
static bool same_type(const struct pair *p, const struct ptog_type *x, const struct ptog_type *y);

static bool same_types(const struct pair *p, const struct ptog_type_use *x, uint32_t xn, const struct ptog_type_use *y,
                       uint32_t yn)
{
    for (uint32_t i = 0; xn == yn && i < xn; i++)
        if (!same_type(p, x[i].type, y[i].type))
            return false;
    return xn == yn;
}

static bool same_extents(const struct pair *p, const struct ptog_extent *x, const struct ptog_extent *y, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (x[i].value != y[i].value || !same_name(p, x[i].name, y[i].name))
            return false;
    return true;
}

/* By meaning, a tile is a tile_buf and a memref without layout is a view. */
static enum ptog_type_kind kind_of(const struct pair *p, const struct ptog_type *type)
{
    if (p->written)
        return type->kind;
    if (type->kind == PTOG_TYPE_TILE)
        return PTOG_TYPE_TILE_BUF;
    if (type->kind == PTOG_TYPE_PTO_MEMREF && type->rest_count == 0)
        return PTOG_TYPE_PARTITION_VIEW;
    return type->kind;
}

static bool same_style(const struct ptog_type *x, const struct ptog_type *y)
{
    return x->style == y->style && x->positions == y->positions && x->no_bang == y->no_bang && x->loc == y->loc;
}

/* Whether two types are equal, as written or by their meaning. */
static bool same_type(const struct pair *p, const struct ptog_type *x, const struct ptog_type *y)
{
    if (!x || !y)
        return x == y;
    return kind_of(p, x) == kind_of(p, y) && (!p->written || same_style(x, y)) && x->elided == y->elided &&
           x->element.placeholder == y->element.placeholder && same_name(p, x->element.name, y->element.name) &&
           x->rank == y->rank && x->slots == y->slots && same_extents(p, x->dims, y->dims, x->rank) &&
           same_extents(p, x->field, y->field, PTOG_FIELD_COUNT) && same_name(p, x->space, y->space) &&
           same_items(p, x->rest, x->rest_count, y->rest, y->rest_count) &&
           same_types(p, x->ins, x->in_count, y->ins, y->in_count) &&
           same_types(p, x->outs, x->out_count, y->outs, y->out_count) && same_name(p, x->text, y->text);
}

bool ptog_type_equal(const struct ptog_tree *a, const struct ptog_type *x, const struct ptog_tree *b,
                     const struct ptog_type *y, enum ptog_equality equality)
{
    struct pair pair = {a, b, equality == PTOG_EQUAL_WRITTEN};
    return same_type(&pair, x, y);
}

/* ---- items */

static bool same_entries(const struct pair *p, const struct ptog_entry *x, uint32_t xn, const struct ptog_entry *y,
                         uint32_t yn);

/* Whether two attributes are equal: values and, as written, spelling and name, else the class of the name. */
static bool same_attr(const struct pair *p, const struct ptog_item *x, const struct ptog_item *y)
{
    if (!same_name(p, x->value, y->value))
        return false;
    if (p->written)
        return x->style == y->style && same_name(p, x->name, y->name);
    const struct ptog_class *class = ptog_class_find(ptog_tree_text(p->a, x->name));
    if (class)
        return class == ptog_class_find(ptog_tree_text(p->b, y->name));
    return same_name(p, x->name, y->name);
}

/* Where the types of a bracket stand, and whether a comma does, has no meaning. */
static bool same_lead(const struct pair *p, const struct ptog_item *x, const struct ptog_item *y)
{
    unsigned counts = p->written ? ~0u : PTOG_LEAD_KEY | PTOG_LEAD_WORD;
    return ((x->lead ^ y->lead) & counts) == 0 && same_name(p, x->lead_word, y->lead_word);
}

/* Expressions nest no deeper than the parser lets them. */
static bool same_affine(const struct ptog_affine *x, const struct ptog_affine *y)
{
    for (; x && y; x = x->next, y = y->next)
        if (x->kind != y->kind || x->sign != y->sign || x->value != y->value || !same_affine(x->first, y->first))
            return false;
    return !x && !y;
}

/* Whether two affine maps are equal, names included. */
static bool same_map(const struct pair *p, const struct ptog_affine_map *x, const struct ptog_affine_map *y)
{
    if (!x || !y)
        return x == y;
    if (x->dim_count != y->dim_count || x->symbol_count != y->symbol_count ||
        (p->written && x->brackets != y->brackets))
        return false;
    for (uint32_t i = 0; i < x->dim_count + x->symbol_count; i++)
        if (!same_name(p, x->names[i], y->names[i]))
            return false;
    return same_affine(x->result, y->result);
}

static bool same_layout(const struct pair *p, const struct ptog_strided *x, const struct ptog_strided *y)
{
    if (!x || !y)
        return x == y;
    return x->count == y->count && x->offset == y->offset && (!p->written || x->has_offset == y->has_offset) &&
           (x->count == 0 || memcmp(x->strides, y->strides, x->count * sizeof *x->strides) == 0);
}

/* Whether two items of statements are equal, with everything in them. */
static bool same_item(const struct pair *p, const struct ptog_item *x, const struct ptog_item *y)
{
    if (x->kind != y->kind || !same_type(p, x->type, y->type) || !same_lead(p, x, y))
        return false;
    switch ((enum ptog_item_kind)x->kind) {
    case PTOG_ITEM_INT:
        return x->number == y->number && x->negative == y->negative && (!p->written || x->style == y->style);
    case PTOG_ITEM_ATTR: return same_attr(p, x, y);
    case PTOG_ITEM_RECORD:
        return same_name(p, x->name, y->name) && same_entries(p, x->entries, x->count, y->entries, y->count);
    case PTOG_ITEM_DICT: return same_entries(p, x->entries, x->count, y->entries, y->count);
    case PTOG_ITEM_MAP: return same_name(p, x->name, y->name) && same_map(p, x->map, y->map);
    case PTOG_ITEM_LAYOUT: return same_name(p, x->name, y->name) && same_layout(p, x->strided, y->strided);
    default:
        return same_name(p, x->name, y->name) && x->called == y->called &&
               (x->count > 0 || y->count > 0 ? same_items(p, x->items, x->count, y->items, y->count) : true);
    }
}

static bool same_items(const struct pair *p, const struct ptog_item *x, uint32_t xn, const struct ptog_item *y,
                       uint32_t yn)
{
    for (uint32_t i = 0; xn == yn && i < xn; i++)
        if (!same_item(p, &x[i], &y[i]))
            return false;
    return xn == yn;
}

static bool same_results(const struct pair *p, const struct ptog_item *x, uint32_t xn, const struct ptog_item *y,
                         uint32_t yn)
{
    for (uint32_t i = 0; xn == yn && i < xn; i++)
        if (!same_name(p, x[i].name, y[i].name) || x[i].number != y[i].number)
            return false;
    return xn == yn;
}

/* Whether two dictionaries are equal. The order of keys has no meaning, but is mostly the same: the same place is
 * looked at first. */
static bool same_entries(const struct pair *p, const struct ptog_entry *x, uint32_t xn, const struct ptog_entry *y,
                         uint32_t yn)
{
    for (uint32_t i = 0; xn == yn && i < xn; i++) {
        uint32_t k = i;
        if (!same_name(p, x[i].key, y[i].key))
            for (k = 0; k < yn && !same_name(p, x[i].key, y[k].key);)
                k++;
        if (k == yn || !same_item(p, &x[i].value, &y[k].value))
            return false;
    }
    return xn == yn;
}

/* ---- operations */

static bool same_region(const struct pair *p, const struct ptog_region *x, const struct ptog_region *y);

static bool same_comments(const struct pair *p, const struct ptog_comment *x, const struct ptog_comment *y)
{
    for (; x && y; x = x->next, y = y->next)
        if (!same_name(p, x->text, y->text) || (p->written && x->mark != y->mark))
            return false;
    return !x && !y;
}

/* Whether two parts of statements are equal, regions included. */
static bool same_part(const struct pair *p, const struct ptog_part *x, const struct ptog_part *y)
{
    if (x->kind != y->kind || x->comma != y->comma || x->listed != y->listed || x->parens != y->parens ||
        !same_name(p, x->word, y->word) || !same_types(p, x->types, x->type_count, y->types, y->type_count))
        return false;
    if (x->kind == PTOG_PART_DICT)
        return same_entries(p, x->entries, x->count, y->entries, y->count);
    if (x->kind == PTOG_PART_REGION)
        return same_region(p, x->region, y->region);
    return same_items(p, x->items, x->count, y->items, y->count);
}

/* The next part of an operation, from number *i on, that is neither its sources, its destinations nor its attributes;
 * advances *i. NULL: no more. */
static const struct ptog_part *next_extra(const struct ptog_op *op, uint32_t *i)
{
    for (; *i < op->part_count; (*i)++) {
        const struct ptog_part *part = &op->parts[*i];
        if (!op->ins || (part != op->ins && part != op->outs && part != op->attrs))
            return &op->parts[(*i)++];
    }
    return NULL;
}

/* Whether two operations are equal in their parts beside sources, destinations and attributes, in order. */
static bool same_extras(const struct pair *p, const struct ptog_op *x, const struct ptog_op *y)
{
    uint32_t i = 0, k = 0;
    for (;;) {
        const struct ptog_part *px = next_extra(x, &i), *py = next_extra(y, &k);
        if (!px || !py)
            return !px && !py;
        if (!same_part(p, px, py))
            return false;
    }
}

static bool same_clause(const struct pair *p, const struct ptog_part *x, const struct ptog_part *y)
{
    return same_items(p, x->items, x->count, y->items, y->count) &&
           same_types(p, x->types, x->type_count, y->types, y->type_count);
}

/* The attribute number i, or the next one that counts; NULL: there is none. The sizes of the operands of a generic form
 * say what other forms say with ins and outs. */
static const struct ptog_entry *next_attr(const struct pair *p, const struct ptog_op *op, uint32_t *i)
{
    for (; op->attrs && *i < op->attrs->count; (*i)++) {
        const struct ptog_entry *entry = &op->attrs->entries[*i];
        if (p->written || op->form != PTOG_OP_GENERIC || entry->key != PTOG_WORD_operandSegmentSizes)
            return &op->attrs->entries[(*i)++];
    }
    return NULL;
}

/* Whether two operations have the same attributes, in any order. */
static bool same_attrs(const struct pair *p, const struct ptog_op *x, const struct ptog_op *y)
{
    const struct ptog_entry *entry, *other;
    uint32_t i = 0, count = 0;
    while ((entry = next_attr(p, x, &i))) {
        uint32_t k = 0;
        while ((other = next_attr(p, y, &k)) && !same_name(p, entry->key, other->key))
            continue;
        if (!other || !same_item(p, &entry->value, &other->value))
            return false;
        count++;
    }
    for (i = 0; next_attr(p, y, &i);)
        count--;
    return count == 0;
}

static bool same_tile_parts(const struct pair *p, const struct ptog_op *x, const struct ptog_op *y)
{
    if (!x->ins || !y->ins)
        return x->ins == y->ins;
    return same_clause(p, x->ins, y->ins) && same_clause(p, x->outs, y->outs) && same_attrs(p, x, y);
}

static bool same_op(const struct pair *p, const struct ptog_op *x, const struct ptog_op *y)
{
    return same_name(p, x->name, y->name) && (!p->written || (x->form == y->form && x->defines == y->defines)) &&
           same_comments(p, x->comments, y->comments) && same_comments(p, x->after, y->after) &&
           same_results(p, x->results, x->result_count, y->results, y->result_count) && same_tile_parts(p, x, y) &&
           same_extras(p, x, y) && same_name(p, x->loc, y->loc);
}

/* Whether two regions have the same arguments, in order. */
static bool same_args(const struct pair *p, const struct ptog_region *x, const struct ptog_region *y)
{
    for (uint32_t i = 0; x->arg_count == y->arg_count && i < x->arg_count; i++) {
        const struct ptog_arg *a = &x->args[i], *b = &y->args[i];
        if (!same_name(p, a->name, b->name) || !same_name(p, a->loc, b->loc) ||
            !same_type(p, a->type.type, b->type.type) || a->has_dict != b->has_dict ||
            !same_entries(p, a->entries, a->entry_count, b->entries, b->entry_count))
            return false;
    }
    return x->arg_count == y->arg_count;
}

/* Whether two regions are equal: arguments, comments and operations, in order. */
static bool same_region(const struct pair *p, const struct ptog_region *x, const struct ptog_region *y)
{
    if (x->body != y->body || !same_args(p, x, y) || !same_comments(p, x->opening, y->opening) ||
        !same_comments(p, x->comments, y->comments))
        return false;
    const struct ptog_op *a = x->first, *b = y->first;
    for (; a && b; a = a->next, b = b->next)
        if (!same_op(p, a, b))
            return false;
    return !a && !b;
}

bool ptog_tree_equal(const struct ptog_tree *a, const struct ptog_tree *b, enum ptog_equality equality)
{
    struct pair pair = {a, b, equality == PTOG_EQUAL_WRITTEN};
    return same_region(&pair, &a->root, &b->root);
}
