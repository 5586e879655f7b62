/* repair: what a repair would put into the text, line by line. */
#include "repair/inserted.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "program/eval.h"
#include "repair/complete.h"
#include "repair/mend.h"

#define MOST_COST UINT64_C(10000) /* of a run that is completed: that takes dozens of runs */

/* ---- operations by number */

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
    const struct ptog_op *const *ops; /* by number */
    bool too_many, no_memory;
};

static bool is_of_flag(const struct ptog_insertion *insertion, const struct ptog_sync *sync)
{
    const struct ptog_sync *first = &insertion->of[0].sync;
    return first->part != PTOG_SYNC_WHOLE && first->src == sync->src && first->dst == sync->dst &&
           first->id == sync->id;
}

/* Halves of one flag belong together; a whole pair and a barrier stand alone. */
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

static void sort_lines(struct sorting *s, const struct ptog_lines *lines, uint32_t op, bool after)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        struct ptog_insertion *insertion = s->too_many ? NULL : insertion_of(s, &lines->of[i]);
        s->too_many |= !insertion || insertion->count == PTOG_MOST_INSERTED_TOGETHER || !s->ops[op];
        if (!s->too_many)
            insertion->of[insertion->count++] = (struct ptog_inserted_line){s->ops[op], after, lines->of[i]};
    }
}

/* ---- trying */

static struct ptog_lines *lines_at(struct ptog_added *added, const struct ptog_inserted_line *line)
{
    return line->after ? &added->after[line->op->number] : &added->before[line->op->number];
}

static bool add_lines(struct ptog_added *added, const struct ptog_insertion *insertion)
{
    bool good = true;
    for (uint32_t i = 0; good && i < insertion->count; i++) {
        struct ptog_lines *lines = lines_at(added, &insertion->of[i]);
        good = ptog_lines_add(lines, lines->count, &insertion->of[i].sync, 1);
    }
    return good;
}

/* A run with these lines alone. */
static enum ptog_status try_lines(struct ptog_tries *tries, const ptog_diags *report, struct ptog_insertion *insertion)
{
    struct ptog_trial trial = {0};
    ptog_diags *left = ptog_diags_new();
    size_t faults;
    bool good = left && add_lines(tries->added, insertion) && ptog_try(tries, &trial, left, &faults) == PTOG_OK;
    bool spoils = good && (trial.cut || ptog_has_new_flag_fault(left, report));
    for (size_t i = 0; good && i < ptog_diags_count(report); i++)
        insertion->mends[i] = !spoils && !ptog_has_fault(left, ptog_diags_at(report, i));
    for (uint32_t i = 0; i < insertion->count; i++)
        lines_at(tries->added, &insertion->of[i])->count = 0;
    ptog_diags_free(left);
    return good ? PTOG_OK : PTOG_NO_MEMORY;
}

/* The last operation before `here`, in the same region, whose access is in a fault at `here` that the lines mend. */
static const struct ptog_op *producer_of(const struct ptog_tries *tries, const struct ptog_insertions *all,
                                         const struct ptog_insertion *insertion)
{
    const struct ptog_source *source = &tries->e->program->source;
    const struct ptog_region *region = tries->function->region;
    const struct ptog_op *here = insertion->of[0].op, *last = NULL;
    for (size_t i = 0; i < ptog_diags_count(all->report); i++) {
        const struct ptog_diag *diag = ptog_diags_at(all->report, i);
        if (!insertion->mends[i] || diag->related_count == 0 || ptog_op_at(source, region, &diag->where) != here)
            continue;
        const struct ptog_op *there = ptog_op_at(source, region, &diag->related[0].where);
        if (there && ptog_op_follows(region, there->number, here->number) && (!last || there->number > last->number))
            last = there;
    }
    return last;
}

static bool mends_all_that(const struct ptog_insertion *a, const struct ptog_insertion *b, size_t faults)
{
    for (size_t i = 0; i < faults; i++)
        if (b->mends[i] && !a->mends[i])
            return false;
    return true;
}

/* A pair right before an operation, as it is put in, is advised with its set right after what it waits for, where that
 * mends as much: then other work of the pipe goes on meanwhile. */
