/* repair: advice for a report: fixes that were tried. */
#include "repair/advise.h"
#include "repair/edits/moved.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/pick.h"
#include "lower/eval.h"
#include "repair/edits/flush.h"
#include "repair/fix_faults.h"
#include "repair/write.h"

#define MAX_COST_TRIED UINT64_C(200000) /* of a run that is tried again */

/* From now on no other advice names this flag. One that is taken out of the text may be on pipes of the cube core. */
static void name_flag(struct ptog_adviser *p, const struct ptog_sync *sync)
{
    if (!ptog_sync_is_barrier(sync) && sync->src < PTOG_PIPES && sync->dst < PTOG_PIPES && sync->id < 32)
        p->tries->named[sync->src][sync->dst] |= 1u << sync->id;
}

/* The last quarter of what may be tried is for trying the changes one by one. */
static enum ptog_status find_repair(struct ptog_adviser *p)
{
    p->repair.most = p->budget->used + ptog_left(p->budget->most, p->budget->used) / 4 * 3;
    enum ptog_status status = ptog_repair_find(&p->repair, p->e, p->execution, p->function, p->budget);
    p->tries->most = p->budget->most;
    p->tries->added = &p->added;
    p->tries->accepted = 0;
    if (status == PTOG_OK && !ptog_added_open(&p->added, p->e->tree->op_count))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK && p->tries->reference && !ptog_text_flags_list(&p->flags, p->tries))
        status = PTOG_NO_MEMORY;
    return status;
}

/* Looks for a repair of the program on first use, and lists its changes. False when out of memory; later calls say the
 * same. */
static bool open_adviser(struct ptog_adviser *p)
{
    if (p->opened)
        return !p->failed;
    p->opened = true;
    p->tries = &p->repair.tries;
    p->failed = find_repair(p) != PTOG_OK;
    if (!p->failed && p->repair.clean)
        p->failed = ptog_insertions_open(&p->insertions, &p->repair, p->tries, p->report) != PTOG_OK;
    for (uint32_t i = 0; i < p->insertions.count; i++)
        for (uint32_t n = 0; n < p->insertions.of[i].count; n++)
            name_flag(p, &p->insertions.of[i].of[n].sync);
    return !p->failed;
}

/* Frees what the advice has looked for: repair, insertions, flags and reports. */
void ptog_adviser_close(struct ptog_adviser *p)
{
    ptog_other_target_close(&p->other_target);
    if (!p->opened)
        return;
    ptog_diags_free(p->left);
    ptog_insertions_close(&p->insertions);
    free(p->flags.of);
    ptog_repair_close(&p->repair);
    ptog_added_close(&p->added);
}

/* ---- steps */

struct steps {
    struct ptog_fix *of;
    size_t count;
};

/* A place of the text; its line is kept as long as the findings are. */
static struct ptog_where where_of(struct ptog_adviser *p, struct ptog_span span)
{
    struct ptog_where where = ptog_where_of(&p->e->program->source, span, &p->line);
    where.text = ptog_arena_copy(&p->e->diags->arena, p->line.text, strlen(p->line.text));
    return where;
}

/* Where a statement is put: before the first character of an operation, or behind its last one and the comment that
 * follows; a statement that is replaced is itself the place. */
static struct ptog_where place(struct ptog_adviser *p, struct ptog_span whole, enum ptog_fix_side side)
{
    if (side == PTOG_FIX_INSTEAD || side == PTOG_FIX_REMOVE)
        return where_of(p, whole);
    uint32_t at = side == PTOG_FIX_BEFORE ? whole.at : ptog_end_with_comment(&p->e->program->source, whole);
    struct ptog_where where = where_of(p, (struct ptog_span){at, 0});
    where.end_column = where.column;
    return where;
}

/* Appends a step to the fix: a flag or barrier on one side of an operation. Returns it to be completed; NULL when the
 * fix is full. */
static struct ptog_fix *add_step(struct ptog_adviser *p, struct steps *steps, enum ptog_fix_side side,
                                 struct ptog_span op, const struct ptog_sync *sync, enum ptog_fix_kind kind)
{
    if (steps->count == PTOG_MAX_ADVISED)
        return NULL;
    steps->of[steps->count] = (struct ptog_fix){.kind = ptog_sync_is_barrier(sync) ? ptog_single_fix(sync) : kind,
                                                .side = side,
                                                .where = place(p, op, side),
                                                .src = (enum ptog_pipe)sync->src,
                                                .dst = (enum ptog_pipe)sync->dst,
                                                .id = sync->id,
                                                .spelling = PTOG_SPELL_TEXT};
    return &steps->of[steps->count++];
}

