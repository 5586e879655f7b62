/* asm: operations that are written the same way in every form, and the frame, to text. */
#include "asm/printer/printer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/pick.h"

/* Prints the results of an operation and " = ". */
void ptog_print_results(struct ptog_printer *pr, const struct ptog_item *results, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char number[24] = "";
        if (!results[i].called && results[i].number != 0)
            snprintf(number, sizeof number, ":%" PRIu64, results[i].number);
        ptog_put(pr, i > 0 ? ", %" : "%");
        ptog_put_symbol(pr, results[i].name);
        ptog_put(pr, number);
    }
    ptog_put(pr, ptog_when(count > 0, " = "));
}

/* Prints the name of an operation, in the form that is printed. */
void ptog_print_name(struct ptog_printer *pr, const struct ptog_op *op)
{
    const char *name = ptog_tree_text(pr->tree, op->name);
    if (op->form == PTOG_OP_GENERIC)
        ptog_put(pr, "\"");
    if (op->form == PTOG_OP_AS && pr->form == PTOG_TEXT_WRITTEN)
        ptog_put(pr, name + strlen("pto."));
    else
        ptog_put_symbol(pr, op->name);
    if (op->form == PTOG_OP_GENERIC)
        ptog_put(pr, "\"");
}

/* ---- parts */

/* Prints the operands of an operation by commas; *n counts its arguments. */
static void put_arguments(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_part *part, unsigned *n)
{
    for (uint32_t i = 0; i < part->count; i++, (*n)++) {
        ptog_put(pr, ptog_when(i > 0, ", "));
        ptog_print_lead(pr, &part->items[i]);
        ptog_print_item(pr, &part->items[i], ptog_arg_class(op->name, *n) != NULL);
    }
}

/* Prints a clause such as ins(...); *n counts its arguments. */
static void put_clause(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_part *part, unsigned *n)
{
    struct ptog_group_style style = {.as_stored = true, .op = op, .argument = n};
    ptog_put_symbol(pr, part->word);
    ptog_put(pr, "(");
    ptog_print_group(pr, part, &style);
    ptog_put(pr, ")");
}

/* Prints operands in brackets; *n counts arguments. */
static void put_listed(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_part *part, unsigned *n,
                       const char *brackets)
{
    ptog_put_n(pr, &brackets[0], 1);
    put_arguments(pr, op, part, n);
    ptog_put_n(pr, &brackets[1], 1);
}

/* Prints a part that is a dictionary, after its word. */
static void put_dict_part(struct ptog_printer *pr, const struct ptog_part *part)
{
    if (part->word != 0) {
        ptog_put_symbol(pr, part->word);
        ptog_put(pr, " ");
    }
    ptog_put(pr, ptog_when(part->listed, "<"));
    ptog_print_dict(pr, part->entries, part->count);
    ptog_put(pr, ptog_when(part->listed, ">"));
}

/* Prints a region after its word, `else` or `do`; nothing for a declaration. */
static void put_region_part(struct ptog_printer *pr, const struct ptog_part *part)
{
    if (!part->region->body)
        return;
    if (part->word != 0) {
        ptog_put_symbol(pr, part->word);
        ptog_put(pr, " ");
    }
    ptog_print_region(pr, part->region);
}

/* What stands between a part and what is before it. Brackets right after the name, or after the map that they are the
 * arguments of, touch it. */
static const char *separator(const struct ptog_op *op, const struct ptog_part *part)
{
    if (part->comma)
        return ", ";
    bool bracket = part->kind == PTOG_PART_LIST || part->kind == PTOG_PART_PARENS;
    bool map = op->name == PTOG_OP_NAME_AFFINE_APPLY;
    return ptog_when(!(bracket && (part == op->parts || map)), " ");
}

/* Prints types after their mark, ':' or '->'. */
static void put_types_part(struct ptog_printer *pr, const struct ptog_part *part, const char *mark)
{
    ptog_put(pr, mark);
    ptog_print_types(pr, part->types, part->type_count, part->parens);
}

/* word = a, word: [a, b] */
static void put_key(struct ptog_printer *pr, const struct ptog_part *part)
{
    ptog_put_symbol(pr, part->word);
    ptog_put(pr, part->listed ? ": " : " = ");
    ptog_print_items(pr, part->items, part->count);
}

/* Prints one part of an operation. */
void ptog_print_part(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_part *part,
                     unsigned *argument)
{
    ptog_put(pr, separator(op, part));
    switch ((enum ptog_part_kind)part->kind) {
    case PTOG_PART_NONE: break;
    case PTOG_PART_ITEMS: put_arguments(pr, op, part, argument); break;
    case PTOG_PART_LIST: put_listed(pr, op, part, argument, "[]"); break;
    case PTOG_PART_PARENS:
    case PTOG_PART_CLAUSE: put_clause(pr, op, part, argument); break;
    case PTOG_PART_LAUNCH:
        ptog_put(pr, "<<<");
        ptog_print_items(pr, part->items, part->count);
        ptog_put(pr, ">>>");
        break;
    case PTOG_PART_KEY: put_key(pr, part); break;
    case PTOG_PART_WORD:
        ptog_put_symbol(pr, part->word);
        if (part->listed) {
            ptog_put(pr, " [");
            ptog_print_items(pr, part->items, part->count);
            ptog_put(pr, "]");
        }
        break;
    case PTOG_PART_DICT: put_dict_part(pr, part); break;
    case PTOG_PART_TYPES: put_types_part(pr, part, ": "); break;
    case PTOG_PART_ARROW: put_types_part(pr, part, "-> "); break;
    case PTOG_PART_TO: put_types_part(pr, part, "to "); break;
    case PTOG_PART_REGION: put_region_part(pr, part); break;
    }
}

