/* asm: a tree to text: regions, comments, and the choice of form. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/printer/printer.h"

/* ---- text */

void ptog_put_n(struct ptog_printer *pr, const char *text, size_t length)
{
    if (!ptog_stack_push(&pr->text, text, length))
        pr->no_memory = true;
}

void ptog_put(struct ptog_printer *pr, const char *text)
{
    ptog_put_n(pr, text, strlen(text));
}

void ptog_put_symbol(struct ptog_printer *pr, ptog_symbol symbol)
{
    ptog_put_n(pr, ptog_tree_text(pr->tree, symbol), ptog_symbol_length(&pr->tree->symbols, symbol));
}

/* Prints a location behind a space, if there is one. */
void ptog_print_loc(struct ptog_printer *pr, ptog_symbol loc)
{
    if (loc == 0)
        return;
    ptog_put(pr, " ");
    ptog_put_symbol(pr, loc);
}

/* Prints the indent of a line. */
void ptog_print_indent(struct ptog_printer *pr)
{
    for (int i = 0; i < pr->indent; i++)
        ptog_put_n(pr, "  ", 2);
}

/* Reports something that the form which is printed cannot say, and counts it. */
void ptog_print_problem(struct ptog_printer *pr, struct ptog_span span, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (pr->problems++ >= PTOG_MAX_ERRORS)
        return;
    ptog_diag_emit(pr->diags, PTOG_ID_FORM, span, "%s", message);
    pr->no_memory |= pr->diags->no_memory;
}

/* ---- comments */

/* '//' for every form; the other marks where they were. A '#' only starts lines. */
static void put_comment(struct ptog_printer *pr, const struct ptog_comment *comment, bool own_line)
{
    bool keep = pr->form == PTOG_TEXT_WRITTEN || pr->form == PTOG_TEXT_AS;
    const char *mark = "//";
    if (comment->mark == '#' && own_line)
        mark = "#";
    else if (comment->mark == ';' && keep)
        mark = ";";
    ptog_put(pr, mark);
    ptog_put_symbol(pr, comment->text);
}

/* Of several empty lines one is kept, and none at the start or the end of a region. */
static void put_blank(struct ptog_printer *pr, bool blank)
{
    if (blank && !pr->fresh)
        ptog_put(pr, "\n");
    pr->fresh = false;
}

/* Prints comments on lines of their own. */
static void put_comments(struct ptog_printer *pr, const struct ptog_comment *comment)
{
    for (; comment; comment = comment->next) {
        put_blank(pr, comment->blank);
        ptog_print_indent(pr);
        put_comment(pr, comment, true);
        ptog_put(pr, "\n");
    }
}

/* ---- operations and regions */

/* An alloc_tile that gets its address now. */
static bool put_placed(struct ptog_printer *pr, const struct ptog_op *op)
{
    const struct ptog_part *arrow = ptog_op_part(op, PTOG_PART_ARROW, 0), *types = ptog_op_part(op, PTOG_PART_TYPES, 0);
    const struct ptog_part *part = arrow && arrow->type_count > 0 ? arrow : types;
    if (op->name != PTOG_OP_NAME_ALLOC_TILE || op->result_count != 1 || !part || part->type_count == 0)
        return false;
    return ptog_print_placed_alloc(pr, op, &op->results[0], 0, part->types[0].type);
}

/* Prints one operation with its comments, on a line of its own; an alloc_tile that the form leaves out, only its
 * comments. */
static void put_op(struct ptog_printer *pr, const struct ptog_op *op)
{
    put_comments(pr, op->comments);
    if (pr->verdicts && pr->verdicts[op->number] == PTOG_SSA_DROP) {
        put_comments(pr, op->after);
        pr->blank_due = pr->blank_due || op->blank;
        return;
    }
    pr->op = op;
    put_blank(pr, op->blank || pr->blank_due);
    pr->blank_due = false;
    ptog_print_allocs(pr, op);
    ptog_print_added_lines(pr, op);
    if (!put_placed(pr, op)) {
        bool label = op->name == PTOG_OP_NAME_LABEL && pr->indent > 0;
        pr->indent -= label;
        ptog_print_indent(pr);
        pr->indent += label;
        if (ptog_op_is_tile(op->name))
            ptog_print_tile_op(pr, op);
        else
            ptog_print_plain_op(pr, op);
    }
    ptog_print_loc(pr, op->loc);
    if (op->after) {
        ptog_put(pr, " ");
        put_comment(pr, op->after, false);
    }
    ptog_put(pr, "\n");
}

/* Prints the operations of a region, each on its lines. */
static void put_ops(struct ptog_printer *pr, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next)
        put_op(pr, op);
    put_comments(pr, region->comments);
}

/* Prints a region in braces, its operations indented. */
void ptog_print_region(struct ptog_printer *pr, const struct ptog_region *region)
{
    ptog_put(pr, "{");
    if (region->opening) {
        ptog_put(pr, " ");
        put_comment(pr, region->opening, false);
    }
    ptog_put(pr, "\n");
    pr->indent++;
    pr->fresh = true;
    put_ops(pr, region);
    pr->fresh = false;
    pr->indent--;
    ptog_print_indent(pr);
    ptog_put(pr, "}");
}

enum ptog_status ptog_print(const struct ptog_tree *tree, enum ptog_text_form form, const struct ptog_sink *sink,
                            struct ptog_diag_list *diags)
{
    return ptog_print_with(tree, form, NULL, sink, diags);
}

/* Prints a tree in a form, with additions, to the sink, all of it or nothing. PTOG_ILLEGAL: the form cannot say it, see
 * `diags`. */
enum ptog_status ptog_print_with(const struct ptog_tree *tree, enum ptog_text_form form,
                                 const struct ptog_additions *additions, const struct ptog_sink *sink,
                                 struct ptog_diag_list *diags)
{
    struct ptog_printer pr = {.tree = tree, .form = form, .diags = diags, .additions = additions, .fresh = true};
    if (form == PTOG_TEXT_SSA && !ptog_ssa_judge(&pr))
        pr.no_memory = true;
    if (!pr.no_memory)
        put_ops(&pr, &tree->root);
    if (!pr.no_memory && pr.problems == 0 && pr.text.used > 0)
        sink->write(sink->user, pr.text.data, pr.text.used);
    ptog_stack_free(&pr.text);
    free(pr.verdicts);
    if (pr.no_memory)
        return PTOG_NO_MEMORY;
    if (pr.problems > 0)
        return PTOG_ILLEGAL;
    return PTOG_OK;
}