/* A pair is two steps, its half or a barrier one. */
static void add_sync(struct ptog_adviser *p, struct steps *steps, enum ptog_fix_side side, struct ptog_span op,
                     const struct ptog_sync *sync)
{
    if (!ptog_sync_is_barrier(sync) && sync->part != PTOG_SYNC_WAIT)
        add_step(p, steps, side, op, sync, PTOG_FIX_SET);
    if (ptog_sync_is_barrier(sync) || sync->part != PTOG_SYNC_SET)
        add_step(p, steps, side, op, sync, PTOG_FIX_WAIT);
}

/* ---- what was wrong with a statement that is replaced */

/* The line of the text that an operation is on. */
static uint32_t line_of(const struct ptog_adviser *p, const struct ptog_op *op)
{
    return ptog_source_place(&p->e->program->source, op->name_span).line;
}

/* The statement of the text that a changed one meets. */
static const struct ptog_text_flag *partner_of(const struct ptog_adviser *p, const struct ptog_sync *sync)
{
    for (uint32_t i = 0; i < p->flags.count; i++)
        if (ptog_are_partners(&p->flags.of[i].sync, sync))
            return &p->flags.of[i];
    return NULL;
}

/* Writes which lines set and wait for which ids, where a wrong id is the mistake. */
static void say_id(const struct ptog_adviser *p, const struct ptog_text_flag *was, const struct ptog_sync *is,
                   struct ptog_text *text)
{
    static const char *const verbs[] = {"", "sets", "waits for"};
    const struct ptog_text_flag *partner = partner_of(p, is);
    const struct ptog_text_flag *first = was, *second = partner;
    if (partner && partner->op->number < was->op->number)
        first = partner, second = was;
    if (partner)
        ptog_text_addf(text, "line %u %s id %d, line %u %s id %d", (unsigned)line_of(p, first->op),
                       verbs[first->sync.part], first->sync.id, (unsigned)line_of(p, second->op),
                       verbs[second->sync.part], second->sync.id);
}

/* "line 10 sets MTE3->V; did you mean V->MTE3?" */
static void say_pipes(const struct ptog_adviser *p, const struct ptog_text_flag *was, const struct ptog_sync *is,
                      struct ptog_text *text)
{
    ptog_text_addf(text, "line %u %s %s->%s; did you mean %s->%s?", (unsigned)line_of(p, was->op),
                   was->sync.part == PTOG_SYNC_SET ? "sets" : "waits for",
                   ptog_pipe_name((enum ptog_pipe)was->sync.src), ptog_pipe_name((enum ptog_pipe)was->sync.dst),
                   ptog_pipe_name((enum ptog_pipe)is->src), ptog_pipe_name((enum ptog_pipe)is->dst));
}

/* Appends a sentence to the fix that names the mistake in a flag or barrier that is replaced. */
static void say_mistake(struct ptog_adviser *p, struct steps *steps, const struct ptog_inserted_line *line)
{
    char words[PTOG_MAX_NOTE];
    struct ptog_text text;
    const struct ptog_text_flag *was = NULL;
    for (uint32_t i = 0; i < p->flags.count; i++)
        if (p->flags.of[i].op == line->from)
            was = &p->flags.of[i];
    if (!was || line->edit != PTOG_EDIT_REPLACE || steps->count == PTOG_MAX_ADVISED)
        return;
    ptog_text_init(&text, words, sizeof words);
    if (ptog_sync_is_barrier(&line->sync))
        ptog_text_addf(&text, "line %u is a barrier on %s; did you mean %s?", (unsigned)line_of(p, was->op),
                       ptog_pipe_name((enum ptog_pipe)was->sync.src), ptog_pipe_name((enum ptog_pipe)line->sync.src));
    else if (was->sync.src == line->sync.src && was->sync.dst == line->sync.dst)
        say_id(p, was, &line->sync, &text);
    else
        say_pipes(p, was, &line->sync, &text);
    const char *copy = text.len > 0 ? ptog_arena_copy(&p->e->diags->arena, words, text.len) : NULL;
    if (copy)
        steps->of[steps->count++] = ptog_fix_of_words(copy);
}

