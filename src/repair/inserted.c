/* repair: the changes of a repair, line by line. */
#include "repair/inserted.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "diag/kind.h"
#include "lower/eval.h"
#include "repair/edits/text_flags.h"
#include "repair/fix_faults.h"

/* ---- operations by number */

/* Fills in the operations by their number. */
static void list_ops(const struct ptog_region *region, const struct ptog_op **ops)
{
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        ops[op->number] = op;
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                list_ops(op->parts[i].region, ops);
    }
}

/* ---- taking apart */

/* What the lines of a repair are sorted into. */
struct sorting {
    struct ptog_insertions *insertions;
    const struct ptog_added *added;
    const struct ptog_op *const *ops; /* by number */
    bool too_many, no_memory;
};

/* Whether a change adds half of the flag that a sync is of. */
static bool is_of_flag(const struct ptog_insertion *insertion, const struct ptog_sync *sync)
{
    const struct ptog_sync *first = &insertion->of[0].sync;
    return first->part != PTOG_SYNC_WHOLE && ptog_is_same_flag(first, sync);
}

/* The insertion that a line belongs to: that of the other half of its flag, or a new one. NULL, and no_memory, when
 * out of memory. */
static struct ptog_insertion *insertion_of(struct sorting *s, const struct ptog_sync *sync)
{
    struct ptog_insertions *all = s->insertions;
    for (uint32_t i = 0; sync->part != PTOG_SYNC_WHOLE && i < all->count; i++)
        if (is_of_flag(&all->of[i], sync))
            return &all->of[i];
    if (!ptog_array_reserve(&all->of, all->count + 1, &all->room)) {
        s->no_memory = true;
        return NULL;
    }
    all->of[all->count] = (struct ptog_insertion){0};
    return &all->of[all->count++];
}

/* Puts a line with those of the same pair; `too_many` when there is no room. */
static void sort_line(struct sorting *s, struct ptog_inserted_line line)
{
    struct ptog_insertion *insertion = s->too_many ? NULL : insertion_of(s, &line.sync);
    s->too_many |= !insertion || insertion->count == PTOG_MAX_INSERTED_TOGETHER || !line.op;
    if (!s->too_many)
        insertion->of[insertion->count++] = line;
}

/* Whether a line is one of the text that was moved here. */
static bool is_moved(const struct sorting *s, const struct ptog_sync *sync, uint32_t op, bool after)
{
    for (uint32_t from = 0; from < s->added->op_count; from++) {
        const struct ptog_edit *edit = &s->added->edits[from];
        if (edit->kind == PTOG_EDIT_MOVE && edit->to == op && edit->after == after && edit->sync.part == sync->part &&
            ptog_is_same_flag(&edit->sync, sync))
            return true;
    }
    return false;
}

/* Sorts the lines at an operation, but for those that were moved there. */
static void sort_lines(struct sorting *s, const struct ptog_lines *lines, uint32_t op, bool after)
{
    for (uint32_t i = 0; i < lines->count; i++)
        if (!is_moved(s, &lines->of[i], op, after))
            sort_line(s, (struct ptog_inserted_line){.op = s->ops[op], .after = after, .sync = lines->of[i]});
}

/* Sorts the edit of an operation, if it has one. */
static void sort_edit(struct sorting *s, const struct ptog_edit *edit, uint32_t op)
{
    const struct ptog_op *from = s->ops[op], *to = edit->kind == PTOG_EDIT_MOVE ? s->ops[edit->to] : from;
    if (edit->kind != PTOG_EDIT_NONE)
        sort_line(s, (struct ptog_inserted_line){to, edit->after, edit->sync, edit->kind, from});
}

/* ---- trying */

/* The lines before or after the operation of a line. */
static struct ptog_lines *lines_at(struct ptog_added *added, const struct ptog_inserted_line *line)
{
    return line->after ? &added->after[line->op->number] : &added->before[line->op->number];
}

/* Makes a change of the repair: an edit, a line, or both. False when out of memory. */
static bool add_line(struct ptog_added *added, const struct ptog_inserted_line *line)
{
    struct ptog_lines *lines = lines_at(added, line);
    if (line->edit != PTOG_EDIT_NONE)
        added->edits[line->from->number] = (struct ptog_edit){.kind = line->edit, .sync = line->sync};
    return line->edit == PTOG_EDIT_REPLACE || line->edit == PTOG_EDIT_REMOVE ||
           ptog_lines_add(lines, lines->count, &line->sync, 1);
}

/* Makes all changes of an insertion. False when out of memory. */
static bool add_lines(struct ptog_added *added, const struct ptog_insertion *insertion)
{
    bool good = true;
    for (uint32_t i = 0; good && i < insertion->count; i++)
        good = add_line(added, &insertion->of[i]);
    return good;
}

/* Takes all changes of an insertion back. */
static void drop_lines(struct ptog_added *added, const struct ptog_insertion *insertion)
{
    for (uint32_t i = 0; i < insertion->count; i++) {
        const struct ptog_inserted_line *line = &insertion->of[i];
        lines_at(added, line)->count = 0;
        if (line->from)
            added->edits[line->from->number] = (struct ptog_edit){0};
    }
}

