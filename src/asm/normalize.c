/* asm: one shape for the operations that the forms write differently: operands in ins and outs, attributes in attrs. */
#include "asm/parser/parser.h"

#include <string.h>

#include "asm/generic.h"
#include "base/pick.h"

struct shape { /* the parts of an operation while it is taken apart */
    const struct ptog_part *ins, *outs, *items, *types, *arrow;
    struct ptog_part new_ins, new_outs, attrs;
};

/* Puts entries on the parser's stack; false when out of memory. */
static bool push_entries(struct ptog_parser *p, const struct ptog_entry *entries, uint32_t count)
{
    return count == 0 || ptog_push(p, entries, count * sizeof *entries);
}

static const struct ptog_part *operands_of(const struct shape *shape)
{
    if (shape->ins || shape->outs)
        return shape->ins;
    return shape->items;
}

/* Replaces the keys of older compilers by those of today. */
static void spell_keys(struct ptog_part *attrs)
{
    for (uint32_t i = 0; i < attrs->count; i++)
        attrs->entries[i].key = ptog_key_spelling(attrs->entries[i].key);
}

/* attrs ::= suffixes, dictionaries among the operands (`ins(%src, {maskPattern = ...} : T)`), those after them */
static bool collect_attrs(struct ptog_parser *p, struct ptog_op *op, struct shape *shape,
                          const struct ptog_entry *suffixes, uint32_t count)
{
    size_t from = p->lists.used;
    const struct ptog_part *operands = operands_of(shape);
    if (!push_entries(p, suffixes, count))
        return false;
    for (uint32_t i = 0; operands && i < operands->count; i++)
        if (operands->items[i].kind == PTOG_ITEM_DICT &&
            !push_entries(p, operands->items[i].entries, operands->items[i].count))
            return false;
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (part->kind != PTOG_PART_DICT || part->word != 0)
            continue;
        shape->attrs.span = part->span;
        if (!push_entries(p, part->entries, part->count))
            return false;
    }
    struct ptog_part *attrs = &shape->attrs;
    if (!ptog_take_list(p, from, sizeof *attrs->entries, &attrs->entries, &attrs->count))
        return false;
    if (op->form != PTOG_OP_GENERIC)
        spell_keys(attrs);
    return ptog_check_keys(p, attrs->entries, attrs->count);
}

/* The dictionaries are attributes now. Arrays, function types, dotted words, keys and calls are not operands: nothing
 * could tell them from parts and statements. */
static bool drop_dicts(struct ptog_parser *p, struct ptog_part *part)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        const struct ptog_item *item = &part->items[i];
        bool function = item->kind == PTOG_ITEM_TYPE && item->type->kind == PTOG_TYPE_FUNCTION;
        bool dotted = item->kind == PTOG_ITEM_WORD && strchr(ptog_tree_text(p->tree, item->name), '.');
        bool inner = item->lead & PTOG_LEAD_KEY || (item->kind == PTOG_ITEM_WORD && item->called);
        char quote[PTOG_QUOTE_SIZE];
        if (item->kind == PTOG_ITEM_ARRAY || function || dotted || inner)
            return ptog_fail(p, PTOG_ID_SYNTAX, item->span, "expected an operand, found %s",
                             ptog_quote(quote, p->source, item->span));
        if (item->kind != PTOG_ITEM_DICT)
            part->items[kept++] = part->items[i];
    }
    part->count = kept;
    return true;
}

/* An operation's only operand may be a word, which by itself looks like a part. */
static bool word_to_items(struct ptog_parser *p, struct ptog_part *part)
{
    struct ptog_item *item = ptog_arena_alloc(&p->tree->arena, sizeof *item);
    if (!item)
        return ptog_fail_memory(p);
    *item = (struct ptog_item){.kind = PTOG_ITEM_WORD, .span = part->span, .name = part->word};
    *part = (struct ptog_part){.kind = PTOG_PART_ITEMS, .span = part->span, .items = item, .count = 1};
    return true;
}

/* Makes the results of an operation its destinations, which it then defines. */
static bool outs_from_results(struct ptog_parser *p, struct ptog_op *op, struct shape *shape)
{
    for (uint32_t i = 0; i < op->result_count; i++)
        if (op->results[i].number != 0)
            return ptog_fail(p, PTOG_ID_SYNTAX, op->results[i].span, "'%s' must name its results one by one",
                             ptog_op_info(op->name)->name);
    op->defines = true;
    shape->new_outs.items = op->results;
    shape->new_outs.count = op->result_count;
    op->results = NULL;
    op->result_count = 0;
    if (shape->arrow) {
        shape->new_outs.types = shape->arrow->types;
        shape->new_outs.type_count = shape->arrow->type_count;
    }
    return true;
}

