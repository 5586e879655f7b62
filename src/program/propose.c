/* program: fixes that were tried. */
#include "program/propose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/eval.h"

#define MOST_STEPS_TRIED UINT64_C(200000) /* operations of a run that is tried again */
#define MOST_WORK_TRIED UINT64_C(1000000) /* of all trials together, about a second */

/* What is tried for one fault. */
struct remedy {
    struct ptog_sync before[2];
    uint32_t count;
    struct ptog_sync after; /* a set after the access before, when `spread` */
    bool spread;
};

/* ---- what the machine proposes: "after line 3  set_flag(MTE2, V, 1)\n..." */

static bool pipe_at(const char **at, uint8_t *pipe)
{
    for (int p = 0; p < PTOG_PIPES; p++) {
        const char *name = ptog_pipe_name((enum ptog_pipe)p);
        size_t length = strlen(name);
        if (strncmp(*at, name, length) == 0 && (*at)[length] == ',') {
            *pipe = (uint8_t)p;
            *at += length + 1 + strspn(*at + length + 1, " ");
            return true;
        }
    }
    return false;
}

static bool read_flag(const char *fix, struct ptog_sync *sync)
{
    const char *at = fix ? strstr(fix, "set_flag(") : NULL;
    *sync = (struct ptog_sync){0};
    if (!at)
        return false;
    at += strlen("set_flag(");
    if (!pipe_at(&at, &sync->src) || !pipe_at(&at, &sync->dst))
        return false;
    sync->id = *at >= '1' && *at <= '5' ? (uint8_t)(*at - '0') : 0;
    return true;
}

/* An id that the program does not use between these pipes; 0: there is none. */
static uint8_t free_id(const struct ptog_eval *e, uint8_t src, uint8_t dst)
{
    for (uint8_t id = 1; id < PTOG_AUTO_IDS; id++)
        if (!(e->machine.used_ids[src][dst] >> id & 1))
            return id;
    return 0;
}

/* ---- remedies, the lightest first */

/* Both stand in one region, the second after the first: as often, and in turn. */
static bool follows(const struct ptog_region *region, uint32_t first, uint32_t second)
{
    bool seen = false;
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        if (op->number == second)
            return seen;
        seen |= op->number == first;
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION && follows(op->parts[i].region, first, second))
                return true;
    }
    return false;
}

enum { SPREAD, PAIR, PAIR_AND_BACK, BARRIER_ALL, REMEDIES };

/* False: there is no such remedy here. */
static bool remedy_of(const struct ptog_eval *e, int number, struct ptog_sync flag, bool twice, struct remedy *remedy)
{
    struct ptog_sync back = {flag.dst, flag.src, free_id(e, flag.dst, flag.src), PTOG_SYNC_WHOLE};
    *remedy = (struct remedy){.count = 1};
    switch (number) {
    case SPREAD:
        remedy->spread = true;
        remedy->after = remedy->before[0] = flag;
        remedy->after.part = PTOG_SYNC_SET;
        remedy->before[0].part = PTOG_SYNC_WAIT;
        return flag.id > 0 && !twice;
    case PAIR: /* a flag that is set twice lacks the way back, which is what the machine names */
        remedy->before[0] = flag;
        remedy->before[0].id = twice ? free_id(e, flag.src, flag.dst) : flag.id;
        return remedy->before[0].id > 0;
    case PAIR_AND_BACK:
        remedy->before[0] = back;
        remedy->before[1] = flag;
        remedy->count = 2;
        return flag.id > 0 && back.id > 0 && !twice;
    default: remedy->before[0] = (struct ptog_sync){PTOG_ALL, PTOG_ALL, 0, PTOG_SYNC_WHOLE}; return true;
    }
}

/* ---- trials */

static bool same_place(const struct ptog_where *a, const struct ptog_where *b)
{
    return a->line == b->line && a->column == b->column;
}

static bool is_flag_fault(const struct ptog_diag *diag)
{
    return diag->severity == PTOG_ERROR && strncmp(diag->id, "flag-", 5) == 0;
}

static size_t flag_faults(const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    size_t count = 0;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        count += is_flag_fault(diag);
    return count;
}

