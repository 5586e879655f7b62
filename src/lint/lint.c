/* lint: the entry points: all checks of a text, and all tables of rules for one operation. */
#include "lint/lint.h"

#include "lint/program_checks.h"
#include "lint/rules.h"

void ptog_lint_program(const struct ptog_program *program, struct ptog_diag_list *diags)
{
    ptog_recursion_check(program, diags);
    ptog_module_check(program, diags);
    ptog_escape_check(program, diags);
    ptog_terminator_check(program, diags);
}

/* In the generic form optional operands stand where the compiler has them, which need not be before the destination. */
static bool has_operands_in_order(const struct ptog_op *op)
{
    return op->form != PTOG_OP_GENERIC || !op->ins;
}

bool ptog_lint_op(const struct ptog_lint_ctx *ctx)
{
    size_t errors = ctx->diags->errors;
    if (!has_operands_in_order(ctx->op))
        return true;
#define CHECK_TABLE(name) ptog_lint_rules_##name(ctx);
    PTOG_LINT_TABLES(CHECK_TABLE)
    return ctx->diags->errors == errors;
}