/* Copies a list with the `count` elements from position `at` on moved to its front. */
static void *move_front(struct ptog_parser *p, const void *list, uint32_t length, uint32_t at, uint32_t count,
                        size_t size)
{
    if (length == 0)
        return NULL;
    char *copy = ptog_arena_alloc(&p->tree->arena, length * size);
    const char *from = list;
    if (!copy) {
        ptog_fail_memory(p);
        return NULL;
    }
    memcpy(copy, from + at * size, count * size);
    memcpy(copy + count * size, from, at * size);
    memcpy(copy + (at + count) * size, from + (at + count) * size, (length - at - count) * size);
    return copy;
}

/* Takes `count` items from position `at` of the operands as destinations, and their types when those are listed too. */
static bool split(struct ptog_parser *p, struct shape *shape, uint32_t at, uint32_t count, bool types)
{
    struct ptog_part *ins = &shape->new_ins, *outs = &shape->new_outs;
    if (count == 0)
        return true;
    outs->items = move_front(p, ins->items, ins->count, at, count, sizeof *ins->items);
    outs->count = count;
    ins->count -= count;
    ins->items = outs->items && ins->count > 0 ? outs->items + count : NULL;
    if (!types || ins->type_count <= at)
        return !p->stop;
    uint32_t listed = ptog_min_u32(ins->type_count - at, count);
    outs->types = move_front(p, ins->types, ins->type_count, at, listed, sizeof *ins->types);
    outs->type_count = listed;
    ins->type_count -= listed;
    ins->types = outs->types && ins->type_count > 0 ? outs->types + listed : NULL;
    return !p->stop;
}

/* The operands of the generic form, to where level 2 writes them. */
static bool place_generic(struct ptog_parser *p, struct ptog_part *from, uint32_t outs,
                          const struct ptog_generic_place places[PTOG_MAX_GENERIC], struct shape *shape)
{
    uint32_t count = from->count, typed = from->type_count == count ? count : 0;
    struct ptog_item *items = ptog_arena_alloc(&p->tree->arena, (count + 1) * sizeof *items);
    struct ptog_type_use *types = ptog_arena_alloc(&p->tree->arena, (count + 1) * sizeof *types);
    if (!items || !types)
        return ptog_fail_memory(p);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = places[i].out ? places[i].at : outs + places[i].at;
        items[to] = from->items[i];
        if (places[i].lead) {
            items[to].lead = PTOG_LEAD_WORD;
            items[to].lead_word = places[i].lead;
        }
        if (typed)
            types[to] = from->types[i];
    }
    shape->new_outs.items = items;
    shape->new_outs.count = outs;
    shape->new_ins.items = items + outs;
    shape->new_ins.count = count - outs;
    if (typed) {
        shape->new_outs.types = types;
        shape->new_outs.type_count = outs;
        shape->new_ins.types = types + outs;
        shape->new_ins.type_count = count - outs;
    }
    return true;
}

/* The generic form without results: `outs` destinations come last, but for the operations that spec/names.def lists. */
static bool outs_from_generic(struct ptog_parser *p, const struct ptog_op *op, struct shape *shape, uint32_t outs)
{
    struct ptog_part *ins = &shape->new_ins;
    struct ptog_generic_place places[PTOG_MAX_GENERIC];
    const struct ptog_item *sizes = ptog_op_attr(op, PTOG_WORD_operandSegmentSizes);
    uint32_t listed = 0;
    switch (ptog_generic_order(p->tree, op->name, sizes, ins->count, places)) {
    case PTOG_GENERIC_LAST: return split(p, shape, ins->count - outs, outs, ins->type_count == ins->count);
    case PTOG_GENERIC_WRONG:
        return ptog_fail(p, PTOG_ID_SYNTAX, sizes ? sizes->span : op->name_span,
                         "operandSegmentSizes does not match the number of operands");
    case PTOG_GENERIC_UNREAD:
        return ptog_fail(
            p, PTOG_ID_SYNTAX, op->name_span,
            "the generic form does not say which operand is which; print the program without --mlir-print-op-generic");
    case PTOG_GENERIC_LISTED: break;
    }
    for (uint32_t i = 0; i < ins->count; i++)
        listed += places[i].out;
    struct ptog_part all = *ins;
    return place_generic(p, &all, listed, places, shape);
}