/* ---- the changes of a repair */

/* Where a line goes, as it is written into the text. */
static enum ptog_fix_side side_of(struct ptog_adviser *p, const struct ptog_inserted_line *line, struct ptog_span *op)
{
    const struct ptog_op *behind =
        line->after ? ptog_op_behind(&p->e->program->source, &p->repair.added, line->op) : NULL;
    *op = behind ? behind->span : line->op->span;
    if (line->edit == PTOG_EDIT_REPLACE)
        return PTOG_FIX_INSTEAD;
    if (line->edit == PTOG_EDIT_REMOVE)
        return PTOG_FIX_REMOVE;
    return line->after && !behind ? PTOG_FIX_AFTER : PTOG_FIX_BEFORE;
}

/* What a statement that is moved takes along; NULL: nothing. */
static const char *tail_of(struct ptog_adviser *p, const struct ptog_op *op)
{
    char tail[PTOG_LONGEST_TAIL];
    size_t length = ptog_statement_tail(p->e->program, op, tail);
    if (length > 0)
        return ptog_arena_copy(&p->e->diags->arena, tail, length);
    return NULL;
}

/* Appends the step that replaces, moves or removes a statement, after what was wrong with it. */
static void add_edit(struct ptog_adviser *p, struct steps *steps, const struct ptog_inserted_line *line)
{
    enum ptog_fix_kind kind = line->sync.part == PTOG_SYNC_WAIT ? PTOG_FIX_WAIT : PTOG_FIX_SET;
    struct ptog_span op;
    enum ptog_fix_side side = side_of(p, line, &op);
    say_mistake(p, steps, line);
    struct ptog_fix *step = add_step(p, steps, side, op, &line->sync, kind);
    if (step && line->edit == PTOG_EDIT_MOVE) {
        step->from_line = line_of(p, line->from);
        step->more = tail_of(p, line->from);
    }
}

/* Appends the steps of one change: first the edits of statements, then new ones. */
static void add_insertion(struct ptog_adviser *p, struct steps *steps, const struct ptog_insertion *insertion)
{
    for (uint32_t i = 0; i < insertion->count; i++)
        if (insertion->of[i].edit != PTOG_EDIT_NONE)
            add_edit(p, steps, &insertion->of[i]);
    for (uint32_t i = 0; i < insertion->count; i++) {
        const struct ptog_inserted_line *line = &insertion->of[i];
        struct ptog_span op;
        enum ptog_fix_side side = side_of(p, line, &op);
        if (line->edit == PTOG_EDIT_NONE)
            add_sync(p, steps, side, op, &line->sync);
    }
}

/* Whether a change replaces, moves or removes a line of the text. */
static bool has_edit(const struct ptog_insertion *insertion)
{
    for (uint32_t i = 0; i < insertion->count; i++)
        if (insertion->of[i].edit != PTOG_EDIT_NONE)
            return true;
    return false;
}

/* Its own change and, of the first fault, those that are nobody's; if it has none, all. Statements that are wrong come
 * before those that are missing. */
static void add_changes(struct ptog_adviser *p, struct steps *steps, const struct ptog_diag *diag, uint32_t here)
{
    const struct ptog_insertions *all = &p->insertions;
    const struct ptog_insertion *own = ptog_insertion_for(all, diag, here);
    for (int edits = 1; edits >= 0; edits--)
        for (uint32_t i = 0; i < all->count; i++)
            if ((&all->of[i] == own || (!all->together && !own) || (all->of[i].spare && diag == all->first)) &&
                has_edit(&all->of[i]) == edits)
                add_insertion(p, steps, &all->of[i]);
}

/* ---- lines that fix one fault */

/* Appends the steps of the last remedy that was tried, and notes the flags it names. */
static void add_remedy(struct ptog_adviser *p, struct steps *steps)
{
    const struct ptog_remedy *remedy = &p->last;
    if (remedy->spread) {
        add_sync(p, steps, PTOG_FIX_AFTER, p->e->machine.places[p->there]->whole, &remedy->after);
        name_flag(p, &remedy->after);
    }
    for (uint32_t i = 0; i < remedy->count; i++) {
        add_sync(p, steps, PTOG_FIX_BEFORE, p->e->machine.places[p->here]->whole, &remedy->before[i]);
        name_flag(p, &remedy->before[i]);
    }
}