/* ---- the frame */

/* Prints the arguments of a function with their types. */
static void put_args(struct ptog_printer *pr, const struct ptog_region *region)
{
    ptog_put(pr, "(");
    for (uint32_t i = 0; i < region->arg_count; i++) {
        const struct ptog_arg *arg = &region->args[i];
        ptog_put(pr, ptog_when(i > 0, ", "));
        if (arg->name != 0) {
            ptog_put(pr, "%");
            ptog_put_symbol(pr, arg->name);
            ptog_put(pr, ": ");
        }
        ptog_print_type(pr, arg->type.type);
        if (arg->has_dict) {
            ptog_put(pr, " ");
            ptog_print_dict(pr, arg->entries, arg->entry_count);
        }
        ptog_print_loc(pr, arg->loc);
    }
    ptog_put(pr, ")");
}

/* The arguments follow the name, and live in the region that comes last. */
static void put_func(struct ptog_printer *pr, const struct ptog_op *op)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0);
    bool outer = pr->in_function;
    pr->in_function = true;
    for (uint32_t i = 0; i < op->part_count; i++) {
        unsigned n = 0;
        if (op->parts[i].kind == PTOG_PART_REGION && !op->parts[i].region->body)
            continue;
        ptog_print_part(pr, op, &op->parts[i], &n);
        if (op->parts[i].kind == PTOG_PART_ITEMS)
            put_args(pr, body->region);
    }
    pr->in_function = outer;
}

/* %name = item, for each argument that a loop starts with */
static void put_inits(struct ptog_printer *pr, const char *open, const struct ptog_part *part,
                      const struct ptog_arg *args)
{
    ptog_put(pr, open);
    for (uint32_t i = 0; i < part->count; i++) {
        ptog_put(pr, i > 0 ? ", %" : "%");
        ptog_put_symbol(pr, args[i].name);
        ptog_put(pr, " = ");
        ptog_print_item(pr, &part->items[i], false);
    }
    ptog_put(pr, ")");
}

/* Prints the header of scf.for, and its region. */
static void put_for(struct ptog_printer *pr, const struct ptog_op *op)
{
    static const char *const before[] = {" = ", " to ", " step "};
    const struct ptog_region *region = ptog_op_part(op, PTOG_PART_REGION, 0)->region;
    ptog_put(pr, " %");
    ptog_put_symbol(pr, region->args[0].name);
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        unsigned n = 0;
        if (part->kind == PTOG_PART_CLAUSE)
            put_inits(pr, " iter_args(", part, region->args + 1);
        else if (part->kind != PTOG_PART_ITEMS)
            ptog_print_part(pr, op, part, &n);
        for (uint32_t k = 0; part->kind == PTOG_PART_ITEMS && k < part->count; k++) {
            ptog_put(pr, before[k]);
            ptog_print_item(pr, &part->items[k], false);
        }
    }
}

/* Prints the header of scf.while, and its regions. */
static void put_while(struct ptog_printer *pr, const struct ptog_op *op)
{
    const struct ptog_region *region = ptog_op_part(op, PTOG_PART_REGION, 0)->region;
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        unsigned n = 0;
        if (part->kind != PTOG_PART_CLAUSE)
            ptog_print_part(pr, op, part, &n);
        else if (part->count > 0)
            put_inits(pr, " (", part, region->args);
    }
}

/* ^name(%x: T): */
static void put_label(struct ptog_printer *pr, const struct ptog_op *op)
{
    const struct ptog_region *region = op->parts[1].region;
    ptog_print_item(pr, &op->parts[0].items[0], false);
    if (region->arg_count > 0)
        put_args(pr, region);
    ptog_put(pr, ":");
}

/* Prints an operation as it is written, part by part. */
void ptog_print_plain_op(struct ptog_printer *pr, const struct ptog_op *op)
{
    unsigned argument = 0;
    enum ptog_op_kind kind = op->form == PTOG_OP_GENERIC ? PTOG_KIND_UNKNOWN : ptog_op_info(op->name)->kind;
    if (kind == PTOG_KIND_LABEL) {
        put_label(pr, op);
        return;
    }
    ptog_print_results(pr, op->results, op->result_count);
    ptog_print_name(pr, op);
    if (kind == PTOG_KIND_FUNC) {
        put_func(pr, op);
    } else if (kind == PTOG_KIND_FOR) {
        put_for(pr, op);
    } else if (kind == PTOG_KIND_WHILE) {
        put_while(pr, op);
    } else {
        for (uint32_t i = 0; i < op->part_count; i++) {
            pr->op = op; /* a region before it has left its last operation here */
            ptog_print_part(pr, op, &op->parts[i], &argument);
        }
    }
}