/* Without results the destinations are operands: first (PTO-AS), second (stores), or last (generic form). */
static bool outs_from_operands(struct ptog_parser *p, struct ptog_op *op, struct shape *shape)
{
    struct ptog_part *ins = &shape->new_ins;
    bool arrow = shape->arrow && shape->arrow->type_count > 0;
    bool more = arrow && shape->arrow->type_count > ptog_op_outs(op); /* than usual: the types tell how many */
    uint32_t outs = ptog_min_u32(more ? shape->arrow->type_count : ptog_op_outs(op), ins->count);
    if (op->form == PTOG_OP_GENERIC) {
        if (arrow)
            return ptog_fail(p, PTOG_ID_SYNTAX, shape->arrow->span, "expected '-> ()': the operation has no results");
        return outs_from_generic(p, op, shape, outs);
    }
    uint32_t at = ptog_op_info(op->name)->kind == PTOG_KIND_STORE;
    if (at == 1 && more)
        return ptog_fail(p, PTOG_ID_SYNTAX, shape->arrow->span,
                         "expected one type after '->': a store has one destination");
    bool explicit = at == 1 ? arrow : shape->arrow != NULL;
    if (!split(p, shape, at, at < ins->count ? ptog_min_u32(outs, ins->count - at) : 0, !explicit))
        return false;
    if (arrow) {
        shape->new_outs.types = shape->arrow->types;
        shape->new_outs.type_count = shape->arrow->type_count;
    }
    return true;
}

static bool is_used(const struct shape *shape, const struct ptog_part *part)
{
    return part == shape->ins || part == shape->outs || part == shape->items || part == shape->types ||
           part == shape->arrow || (part->kind == PTOG_PART_DICT && part->word == 0);
}

/* What else may stand in such an operation: keys, and in DPS words and a tail of types. */
static bool check_extra(struct ptog_parser *p, const struct ptog_op *op, const struct ptog_part *part)
{
    bool tail = part->kind == PTOG_PART_TYPES || part->kind == PTOG_PART_ARROW ||
                (part->kind == PTOG_PART_WORD && part->word != PTOG_WORD_to);
    bool fits = part->kind == PTOG_PART_KEY || (tail && op->form == PTOG_OP_DPS);
    char quote[PTOG_QUOTE_SIZE];
    return fits || ptog_fail(p, PTOG_ID_SYNTAX, part->span, "expected a key or a dictionary, found %s",
                             ptog_quote(quote, p->source, part->span));
}

/* parts ::= ins outs {other} [attrs] */
static bool rebuild(struct ptog_parser *p, struct ptog_op *op, struct shape *shape)
{
    struct ptog_part *parts = ptog_arena_alloc(&p->tree->arena, (op->part_count + 3) * sizeof *parts);
    if (!parts)
        return ptog_fail_memory(p);
    uint32_t n = 2;
    parts[0] = shape->new_ins;
    parts[1] = shape->new_outs;
    for (uint32_t i = 0; i < op->part_count; i++) {
        if (is_used(shape, &op->parts[i]))
            continue;
        if (!check_extra(p, op, &op->parts[i]))
            return false;
        parts[n] = op->parts[i];
        parts[n++].comma = false;
    }
    op->ins = &parts[0];
    op->outs = &parts[1];
    if (shape->attrs.count > 0) {
        parts[n] = shape->attrs;
        op->attrs = &parts[n++];
    }
    op->parts = parts;
    op->part_count = n;
    return true;
}

static bool has_clause(const struct ptog_op *op)
{
    return ptog_op_part(op, PTOG_PART_CLAUSE, PTOG_WORD_ins) || ptog_op_part(op, PTOG_PART_CLAUSE, PTOG_WORD_outs);
}

/* Finds the clauses, operands and types among the parts of an operation. */
static void find_parts(const struct ptog_op *op, struct shape *shape)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (part->kind == PTOG_PART_CLAUSE && part->word == PTOG_WORD_ins && !shape->ins)
            shape->ins = part;
        else if (part->kind == PTOG_PART_CLAUSE && part->word == PTOG_WORD_outs && !shape->outs)
            shape->outs = part;
        else if ((part->kind == PTOG_PART_ITEMS || part->kind == PTOG_PART_PARENS) && i == 0)
            shape->items = part;
        else if (part->kind == PTOG_PART_TYPES && !shape->types)
            shape->types = part;
        else if (part->kind == PTOG_PART_ARROW && !shape->arrow)
            shape->arrow = part;
    }
}

/* Rebuilds the parts of an operation with ins(...) and outs(...), spelled as compilers print them. */
static bool normalize_dps(struct ptog_parser *p, struct ptog_op *op, struct shape *shape)
{
    op->form = PTOG_OP_DPS;
    if (shape->ins)
        shape->new_ins = *shape->ins;
    if (shape->outs)
        shape->new_outs = *shape->outs;
    shape->new_ins.comma = shape->new_outs.comma = false;
    shape->items = shape->types = shape->arrow = NULL;
    for (uint32_t i = 0; i < shape->attrs.count; i++)
        if (shape->attrs.entries[i].value.style == PTOG_ITEM_SUFFIX)
            shape->attrs.entries[i].value.style = PTOG_ITEM_HASH_SPACE;
    return drop_dicts(p, &shape->new_ins) && drop_dicts(p, &shape->new_outs) && rebuild(p, op, shape);
}

