/* lint: what compilers ask of the FIFO between the cube core and the vector core: its setup, pushes and pops, the
 * buffers that the two reserve. */
#include "lint/fifo/rules.h"
#include "lint/fifo/examples.h"

/* What goes through the pipe: the result of what allocates or pops by an id, else the first operand. */
static struct ptog_asked_operand entry_of(const struct ptog_asked *a)
{
    struct ptog_asked_operand entry = {PTOG_ASKED_ARGS, 0};
    if (a->op->result_count > 0)
        entry.list = PTOG_ASKED_RESULTS;
    return entry;
}

#define ENTRY entry_of(a)
#define ON(core) ptog_ask_on_core(a, PTOG_CORE_##core)

#define ASKS "spec/lint_fifo.def"
#define ASKS_NAME fifo
#include "lint/rule_table.h"
