/* asm: what the files of the printer share. Text grows in one buffer; running out of memory is remembered, not
 * returned. */
#ifndef PTOG_ASM_PRINTER_PRINTER_H
#define PTOG_ASM_PRINTER_PRINTER_H

#include "asm/asm.h"
#include "base/stack.h"

/* What SSA makes of an operation; by ptog_op.number. */
enum ptog_ssa_verdict {
    PTOG_SSA_KEEP = 0,
    PTOG_SSA_RESULT, /* destinations become results */
    PTOG_SSA_DROP,   /* an alloc_tile whose tile becomes a result */
};

struct ptog_printer {
    const struct ptog_tree *tree;
    enum ptog_text_form form;
    struct ptog_diag_list *diags;
    const struct ptog_additions *additions; /* may be NULL */
    struct ptog_stack text;
    const struct ptog_op *op; /* at hand, for messages */
    uint8_t *verdicts;
    int indent;
    bool blank_due; /* an empty line stood before an operation that is left out */
    bool fresh;     /* nothing stands yet in the region, or the text, at hand */
    bool in_function;
    bool no_memory;
    size_t problems;
};

/* Append to the text of the printer, or set its no_memory. */
void ptog_put_n(struct ptog_printer *pr, const char *text, size_t length);
void ptog_put(struct ptog_printer *pr, const char *text);
void ptog_put_symbol(struct ptog_printer *pr, ptog_symbol symbol);

/* The form cannot say what stands at the span. */
__attribute__((format(printf, 3, 4))) void ptog_print_problem(struct ptog_printer *pr, struct ptog_span span,
                                                              const char *format, ...);

/* ---- print_type.c */
void ptog_print_type(struct ptog_printer *pr, const struct ptog_type *type);
void ptog_print_type_list(struct ptog_printer *pr, const struct ptog_type_use *types, uint32_t count);
void ptog_print_types(struct ptog_printer *pr, const struct ptog_type_use *types, uint32_t count, bool parens);

/* ---- print_nodes.c: an affine map, a strided layout, a record */
void ptog_print_node(struct ptog_printer *pr, const struct ptog_item *item);

/* ---- print_item.c */

/* `named`: the operation names the attribute's class here. */
void ptog_print_item(struct ptog_printer *pr, const struct ptog_item *item, bool named);
void ptog_print_items(struct ptog_printer *pr, const struct ptog_item *items, uint32_t count);
void ptog_print_lead(struct ptog_printer *pr, const struct ptog_item *item); /* `fp `, `key = ` */
void ptog_print_dict(struct ptog_printer *pr, const struct ptog_entry *entries, uint32_t count);
void ptog_print_entry(struct ptog_printer *pr, const struct ptog_entry *entry, ptog_symbol op);

/* ---- print_group.c */

/* Items and types of round brackets, without the brackets. `as_stored`: with the runs and commas they were read with;
 * else one run, or one for each operand with `segments`, and one for each operand that a word leads. `dict` is written
 * after the first run's items when it is not NULL. */
struct ptog_group_style {
    bool as_stored, segments;
    const struct ptog_op *op; /* that names the classes of attributes; NULL: nothing does */
    unsigned *argument;       /* the number of the next argument of op */
    void (*dict)(struct ptog_printer *pr, const struct ptog_op *op, bool any);
};
void ptog_print_group(struct ptog_printer *pr, const struct ptog_part *part, const struct ptog_group_style *style);

/* ---- print_op.c, print_tile_op.c, print.c */
void ptog_print_name(struct ptog_printer *pr, const struct ptog_op *op);
void ptog_print_results(struct ptog_printer *pr, const struct ptog_item *results, uint32_t count);
void ptog_print_part(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_part *part,
                     unsigned *argument);
void ptog_print_plain_op(struct ptog_printer *pr, const struct ptog_op *op);
void ptog_print_tile_op(struct ptog_printer *pr, const struct ptog_op *op);
void ptog_print_allocs(struct ptog_printer *pr, const struct ptog_op *op);
void ptog_print_alloc_type(struct ptog_printer *pr, const struct ptog_type *type); /* NULL: not known */
void ptog_print_indent(struct ptog_printer *pr);
void ptog_print_loc(struct ptog_printer *pr, ptog_symbol loc); /* " loc(...)", or nothing */
void ptog_print_region(struct ptog_printer *pr, const struct ptog_region *region);

/* ---- print_added.c: what is not in the tree */

/* The lines before an operation. */
void ptog_print_added_lines(struct ptog_printer *pr, const struct ptog_op *op);
void ptog_print_added_attrs(struct ptog_printer *pr, const struct ptog_op *op);

/* An alloc_tile with an address that is added, and the constant before it; false: none is, and nothing was written.
 * `result` is the tile, number `which` of those that the operation makes. */
bool ptog_print_placed_alloc(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_item *result,
                             uint32_t which, const struct ptog_type *type);

/* ---- ssa.c: fills pr->verdicts */
bool ptog_ssa_judge(struct ptog_printer *pr);

#endif