/* What compilers print: ins, outs and at most a dictionary after them. Nothing has to move. */
static bool is_plain_dps(const struct ptog_op *op)
{
    if (op->form != PTOG_OP_PLAIN || op->part_count < 2 || op->part_count > 3 || op->result_count > 0 ||
        op->parts[1].comma)
        return false;
    const struct ptog_part *parts = op->parts;
    if (parts[0].kind != PTOG_PART_CLAUSE || parts[0].word != PTOG_WORD_ins || parts[1].kind != PTOG_PART_CLAUSE ||
        parts[1].word != PTOG_WORD_outs)
        return false;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < parts[k].count; i++)
            if (parts[k].items[i].kind != PTOG_ITEM_VALUE || parts[k].items[i].lead & PTOG_LEAD_KEY)
                return false;
    return op->part_count == 2 ||
           (parts[2].kind == PTOG_PART_DICT && parts[2].word == 0 && parts[2].count > 0 && !parts[2].comma);
}

/* Compilers print the type of the memory first: pto.store_scalar %v, %p[%i] : !pto.ptr<f32>, f32. */
static void order_store_types(const struct ptog_op *op)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_TYPES, 0);
    if (!part || part->type_count != 2 || part->types[0].type->kind != PTOG_TYPE_SCALAR ||
        part->types[1].type->kind == PTOG_TYPE_SCALAR)
        return;
    struct ptog_type_use first = part->types[0];
    part->types[0] = part->types[1];
    part->types[1] = first;
}

/* The forms without ins and outs: operands in one list, types after them. */
static bool normalize_flat(struct ptog_parser *p, struct ptog_op *op, struct shape *shape)
{
    const struct ptog_part *typed = shape->types ? shape->types : shape->items;
    if (op->form == PTOG_OP_PLAIN)
        op->form = PTOG_OP_SSA;
    if (shape->items) {
        shape->new_ins.items = shape->items->items;
        shape->new_ins.count = shape->items->count;
        shape->new_ins.span = shape->items->span;
    }
    if (typed) {
        shape->new_ins.types = typed->types;
        shape->new_ins.type_count = typed->type_count;
    }
    op->attrs = shape->attrs.count > 0 ? &shape->attrs : NULL; /* ptog_op_outs looks at them */
    if (!drop_dicts(p, &shape->new_ins))
        return false;
    bool good = op->result_count > 0 ? outs_from_results(p, op, shape) : outs_from_operands(p, op, shape);
    op->attrs = NULL;
    return good && rebuild(p, op, shape);
}

/* What the first generation wrote, as it is written now. */
static void modernize(struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_SUBVIEW && ptog_op_part(op, PTOG_PART_KEY, PTOG_WORD_offsets))
        op->name = PTOG_OP_NAME_PARTITION_VIEW;
    if (op->name == PTOG_OP_NAME_STORE_SCALAR && op->form != PTOG_OP_GENERIC)
        order_store_types(op);
}

/* Normalizes an operation whose parts are in their order already: only keys may be spelled differently. */
static bool normalize_plain(struct ptog_parser *p, struct ptog_op *op)
{
    op->form = PTOG_OP_DPS;
    op->ins = &op->parts[0];
    op->outs = &op->parts[1];
    op->attrs = op->part_count == 3 ? &op->parts[2] : NULL;
    if (!op->attrs)
        return true;
    spell_keys(op->attrs);
    return ptog_check_keys(p, op->attrs->entries, op->attrs->count);
}

/* Brings an operation, in whatever form it is written, into one order of parts: sources, destinations, others,
 * attributes. Changes *op; false after an error. */
bool ptog_normalize(struct ptog_parser *p, struct ptog_op *op, const struct ptog_entry *suffixes, uint32_t count)
{
    modernize(op);
    if (!ptog_op_is_tile(op->name))
        return true;
    if (is_plain_dps(op))
        return normalize_plain(p, op);
    struct shape shape = {.new_ins = {.kind = PTOG_PART_CLAUSE, .word = PTOG_WORD_ins},
                          .new_outs = {.kind = PTOG_PART_CLAUSE, .word = PTOG_WORD_outs},
                          .attrs = {.kind = PTOG_PART_DICT}};
    bool word = op->part_count > 0 && op->parts[0].kind == PTOG_PART_WORD && !op->parts[0].listed;
    if (word && !has_clause(op) && !word_to_items(p, &op->parts[0]))
        return false;
    find_parts(op, &shape);
    if (!collect_attrs(p, op, &shape, suffixes, count))
        return false;
    if ((shape.ins || shape.outs) && op->form != PTOG_OP_GENERIC)
        return normalize_dps(p, op, &shape);
    return normalize_flat(p, op, &shape);
}
