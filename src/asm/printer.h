/* asm: what the files of the printer share. Text grows in one buffer; running out of memory is remembered, not
 * returned. */
#ifndef PTOG_ASM_PRINTER_H
#define PTOG_ASM_PRINTER_H

#include "asm/asm.h"
#include "base/stack.h"

/* What SSA makes of an operation; by ptog_op.number. */
enum ptog_verdict {
    PTOG_VERDICT_KEEP = 0,
    PTOG_VERDICT_RESULT,   /* destinations become results */
    PTOG_VERDICT_DROP,     /* an alloc_tile whose tile becomes a result */
    PTOG_VERDICT_IN_PLACE, /* a destination is written in place: SSA cannot say that */
};

struct ptog_printer {
    const struct ptog_tree *tree;
    enum ptog_text_form form;
    struct ptog_text_diags *diags;
    const struct ptog_additions *additions; /* may be NULL */
    struct ptog_stack text;
    const struct ptog_op *op; /* at hand, for messages */
    uint8_t *verdicts;
    int indent;
    bool in_function;
    bool no_memory;
    size_t problems;
};

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

/* ---- print_item.c */

/* `named`: the operation names the attribute's class here. */
void ptog_print_item(struct ptog_printer *pr, const struct ptog_item *item, bool named);
void ptog_print_items(struct ptog_printer *pr, const struct ptog_item *items, uint32_t count);
void ptog_print_dict(struct ptog_printer *pr, const struct ptog_entry *entries, uint32_t count);
void ptog_print_entry(struct ptog_printer *pr, const struct ptog_entry *entry, ptog_symbol op);

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
void ptog_print_region(struct ptog_printer *pr, const struct ptog_region *region);

/* ---- print_added.c: what is not in the tree */

/* The lines before an operation. */
void ptog_print_added_lines(struct ptog_printer *pr, const struct ptog_op *op);

/* An alloc_tile with an address that is added, and the constant before it; false: none is, and nothing was written.
 * `result` is the tile, number `which` of those that the operation makes. */
bool ptog_print_placed_alloc(struct ptog_printer *pr, const struct ptog_op *op, const struct ptog_item *result,
                             uint32_t which, const struct ptog_type *type);

/* ---- ssa.c: fills pr->verdicts */
bool ptog_ssa_judge(struct ptog_printer *pr);

#endif