static enum ptog_status spread(struct ptog_tries *tries, const struct ptog_insertions *all,
                               struct ptog_insertion *insertion)
{
    const struct ptog_sync *sync = &insertion->of[0].sync;
    const struct ptog_op *producer = NULL;
    size_t faults = ptog_diags_count(all->report);
    if (insertion->count == 1 && sync->part == PTOG_SYNC_WHOLE && !ptog_sync_is_barrier(sync))
        producer = producer_of(tries, all, insertion);
    if (!producer)
        return PTOG_OK;
    struct ptog_insertion other = {.count = 2, .mends = calloc(faults, sizeof *other.mends)};
    other.of[0] = (struct ptog_inserted_line){producer, true, *sync};
    other.of[1] = insertion->of[0];
    other.of[0].sync.part = PTOG_SYNC_SET;
    other.of[1].sync.part = PTOG_SYNC_WAIT;
    enum ptog_status status = other.mends ? try_lines(tries, all->report, &other) : PTOG_NO_MEMORY;
    bool as_good = status == PTOG_OK && mends_all_that(&other, insertion, faults);
    free(as_good ? insertion->mends : other.mends);
    if (as_good)
        *insertion = other;
    return status;
}

/* A run with all lines that a repair has put in. */
static enum ptog_status try_together(struct ptog_tries *tries, struct ptog_insertions *all, struct ptog_added *added)
{
    struct ptog_added *own = tries->added;
    struct ptog_trial trial = {0};
    size_t faults = 1;
    tries->added = added;
    enum ptog_status status = ptog_try(tries, &trial, NULL, &faults);
    tries->added = own;
    all->together = status == PTOG_OK && faults == 0 && !trial.refused;
    return status;
}

static enum ptog_status try_all(struct ptog_tries *tries, struct ptog_insertions *all)
{
    enum ptog_status status = PTOG_OK;
    for (uint32_t i = 0; i < all->count && status == PTOG_OK; i++) {
        struct ptog_insertion *insertion = &all->of[i];
        insertion->mends = calloc(ptog_diags_count(all->report) + 1, sizeof *insertion->mends);
        if (!insertion->mends)
            return PTOG_NO_MEMORY;
        if (!ptog_tries_are_used_up(tries))
            status = try_lines(tries, all->report, insertion);
        if (status == PTOG_OK && !ptog_tries_are_used_up(tries))
            status = spread(tries, all, insertion);
    }
    return status;
}

/* ---- all of it */

static enum ptog_status sort_and_try(struct ptog_insertions *all, struct ptog_tries *tries, struct ptog_added *added)
{
    const struct ptog_op **ops = calloc((size_t)added->op_count + 1, sizeof *ops);
    struct sorting s = {.insertions = all, .ops = ops};
    enum ptog_status status = ops ? PTOG_OK : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        list_ops(tries->function->region, ops);
    for (uint32_t op = 0; status == PTOG_OK && op < added->op_count; op++) {
        sort_lines(&s, &added->before[op], op, false);
        sort_lines(&s, &added->after[op], op, true);
    }
    if (s.no_memory)
        status = PTOG_NO_MEMORY;
    if (s.too_many)
        all->count = 0;
    if (status == PTOG_OK)
        status = all->count > PTOG_MOST_INSERTED ? try_together(tries, all, added) : try_all(tries, all);
    free(ops);
    return status;
}

enum ptog_status ptog_insertions_open(struct ptog_insertions *all, struct ptog_tries *tries, const ptog_diags *report)
{
    struct ptog_completion completion = {0};
    *all = (struct ptog_insertions){.report = report};
    if (ptog_cost_of_run(tries->e) > MOST_COST || ptog_tries_are_used_up(tries))
        return PTOG_OK;
    enum ptog_status status = ptog_added_open(&completion.added, tries->e->tree->op_count) ? PTOG_OK : PTOG_NO_MEMORY;
    if (status == PTOG_OK) /* half of what is left, for lines, and half for trying them */
        status = ptog_complete(&completion, tries->e, &tries->execution, tries->function, true, tries->budget,
                               tries->budget->used + (tries->most - tries->budget->used) / 2 + 1);
    if (status == PTOG_OK)
        status = sort_and_try(all, tries, &completion.added);
    ptog_added_close(&completion.added);
    return status == PTOG_NO_MEMORY ? status : PTOG_OK;
}

void ptog_insertions_close(struct ptog_insertions *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        free(all->of[i].mends);
    free(all->of);
    *all = (struct ptog_insertions){0};
}

/* Of lines that were tried together, the pair between the pipes of the fault, or a barrier, right before it. */
static const struct ptog_insertion *insertion_at(const struct ptog_insertions *all, const struct ptog_diag *diag,
                                                 uint32_t here)
{
    for (uint32_t i = 0; i < all->count && diag->fix_count > 0; i++) {
        const struct ptog_inserted_line *line = &all->of[i].of[0];
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
            if (all->of[i].mends && all->of[i].mends[n])
                return &all->of[i];
    return NULL;
}
