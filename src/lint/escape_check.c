/* lint: values that escape from where they belong. Compilers follow a struct, and a pointer that inttoptr makes, from
 * where it is made to where it is used; here one walk in the order of the text does, which is enough because a name is
 * defined before it is used. */
#include "lint/program_checks.h"

#include <stdlib.h>

#include "asm/op_parts.h"

/* The last definition of a name, if inttoptr is it. */
struct made {
    const struct ptog_item *item; /* NULL: another operation defines it */
    uint32_t function;
};

struct escape_walk {
    const struct ptog_tree *tree;
    struct ptog_diag_list *diags;
    struct made *made;  /* by symbol */
    uint32_t functions; /* begun so far: names of others are not those of this one */
};

/* What is around a statement. */
struct around {
    const struct ptog_op *op; /* whose region it stands in; NULL: none */
    bool simt;                /* in a SIMT section */
};

/* ---- structs */

static bool is_function(const struct ptog_op *op)
{
    return op && ptog_op_info(op->name)->kind == PTOG_KIND_FUNC;
}

static bool is_struct(const struct ptog_type *type)
{
    return type && type->kind == PTOG_TYPE_STRUCT;
}

/* Compilers let no function take a struct; what branches hand to a block would be one that is not declared there. */
static void check_struct_args(const struct escape_walk *s, const struct ptog_region *region, const struct ptog_op *op)
{
    const char *message = "a struct must come from pto.declare_struct: it cannot be an argument of a block";
    if (is_function(op))
        message = "a struct lives in the function that declares it: it cannot be an argument";
    for (uint32_t i = 0; i < region->arg_count; i++)
        if (is_struct(region->args[i].type.type))
            ptog_diag_emit(s->diags, "text-struct", region->args[i].type.span, "%s", message);
}

/* The types of results: after '->' or 'to'; arith.select has but one type, which is that of its result, too. */
static const struct ptog_part *result_types(const struct ptog_op *op)
{
    const struct ptog_part *types = ptog_op_part(op, PTOG_PART_ARROW, 0);
    if (!types)
        types = ptog_op_part(op, PTOG_PART_TO, 0);
    if (!types && (op->result_count > 0 || op->name == PTOG_OP_NAME_FUSION_REGION))
        types = ptog_op_part(op, PTOG_PART_TYPES, 0);
    return types;
}

/* Reports results that are structs: only pto.declare_struct may make one. */
static void check_struct_results(const struct escape_walk *s, const struct ptog_op *op)
{
    const struct ptog_part *types = result_types(op);
    if (op->name == PTOG_OP_NAME_DECLARE_STRUCT)
        return;
    const char *message = "a struct must come from pto.declare_struct: a region or a select would hide its lifetime";
    if (is_function(op))
        message = "a struct lives in the function that declares it: it cannot be returned";
    for (uint32_t i = 0; i < ptog_type_count(types); i++)
        if (is_struct(types->types[i].type))
            ptog_diag_emit(s->diags, "text-struct", types->types[i].span, "%s", message);
}

/* ---- pointers made of numbers */

/* Notes where a name is defined. */
static void define_value(const struct escape_walk *s, ptog_symbol name, const struct ptog_item *item)
{
    if (name != 0)
        s->made[name] = (struct made){item, s->functions};
}

/* Notes the results of an operation as defined in the walk; those of inttoptr with where they were made. */
static void define_results(const struct escape_walk *s, const struct ptog_op *op)
{
    for (uint32_t i = 0; i < op->result_count; i++) {
        const struct ptog_item *item = NULL;
        if (op->name == PTOG_OP_NAME_INTTOPTR)
            item = &op->results[i];
        define_value(s, op->results[i].name, item);
    }
    for (uint32_t i = 0; op->defines && op->outs && i < op->outs->count; i++)
        define_value(s, op->outs->items[i].name, NULL);
}

/* Reports a use of a pointer that inttoptr made. */
static void check_pointer_use(const struct escape_walk *s, const struct ptog_item *item)
{
    const struct made *made = &s->made[item->name];
    if (!made->item || made->function != s->functions)
        return;
    ptog_diag_relate(ptog_diag_emit(s->diags, "text-pointer", item->span,
                                    "%%%.80s is a pointer made from a number, which only pto.load_scalar and "
                                    "pto.store_scalar accept",
                                    ptog_tree_text(s->tree, item->name)),
                     made->item->span, "created here");
}

/* Whether an item has items in it, such as indices or arguments. */
static bool has_items(const struct ptog_item *item)
{
    switch (item->kind) {
    case PTOG_ITEM_VALUE:
    case PTOG_ITEM_SYMBOL:
    case PTOG_ITEM_BLOCK:
    case PTOG_ITEM_WORD:
    case PTOG_ITEM_ARRAY: return item->count > 0;
    default: return false;
    }
}

/* The pointer of load_scalar and store_scalar is the one with brackets. Items nest no deeper than the parser lets
 * them. */
static void check_items(const struct escape_walk *s, const struct ptog_item *items, uint32_t count, bool loads)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ptog_item *item = &items[i];
        if (item->kind == PTOG_ITEM_VALUE && !(loads && item->called))
            check_pointer_use(s, item);
        if (has_items(item))
            check_items(s, item->items, item->count, false);
    }
}

/* Reports operands of an operation that may not leave the region in which they were made. */
static void check_operands(const struct escape_walk *s, const struct ptog_op *op)
{
    bool loads = op->name == PTOG_OP_NAME_LOAD_SCALAR || op->name == PTOG_OP_NAME_STORE_SCALAR;
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        bool results = op->defines && part == op->outs;
        if (part->kind != PTOG_PART_DICT && part->kind != PTOG_PART_REGION && !results)
            check_items(s, part->items, part->count, loads);
    }
}

/* ---- regions */

static void check_place(const struct escape_walk *s, const struct ptog_op *op, const struct around *around)
{
    if (op->name == PTOG_OP_NAME_SECTION_SIMT && around->simt)
        ptog_diag_emit(s->diags, "text-place", op->name_span, "'pto.section.simt' is not allowed inside another one");
    if (op->name == PTOG_OP_NAME_PTO_YIELD && around->op && around->op->name != PTOG_OP_NAME_FUSION_REGION)
        ptog_diag_emit(s->diags, "text-place", op->name_span,
                       "'pto.yield' is only allowed at the end of a pto.fusion_region");
}

/* Regions nest no deeper than the parser lets them. */
static void walk(struct escape_walk *s, const struct ptog_region *region, const struct around *around)
{
    check_struct_args(s, region, around->op);
    for (uint32_t i = 0; i < region->arg_count; i++)
        define_value(s, region->args[i].name, NULL);
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        struct around inside = {op, around->simt || op->name == PTOG_OP_NAME_SECTION_SIMT};
        s->functions += is_function(op);
        check_place(s, op, around);
        check_operands(s, op);
        check_struct_results(s, op);
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                walk(s, op->parts[i].region, &inside);
        define_results(s, op);
    }
}

void ptog_escape_check(const struct ptog_program *program, struct ptog_diag_list *diags)
{
    struct escape_walk s = {.tree = &program->tree, .diags = diags};
    if (!program->tree.has_escapes)
        return;
    s.made = calloc((size_t)program->tree.symbols.count + 1, sizeof *s.made);
    if (s.made)
        walk(&s, &program->tree.root, &(struct around){0});
    else
        diags->no_memory = true;
    free(s.made);
}
