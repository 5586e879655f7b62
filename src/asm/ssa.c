/* asm: which destinations SSA writes as results. A result is named once, before anything reads it, in the region that
 * knows it, and its alloc_tile stands right before the statement, so that no statement changes its place. Every other
 * destination is written first among the operands, as in PTO-AS. */
#include <stdlib.h>
#include <string.h>

#include "asm/printer/printer.h"

#define MAX_OUTS 4u /* destinations of one operation that can become results */

enum ssa_state {
    FREE = 0,  /* not seen yet in this function */
    ALLOCATED, /* by a plain alloc_tile, and not read yet */
    TAKEN,     /* anything else */
};

struct name {
    uint32_t function; /* in which it was last seen: names start anew in each */
    enum ssa_state state;
    const struct ptog_op *alloc;
    const struct ptog_region *region;
};

struct judge {
    struct ptog_printer *pr;
    struct name *names;           /* by symbol */
    uint32_t function, functions; /* at hand, and seen so far */
    bool in_function;
    const struct ptog_region *outermost;    /* of the function, or of the text */
    const struct ptog_op *before[MAX_OUTS]; /* the operations before the one at hand, the nearest first */
};

/* What is known of a name in the function at hand; at first nothing. */
static struct name *name_of(struct judge *j, ptog_symbol symbol)
{
    struct name *name = &j->names[symbol];
    if (name->function != j->function)
        *name = (struct name){.function = j->function};
    return name;
}

/* The tile of that name is used: it cannot become a result. */
static void take_out(struct judge *j, ptog_symbol symbol)
{
    name_of(j, symbol)->state = TAKEN;
}

/* ---- reading */

static void read_items(struct judge *j, const struct ptog_item *items, uint32_t count);

/* The tiles that a dictionary names are used. */
static void read_entries(struct judge *j, const struct ptog_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        read_items(j, &entries[i].value, 1);
}

/* The tiles that these items name are used as they are: none of them can become a result. */
static void read_items(struct judge *j, const struct ptog_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].kind == PTOG_ITEM_VALUE)
            take_out(j, items[i].name);
        if (ptog_item_is_keyed(&items[i]))
            read_entries(j, items[i].entries, items[i].count);
        else if (items[i].count > 0)
            read_items(j, items[i].items, items[i].count);
    }
}

/* ---- writing */

static bool is_plain_alloc(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_ALLOC_TILE && op->result_count == 1 && op->results[0].number == 0 &&
           op->part_count == 1 && op->parts[0].kind == PTOG_PART_TYPES && op->parts[0].type_count == 1;
}

/* The statement's type must be the allocation's, or both leave it open. */
static bool types_agree(struct judge *j, const struct ptog_op *alloc, const struct ptog_part *outs, uint32_t i)
{
    const struct ptog_type *type = alloc->parts[0].types[0].type;
    if (i >= outs->type_count)
        return type->kind == PTOG_TYPE_TILE_BUF && type->elided;
    return ptog_type_equal(j->pr->tree, type, j->pr->tree, outs->types[i].type, PTOG_EQUAL_MEANING);
}

/* DPS puts the allocations right before the statement, in the order of its destinations: only those that stand there,
 * with no comment or empty line between, can go, or statements would change their place. */
static bool stands_before(struct judge *j, const struct ptog_op *op, uint32_t i)
{
    uint32_t place = op->outs->count - 1 - i;
    const struct ptog_op *alloc = name_of(j, op->outs->items[i].name)->alloc;
    bool nothing_between =
        !op->comments && !op->blank && !alloc->after && (i == 0 || (!alloc->comments && !alloc->blank));
    return place < MAX_OUTS && j->before[place] == alloc && nothing_between;
}

/* Whether destination `i` can be a result in level 1: the operation writes a tile that was allocated just before, and
 * that nobody has used. */
static bool can_be_result(struct judge *j, const struct ptog_op *op, uint32_t i, const struct ptog_region *region)
{
    const struct ptog_item *item = &op->outs->items[i];
    if (item->kind != PTOG_ITEM_VALUE || item->called)
        return false;
    for (uint32_t k = 0; k < i; k++)
        if (op->outs->items[k].name == item->name)
            return false;
    const struct name *name = name_of(j, item->name);
    if (name->state == FREE) /* in a function it is not defined, and stays so */
        return region == j->outermost && !j->in_function;
    return name->state == ALLOCATED && j->in_function && name->region == region && stands_before(j, op, i) &&
           types_agree(j, name->alloc, op->outs, i);
}

