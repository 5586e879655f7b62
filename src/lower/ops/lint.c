/* lower: the checks of src/lint, with what the walk knows at an operation. They are made before a run, and not again
 * in it. */
#include "lint/lint.h"
#include "lower/parts.h"
#include "lower/scope.h"

/* For lint: the value of a name where the walk is. */
static const struct ptog_value *value_named(const void *scope, ptog_symbol name)
{
    return ptog_value_named((const struct ptog_eval *)scope, name);
}

/* What lint knows about an operation in its function. */
static struct ptog_lint_ctx lint_ctx_of(const struct ptog_eval *e, const struct ptog_op *op)
{
    return (struct ptog_lint_ctx){.program = e->program,
                                  .tree = e->tree,
                                  .target = e->target,
                                  .fifo = e->fifo,
                                  .function = e->function,
                                  .op = op,
                                  .diags = e->diags,
                                  .value_named = value_named,
                                  .scope = e};
}

bool ptog_eval_lint(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_lint_ctx ctx = lint_ctx_of(e, op);
    return ptog_lint_op(&ctx);
}

bool ptog_eval_lint_clauses(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_lint_ctx ctx = lint_ctx_of(e, op);
    return ptog_lint_clauses(&ctx);
}

bool ptog_check_types(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_lint_ctx ctx = lint_ctx_of(e, op);
    return ptog_lint_type_counts(&ctx);
}
