/* draw: ptog_program_draw: a program runs for its meaning, and the instruction that is chosen is drawn before it does.
 */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include <ptog/drawing.h>

#include "base/diag.h"
#include "base/reserved.h"
#include "draw/draw.h"

struct draw_search {
    const ptog_program *program;
    struct ptog_draw_choice choice;
    const struct ptog_progress *progress; /* the caller's; NULL: none */
    bool only;                            /* the program has one tile instruction */
    uint64_t turns;
    ptog_drawing *drawing;
    enum ptog_status status;
    bool done;
};

/* ---- which one */

struct draw_count {
    size_t instructions;
};

/* Counts the operations that are instructions. */
static bool count_instruction(void *user, const struct ptog_op_seen *op)
{
    struct draw_count *count = user;
    count->instructions += ptog_opcode_find(op->name) != PTOG_NO_INSN;
    return true;
}

static bool is_gather(enum ptog_opcode opcode)
{
    return opcode == PTOG_MGATHER || opcode == PTOG_MSCATTER || opcode == PTOG_TGATHER;
}

/* Whether an instruction of the run is the one to be drawn, whatever turn it is. */
static bool is_meant(const struct draw_search *search, const struct ptog_access_seen *seen)
{
    if (search->choice.line > 0)
        return seen->line == search->choice.line;
    return search->only || is_gather(seen->insn->opcode);
}

/* ---- the names that its operands have in the text */

struct draw_naming {
    const struct ptog_insn *insn;
    uint32_t line, column;
    const char *names[PTOG_MAX_OPERANDS];
};

/* Visitor: takes the names of the operands of the operation that is drawn. Sources stand in the order of the row, then
 * destinations, or they are results. A number may stand there instead of a name: then nothing is named. */
static bool take_names(void *user, const struct ptog_op_seen *op)
{
    struct draw_naming *naming = user;
    const struct ptog_insn_row *row = ptog_insn_row(naming->insn->opcode);
    const char *words[2 * PTOG_MAX_OPERANDS];
    size_t count = op->operand_count + op->result_count, taken = 0;
    if (op->line != naming->line || op->column != naming->column)
        return true;
    int order[PTOG_MAX_OPERANDS];
    for (int written = 0; written < 2; written++)
        for (int i = 0; i < row->count; i++)
            if (naming->insn->of[i].kind != PTOG_IS_ABSENT && (row->of[i].role == PTOG_ROLE_OUT) == (written == 1) &&
                (naming->insn->of[i].kind == PTOG_IS_VIEW || naming->insn->of[i].tile.dtype != PTOG_DTYPE_NONE))
                order[taken++] = i;
    if (count != taken)
        return false;
    memcpy(words, op->operands, op->operand_count * sizeof words[0]);
    memcpy(words + op->operand_count, op->results, op->result_count * sizeof words[0]);
    for (size_t i = 0; i < taken; i++)
        naming->names[order[i]] = words[i];
    return false;
}

/* ---- while it runs */

/* Draws the instruction that is meant, in the turn that is meant, with the names of its operands in the text; then ends
 * the run. */
static void see_instruction(void *user, const struct ptog_access_seen *seen)
{
    struct draw_search *search = user;
    if (search->done || !seen->insn || !is_meant(search, seen) || ++search->turns < search->choice.turn)
        return;
    struct draw_naming naming = {.insn = seen->insn, .line = seen->line, .column = seen->column};
    ptog_program_walk(search->program, take_names, &naming);
    search->status = ptog_draw_insn(&search->drawing, seen->target, seen->insn, seen->run, naming.names);
    search->done = true;
    if (search->drawing)
        search->drawing->line = seen->line;
}

/* Called while the program runs: ends the run once the instruction has been drawn, as what comes after it need not
 * run; else asks the caller. */
static uint64_t go_on(void *user, uint64_t done, uint64_t most, uint32_t line)
{
    const struct draw_search *search = user;
    if (search->done)
        return 0;
    if (search->progress && search->progress->at)
        return search->progress->at(search->progress->user, done, most, line);
    return 1000;
}

/* ---- all of it */

/* Of a program that is drawn nothing is said: it was ended on the way. */
static bool pass_on(const struct draw_search *search, const ptog_diags *found, ptog_diags *diags)
{
    bool good = true;
    for (size_t i = 0; diags && !search->drawing && i < ptog_diags_count(found); i++)
        good = good && ptog_diags_add(diags, ptog_diags_at(found, i));
    return good;
}

/* Runs the program without a machine until the instruction that is meant is drawn. */
static enum ptog_status run_search(struct draw_search *search, const struct ptog_execution *execution,
                                   ptog_diags *diags)
{
    struct ptog_gather_watch watch = {.user = search, .accesses = see_instruction};
    struct ptog_progress progress = {.at = go_on, .user = search};
    struct ptog_execution meaning = *execution;
    ptog_diags *found = ptog_diags_new();
    if (!found)
        return PTOG_NO_MEMORY;
    search->progress = execution->progress;
    meaning.watch = &watch;
    meaning.trace = NULL;
    meaning.progress = &progress;
    enum ptog_status status = ptog_program_run(search->program, &meaning, found, NULL);
    if (search->done)
        status = search->status;
    else if (status == PTOG_OK || status == PTOG_FAULT)
        status = PTOG_BAD_ARGUMENT;
    if (!pass_on(search, found, diags))
        status = PTOG_NO_MEMORY;
    ptog_diags_free(found);
    return status;
}

enum ptog_status ptog_program_draw(ptog_drawing **drawing, const ptog_program *program,
                                   const struct ptog_execution *execution, const struct ptog_draw_choice *choice,
                                   ptog_diags *diags)
{
    static const struct ptog_execution nothing;
    struct draw_search search = {.program = program};
    struct draw_count count = {0};
    if (!drawing)
        return PTOG_BAD_ARGUMENT;
    *drawing = NULL;
    if (!program || (choice && !ptog_is_unreserved(choice)))
        return PTOG_BAD_ARGUMENT;
    execution = execution ? execution : &nothing;
    if (choice)
        search.choice = *choice;
    enum ptog_status status = ptog_program_walk(program, count_instruction, &count);
    if (status != PTOG_OK)
        return status;
    search.only = count.instructions == 1;
    status = run_search(&search, execution, diags);
    *drawing = search.drawing;
    return status;
}
