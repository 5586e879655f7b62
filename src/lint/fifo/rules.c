/* lint: what compilers require of the FIFO between the cube core and the vector core: its setup, pushes and pops, the
 * buffers that the two reserve. */
#include "lint/fifo/rules.h"
#include "lint/fifo/examples.h"

/* What goes through the pipe: the result of what allocates or pops by an id, else the first operand. */
static struct ptog_lint_operand entry_of(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand entry = {PTOG_LINT_ARGS, 0};
    if (ctx->op->result_count > 0)
        entry.list = PTOG_LINT_RESULTS;
    return entry;
}

#define ENTRY entry_of(ctx)
#define ON(core) ptog_lint_on_core(ctx, PTOG_CORE_##core)

#define LINT_TABLE "spec/lint_fifo.def"
#define LINT_NAME fifo
#include "lint/rule_table.h"