/* Appends a remedy for this fault alone: that of the fault before, if both have one cause, or the first one that a
 * trial run shows to help. PTOG_ILLEGAL: none does. */
static enum ptog_status advise_alone(struct ptog_adviser *p, const struct ptog_diag *diag, uint32_t here,
                                     uint32_t there, struct steps *steps)
{
    size_t faults = SIZE_MAX;
    if (p->left && p->here == here && !ptog_has_fault(p->left, diag)) {
        add_remedy(p, steps);
        return PTOG_OK;
    }
    ptog_diags_free(p->left);
    p->left = NULL;
    p->here = here;
    p->there = there;
    enum ptog_status status = ptog_fix_fault(p->tries, p->report, diag, here, there, &p->last, &faults, &p->left);
    if (status == PTOG_OK)
        add_remedy(p, steps);
    return status;
}

/* Searches changes of flags that remove a diagnostic, by running the program with them, and fills `fix` with their
 * steps; returns how many. 0 when there is none, or the trials would cost too much. */
size_t ptog_advise(struct ptog_adviser *p, const struct ptog_diag *diag, const struct ptog_op_place *here,
                   const struct ptog_op_place *there, struct ptog_fix fix[PTOG_MAX_ADVISED])
{
    struct steps steps = {fix, 0};
    if (ptog_cost_of_run(p->e) > MAX_COST_TRIED || p->e->machine.trial) /* what was completed was tried */
        return 0;
    if (!p->opened && p->budget->used >= p->budget->most)
        return 0;
    p->lost = !open_adviser(p);
    if (p->lost)
        return 0;
    if (p->insertions.count > 0)
        add_changes(p, &steps, diag, here ? here->op : 0);
    if (steps.count == 0 && here && there && ptog_is_of_order(diag))
        p->lost = advise_alone(p, diag, here->op, there->op, &steps) == PTOG_NO_MEMORY;
    return steps.count;
}

/* ---- dcci and dsb */

size_t ptog_advise_flush(struct ptog_adviser *p, const struct ptog_diag *diag, const struct ptog_op_place *here,
                         struct ptog_fix fix[PTOG_MAX_ADVISED])
{
    size_t count = 0;
    for (; count < diag->fix_count && count < PTOG_MAX_ADVISED; count++) {
        fix[count] = diag->fix[count];
        fix[count].where = place(p, here->whole, diag->fix[count].side);
    }
    return count;
}

/* ---- redundant flags */

/* Runs the program as it is on the other target, and keeps its report. A program without a fault needs no repair, so none
 * is looked for here. Without memory nothing is known of that target. */
static void look_at_other_target(struct ptog_adviser *p)
{
    struct ptog_added added = {0};
    struct ptog_tries tries = {0};
    if (p->opened) {
        p->failed = p->failed || ptog_other_target_open(&p->other_target, p->tries) != PTOG_OK;
        return;
    }
    bool good = ptog_added_open(&added, p->e->tree->op_count);
    if (ptog_tries_open(&tries, &added, p->e, p->execution, p->function, p->budget) && good)
        (void)ptog_other_target_open(&p->other_target, &tries);
    ptog_tries_close(&tries);
    ptog_added_close(&added);
}

/* Completes the note on a redundant flag or barrier: whether another target needs it, and what to do with it. */
void ptog_advise_redundant(struct ptog_adviser *p, const struct ptog_diag *note, char message[PTOG_MAX_NOTE],
                           char fix[PTOG_MAX_NOTE])
{
    const char *name = p->e->target->name;
    struct ptog_text text;
    if (!p->other_target.target) {
        p->other_target.target = ptog_other_machine(p->e->target);
        if (ptog_cost_of_run(p->e) <= MAX_COST_TRIED)
            look_at_other_target(p);
    }
    ptog_text_init(&text, message, PTOG_MAX_NOTE);
    ptog_text_add_n(&text, note->message, strlen(note->message) - 1); /* goes on before its last bracket */
    bool needed = ptog_other_target_say(&p->other_target, note, &text);
    ptog_text_add(&text, ")");
    ptog_text_init(&text, fix, PTOG_MAX_NOTE);
    ptog_text_add(&text, "remove the set and its wait");
    if (needed)
        ptog_text_addf(&text, ", if the program only runs on %s", name);
}