/* Decides whether the destinations of an instruction become results; their allocations are then left out. */
static void judge_tile(struct judge *j, const struct ptog_op *op, const struct ptog_region *region)
{
    const struct ptog_part *outs = op->outs;
    bool store = ptog_op_info(op->name)->kind == PTOG_KIND_STORE;
    read_items(j, op->ins->items, op->ins->count);
    if (op->defines || store || outs->count == 0) {
        read_items(j, outs->items, outs->count);
        return;
    }
    bool results = true;
    for (uint32_t i = 0; i < outs->count; i++)
        results = results && can_be_result(j, op, i, region);
    j->pr->verdicts[op->number] = results ? PTOG_SSA_RESULT : PTOG_SSA_KEEP;
    for (uint32_t i = 0; i < outs->count; i++) {
        const struct name *name = name_of(j, outs->items[i].name);
        if (results && name->state == ALLOCATED)
            j->pr->verdicts[name->alloc->number] = PTOG_SSA_DROP;
    }
    read_items(j, outs->items, outs->count);
}

/* ---- the walk */

static void judge_region(struct judge *j, const struct ptog_region *region);

/* Judges an inner region; what stood before the operation is the same afterwards. */
static void judge_inner(struct judge *j, const struct ptog_region *region)
{
    const struct ptog_op *before[MAX_OUTS];
    memcpy(before, j->before, sizeof before);
    judge_region(j, region);
    memcpy(j->before, before, sizeof before);
}

/* Judges what stands in the attributes, clauses and regions of an operation. */
static void judge_parts(struct judge *j, const struct ptog_op *op)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (part == op->ins || part == op->outs)
            continue;
        if (part->kind == PTOG_PART_DICT)
            read_entries(j, part->entries, part->count);
        else if (part->kind == PTOG_PART_REGION)
            judge_inner(j, part->region);
        else if (part->kind <= PTOG_PART_WORD)
            read_items(j, part->items, part->count);
    }
}

/* Judges a function, whose names are its own. */
static void judge_function(struct judge *j, const struct ptog_op *op)
{
    struct judge outer = *j;
    j->function = ++j->functions;
    j->in_function = true;
    j->outermost = ptog_op_part(op, PTOG_PART_REGION, 0)->region;
    judge_parts(j, op);
    j->function = outer.function;
    j->in_function = outer.in_function;
    j->outermost = outer.outermost;
}

/* Judges one operation, and notes the names that it defines. */
static void judge_op(struct judge *j, const struct ptog_op *op, const struct ptog_region *region)
{
    if (ptog_op_info(op->name)->kind == PTOG_KIND_FUNC && op->form != PTOG_OP_GENERIC) {
        judge_function(j, op);
        return;
    }
    judge_parts(j, op);
    if (ptog_op_is_tile(op->name))
        judge_tile(j, op, region);
    for (uint32_t i = 0; i < op->result_count; i++) {
        struct name *name = name_of(j, op->results[i].name);
        bool fresh = name->state == FREE && is_plain_alloc(op);
        *name = (struct name){j->function, fresh ? ALLOCATED : TAKEN, is_plain_alloc(op) ? op : NULL, region};
    }
}

/* Judges the operations of a region in their order; `j->before` has the last ones. */
static void judge_region(struct judge *j, const struct ptog_region *region)
{
    for (uint32_t i = 0; i < region->arg_count; i++)
        take_out(j, region->args[i].name);
    memset(j->before, 0, sizeof j->before);
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        judge_op(j, op, region);
        memmove(&j->before[1], &j->before[0], (MAX_OUTS - 1) * sizeof *j->before);
        j->before[0] = op;
    }
}

bool ptog_ssa_judge(struct ptog_printer *pr)
{
    struct judge j = {.pr = pr, .function = 1, .functions = 1, .outermost = &pr->tree->root};
    pr->verdicts = calloc((size_t)pr->tree->op_count + 1, 1);
    j.names = calloc((size_t)pr->tree->symbols.count + 1, sizeof *j.names);
    if (pr->verdicts && j.names)
        judge_region(&j, &pr->tree->root);
    bool good = pr->verdicts && j.names;
    free(j.names);
    return good;
}
