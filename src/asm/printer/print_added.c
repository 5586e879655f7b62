/* asm: what is printed and not in the tree: lines before operations, addresses of tiles, attributes. */
#include <inttypes.h>
#include <stdio.h>

#include "asm/printer/printer.h"

/* Prints the lines that a repair adds before an operation. */
void ptog_print_added_lines(struct ptog_printer *pr, const struct ptog_op *op)
{
    const char *line;
    if (!pr->additions || !pr->additions->line)
        return;
    for (uint32_t i = 0; (line = pr->additions->line(pr->additions->user, op, i)) != NULL; i++) {
        ptog_print_indent(pr);
        ptog_put(pr, line);
        ptog_put(pr, "\n");
    }
}

/* Prints the attributes that a run has found for an operation, such as the mode of a gather. */
void ptog_print_added_attrs(struct ptog_printer *pr, const struct ptog_op *op)
{
    const char *attrs = NULL;
    if (pr->additions && pr->additions->attrs)
        attrs = pr->additions->attrs(pr->additions->user, op);
    if (!attrs)
        return;
    ptog_put(pr, " ");
    ptog_put(pr, attrs);
}

/* %at_t, for the address of %t; with more underscores where the program has such a name. */
static void put_address_name(struct ptog_printer *pr, const struct ptog_item *result)
{
    char name[300];
    const char *tile = ptog_tree_text(pr->tree, result->name);
    int length = snprintf(name, sizeof name, "at_%.240s", tile);
    while (ptog_symbol_find(&pr->tree->symbols, name, (size_t)length) != 0 && length + 1 < (int)sizeof name) {
        name[length++] = '_';
        name[length] = '\0';
    }
    ptog_put(pr, "%");
    ptog_put(pr, name);
}

bool ptog_print_placed_alloc(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_item *result,
                             uint32_t which, const struct ptog_type *type)
{
    char number[48];
    uint64_t addr;
    unsigned argument = 0;
    if (!pr->additions || !pr->additions->address || !pr->additions->address(pr->additions->user, op, which, &addr))
        return false;
    ptog_print_indent(pr);
    put_address_name(pr, result);
    snprintf(number, sizeof number, " = arith.constant %" PRIu64 " : i64\n", addr);
    ptog_put(pr, number);
    ptog_print_indent(pr);
    ptog_print_results(pr, result, 1);
    ptog_put(pr, "pto.alloc_tile addr = ");
    put_address_name(pr, result);
    for (uint32_t i = 0; op->name == PTOG_OP_NAME_ALLOC_TILE && i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_KEY)
            ptog_print_part(pr, op, &op->parts[i], &argument);
    ptog_put(pr, " : ");
    ptog_print_alloc_type(pr, type);
    return true;
}
