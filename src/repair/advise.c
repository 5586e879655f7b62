/* repair: advice for a report: fixes that were tried. */
#include "repair/advise.h"

#include <stdio.h>
#include <string.h>

#include "program/eval.h"
#include "repair/mend.h"
#include "repair/write.h"

#define MOST_STEPS_TRIED UINT64_C(200000) /* operations of a run that is tried again */
#define MOST_WORK_TRIED UINT64_C(1000000) /* of all trials together, about a second */

static bool open_adviser(struct ptog_adviser *p)
{
    if (p->opened)
        return !p->failed;
    p->opened = true;
    p->failed = !ptog_added_open(&p->added, p->e->tree->op_count);
    p->failed = !ptog_tries_open(&p->tries, &p->added, p->e, p->execution, p->function) || p->failed;
    return !p->failed;
}

void ptog_adviser_close(struct ptog_adviser *p)
{
    if (!p->opened)
        return;
    ptog_tries_close(&p->tries);
    ptog_added_close(&p->added);
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

bool ptog_advise(struct ptog_adviser *p, const struct ptog_diag *diag, uint32_t here, uint32_t there,
                 char fix[PTOG_LONGEST_FIX])
{
    struct ptog_remedy remedy;
    size_t faults = SIZE_MAX;
    if (p->e->steps > MOST_STEPS_TRIED || p->e->machine.trial || !open_adviser(p)) /* what was completed was tried */
        return false;
    if (ptog_mend_one(&p->tries, p->report, diag, here, there, MOST_WORK_TRIED, &remedy, &faults) != PTOG_OK)
        return false;
    write_fix(fix, p->e, here, there, &remedy);
    return true;
}