/* Runs the program with these lines alone, and notes in insertion->fixes which faults of the report are gone; none
 * when the lines bring new ones. The lines are taken out again. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status try_lines(struct ptog_tries *tries, const ptog_diags *report, struct ptog_insertion *insertion)
{
    struct ptog_trial trial = {0};
    ptog_diags *left = ptog_diags_new();
    size_t faults;
    bool good = left && add_lines(tries->added, insertion) && ptog_try(tries, &trial, left, &faults) == PTOG_OK;
    bool spoils = good && (trial.cut || ptog_has_new_flag_fault(left, report));
    for (size_t i = 0; good && i < ptog_diags_count(report); i++)
        insertion->fixes[i] = !spoils && !ptog_has_fault(left, ptog_diags_at(report, i));
    drop_lines(tries->added, insertion);
    ptog_diags_free(left);
    return good ? PTOG_OK : PTOG_NO_MEMORY;
}

/* Tries each insertion alone, as far as the budget goes, and notes which faults it fixes. PTOG_OK, or PTOG_NO_MEMORY.
 */
static enum ptog_status try_all(struct ptog_tries *tries, struct ptog_insertions *all)
{
    enum ptog_status status = PTOG_OK;
    for (uint32_t i = 0; i < all->count && status == PTOG_OK; i++) {
        struct ptog_insertion *insertion = &all->of[i];
        insertion->fixes = calloc(ptog_diags_count(all->report) + 1, sizeof *insertion->fixes);
        if (!insertion->fixes)
            return PTOG_NO_MEMORY;
        if (!ptog_tries_are_used_up(tries))
            status = try_lines(tries, all->report, insertion);
    }
    return status;
}

/* ---- all of it */

/* Whether a change of flags or barriers may fix a fault: a race, or a flag that is not used as it should be. */
bool ptog_is_of_flags(const struct ptog_diag *diag)
{
    switch (diag->kind) {
    case PTOG_DIAG_FLAG_NEVER_SET:
    case PTOG_DIAG_FLAG_LEFT_SET:
    case PTOG_DIAG_FLAG_DOUBLE_SET:
    case PTOG_DIAG_FLAG_ID_CLASH:
    case PTOG_DIAG_ORDER_REVERSED: return true;
    default: return ptog_is_of_order(diag);
    }
}

/* Which changes are no fault's own. A deadlock hides what they fix, or several fix it together. */
static void find_spare(struct ptog_insertions *all, const struct ptog_tries *tries)
{
    const struct ptog_diag *diag;
    for (uint32_t i = 0; i < all->count; i++)
        all->of[i].spare = !all->together;
    for (size_t n = 0; (diag = ptog_diags_at(all->report, n)) != NULL; n++) {
        const struct ptog_insertion *own = NULL;
        if (!ptog_is_of_flags(diag) || ptog_is_allowed(tries, diag))
            continue;
        if (!all->first)
            all->first = diag;
        own = ptog_insertion_for(all, diag, 0);
        for (uint32_t i = 0; i < all->count; i++)
            all->of[i].spare &= &all->of[i] != own;
    }
}

enum ptog_status ptog_insertions_open(struct ptog_insertions *all, const struct ptog_repair *repair,
                                      struct ptog_tries *tries, const ptog_diags *report)
{
    const struct ptog_added *added = &repair->added;
    const struct ptog_op **ops = calloc((size_t)added->op_count + 1, sizeof *ops);
    struct sorting s = {.insertions = all, .added = added, .ops = ops};
    enum ptog_status status = ops ? PTOG_OK : PTOG_NO_MEMORY;
    *all = (struct ptog_insertions){.report = report};
    if (status == PTOG_OK)
        list_ops(&tries->e->tree->root, ops); /* a kernel may be of several functions */
    for (uint32_t op = 0; status == PTOG_OK && op < added->op_count; op++) {
        sort_lines(&s, &added->before[op], op, false);
        sort_edit(&s, &added->edits[op], op);
        sort_lines(&s, &added->after[op], op, true);
    }
    if (s.no_memory)
        status = PTOG_NO_MEMORY;
    if (s.too_many)
        all->count = 0;
    all->together = all->count > PTOG_MAX_INSERTED;
    if (status == PTOG_OK && !all->together)
        status = try_all(tries, all);
    if (status == PTOG_OK)
        find_spare(all, tries);
    free(ops);
    return status;
}

void ptog_insertions_close(struct ptog_insertions *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        free(all->of[i].fixes);
    free(all->of);
    *all = (struct ptog_insertions){0};
}

/* Of lines that were tried together, the pair between the pipes of the fault, or a barrier, right before it. */
static const struct ptog_insertion *insertion_at(const struct ptog_insertions *all, const struct ptog_diag *diag,
                                                 uint32_t here)
{
    for (uint32_t i = 0; i < all->count && diag->fix_count > 0; i++)
        for (uint32_t k = 0; k < all->of[i].count; k++) {
            const struct ptog_inserted_line *line = &all->of[i].of[k];
            if (line->op->number == here && !line->after &&
                (ptog_sync_is_barrier(&line->sync) ||
                 (line->sync.src == diag->fix[0].src && line->sync.dst == diag->fix[0].dst)))
                return &all->of[i];
        }
    return NULL;
}

const struct ptog_insertion *ptog_insertion_for(const struct ptog_insertions *all, const struct ptog_diag *diag,
                                                uint32_t here)
{
    if (all->together)
        return insertion_at(all, diag, here);
    for (size_t n = 0; n < ptog_diags_count(all->report); n++)
        for (uint32_t i = 0; ptog_diags_at(all->report, n) == diag && i < all->count; i++)
            if (all->of[i].fixes && all->of[i].fixes[n])
                return &all->of[i];
    return NULL;
}