static bool has(const ptog_diags *diags, const struct ptog_diag *wanted)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (strcmp(diag->id, wanted->id) == 0 && same_place(&diag->where, &wanted->where) &&
            diag->related_count == wanted->related_count &&
            (diag->related_count == 0 || same_place(&diag->related[0].where, &wanted->related[0].where)))
            return true;
    return false;
}

static bool open_proposer(struct ptog_proposer *p)
{
    if (p->opened)
        return !p->failed;
    p->opened = true;
    p->failed = ptog_completion_open(&p->completion, p->e->program) != PTOG_OK;
    p->failed = !ptog_search_open(&p->search, &p->completion, p->e, p->execution, p->function) || p->failed;
    return !p->failed;
}

void ptog_proposer_close(struct ptog_proposer *p)
{
    if (!p->opened)
        return;
    ptog_search_close(&p->search);
    ptog_completion_close(&p->completion);
}

/* The fault is gone, and no flag is wrong that was not. */
static bool mends(struct ptog_proposer *p, const struct ptog_diag *diag, const struct remedy *remedy, uint32_t here,
                  uint32_t there)
{
    struct ptog_sync lines[2] = {remedy->before[0], remedy->before[1]};
    struct ptog_trial trial = {.after = remedy->spread ? &remedy->after : NULL, .after_op = there};
    ptog_diags *report = ptog_diags_new();
    size_t faults;
    p->completion.before[here] = (struct ptog_lines){lines, remedy->count, 2};
    bool good = report && ptog_search_run(&p->search, &trial, report, &faults) == PTOG_OK && !has(report, diag) &&
                (flag_faults(report) < flag_faults(p->e->machine.diags) + !is_flag_fault(diag));
    p->completion.before[here] = (struct ptog_lines){0};
    ptog_diags_free(report);
    return good;
}

/* ---- words */

static void add_line(char fix[PTOG_LONGEST_FIX], const char *where, uint32_t line, const struct ptog_sync *sync,
                     enum ptog_sync_part part)
{
    char text[PTOG_LONGEST_LINE];
    size_t used = strlen(fix);
    ptog_sync_line(text, sync, part);
    snprintf(fix + used, PTOG_LONGEST_FIX - used, "%s%s line %u  %s", used > 0 ? "\n" : "", where, (unsigned)line,
             text);
}

static void write_fix(char fix[PTOG_LONGEST_FIX], const struct ptog_diag *diag, const struct remedy *remedy)
{
    fix[0] = '\0';
    if (remedy->spread)
        add_line(fix, "after", diag->related[0].where.line, &remedy->after, PTOG_SYNC_SET);
    for (uint32_t i = 0; i < remedy->count; i++) {
        const struct ptog_sync *sync = &remedy->before[i];
        bool pair = !ptog_sync_is_barrier(sync) && sync->part == PTOG_SYNC_WHOLE;
        if (pair)
            add_line(fix, "before", diag->where.line, sync, PTOG_SYNC_SET);
        add_line(fix, "before", diag->where.line, sync, PTOG_SYNC_WAIT);
    }
}

bool ptog_propose(struct ptog_proposer *p, const struct ptog_diag *diag, uint32_t here, uint32_t there,
                  char fix[PTOG_LONGEST_FIX])
{
    bool twice = strcmp(diag->id, "flag-double-set") == 0;
    struct ptog_sync flag;
    struct remedy remedy;
    if ((!twice && strncmp(diag->id, "race-", 5) != 0) || diag->related_count == 0 || !read_flag(diag->fix, &flag))
        return false;
    if (p->e->steps > MOST_STEPS_TRIED || p->e->machine.trial || !open_proposer(p)) /* what was completed was tried */
        return false;
    for (int i = 0; i < REMEDIES; i++) {
        if (!remedy_of(p->e, i, flag, twice, &remedy) || (i == SPREAD && !follows(p->function->region, there, here)))
            continue;
        if (p->search.work > MOST_WORK_TRIED)
            return false;
        if (mends(p, diag, &remedy, here, there)) {
            write_fix(fix, diag, &remedy);
            return true;
        }
    }
    return false;
}
