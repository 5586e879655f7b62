/* program: fixes that were tried. */
#include "program/propose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/eval.h"
#include "program/remedy.h"

#define MOST_STEPS_TRIED UINT64_C(200000) /* operations of a run that is tried again */
#define MOST_WORK_TRIED UINT64_C(1000000) /* of all trials together, about a second */

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

/* The line that an operation starts in, and the one that it ends in: new lines stand before the one, after the other.
 */
static uint32_t first_line(const struct ptog_eval *e, uint32_t op)
{
    const struct ptog_span whole = e->machine.places[op]->whole;
    return ptog_source_place(&e->program->source, (struct ptog_span){whole.at, 0}).line;
}

static uint32_t last_line(const struct ptog_eval *e, uint32_t op)
{
    const struct ptog_span whole = e->machine.places[op]->whole;
    return ptog_source_place(&e->program->source, (struct ptog_span){whole.at + whole.length - 1, 0}).line;
}

static void write_fix(char fix[PTOG_LONGEST_FIX], const struct ptog_eval *e, uint32_t here, uint32_t there,
                      const struct ptog_remedy *remedy)
{
    fix[0] = '\0';
    if (remedy->spread)
        add_line(fix, "after", last_line(e, there), &remedy->after, PTOG_SYNC_SET);
    if (remedy->spread && remedy->after.part == PTOG_SYNC_WHOLE)
        add_line(fix, "after", last_line(e, there), &remedy->after, PTOG_SYNC_WAIT);
    for (uint32_t i = 0; i < remedy->count; i++) {
        const struct ptog_sync *sync = &remedy->before[i];
        bool pair = !ptog_sync_is_barrier(sync) && sync->part == PTOG_SYNC_WHOLE;
        if (pair)
            add_line(fix, "before", first_line(e, here), sync, PTOG_SYNC_SET);
        add_line(fix, "before", first_line(e, here), sync, PTOG_SYNC_WAIT);
    }
}

bool ptog_propose(struct ptog_proposer *p, const struct ptog_diag *diag, uint32_t here, uint32_t there,
                  char fix[PTOG_LONGEST_FIX])
{
    struct ptog_remedy remedy;
    size_t faults = SIZE_MAX;
    if (p->e->steps > MOST_STEPS_TRIED || p->e->machine.trial || !open_proposer(p)) /* what was completed was tried */
        return false;
    if (ptog_remedy_find(&p->search, p->e->machine.diags, diag, here, there, MOST_WORK_TRIED, &remedy, &faults) !=
        PTOG_OK)
        return false;
    write_fix(fix, p->e, here, there, &remedy);
    return true;
}
