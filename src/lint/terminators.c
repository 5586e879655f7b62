/* lint: what a text has to have at all: an operation, and at the end of every function and block one that leaves it.
 */
#include "lint/program_checks.h"

#include "lint/lint.h"

/* Whether an operation leaves its block; of one that is not of this project's tables nobody can tell. That a yield
 * ends no function is another finding. */
static bool may_end_block(const struct ptog_tree *tree, const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_RETURN:
    case PTOG_OP_NAME_FUNC_RETURN:
    case PTOG_OP_NAME_YIELD:
    case PTOG_OP_NAME_BR:
    case PTOG_OP_NAME_COND_BR: return true;
    default: return !ptog_symbol_is_op(op->name) && !ptog_op_is_micro(ptog_tree_text(tree, op->name));
    }
}

/* Reports a function, or a block of one, without an end. */
static void say_no_return(const struct ptog_function *function, const struct ptog_op *last,
                          struct ptog_diag_list *diags)
{
    struct ptog_span close = {function->region->span.at + function->region->span.length - 1, 1};
    bool block = last && last->next;
    struct ptog_diag_entry *found = ptog_diag_emit(diags, "text-no-return", block ? last->name_span : close,
                                                   block ? "a block of @%.80s ends here, without a branch or a return"
                                                         : "@%.80s has no 'return' at its end",
                                                   function->name);
    if (!block)
        ptog_diag_add_fix(diags, found, "add 'return' before the '}'");
}

/* An operation after the end of a block is another finding, too. */
static void check_ends(const struct ptog_program *program, const struct ptog_function *function,
                       struct ptog_diag_list *diags)
{
    const struct ptog_op *last = NULL;
    bool ended = false;
    for (const struct ptog_op *op = function->region->first; op; op = op->next) {
        bool label = op->name == PTOG_OP_NAME_LABEL;
        if (label && last && !ended)
            say_no_return(function, last, diags);
        ended = !label && (ended || may_end_block(&program->tree, op));
        last = op;
    }
    if (!ended)
        say_no_return(function, last, diags);
}

void ptog_terminator_check(const struct ptog_program *program, struct ptog_diag_list *diags)
{
    if (!program->tree.root.first)
        ptog_diag_emit(diags, "text-empty", (struct ptog_span){0}, "the program is empty: it has no operations");
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].op)
            check_ends(program, &program->functions[i], diags);
}
