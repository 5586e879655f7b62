/* sanitize: findings as diagnostics: the message of a race, the flag that would order it, the order of the report. */
#include "base/diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/target.h"
#include "sanitize/sanitize.h"

#define LONGEST 1024

void ptog_court_close(struct ptog_court *court)
{
    for (int i = 0; i < court->gm_count; i++)
        ptog_shadow_close(&court->gm[i]);
    free(court->gm);
    court->gm = NULL;
    court->gm_count = 0;
    ptog_names_free(&court->names);
    ptog_findings_free(&court->findings);
}

static const char *name_at(const struct ptog_court *court, uint32_t site)
{
    const struct ptog_site *found = ptog_names_site_at(&court->names, site);
    return found ? found->name : "an instruction";
}

/* "race: mgather reads idx (UB 0x0..0x3f) on S before tload's write on MTE2 is ordered" */
static void race_message(const struct ptog_court *court, const struct ptog_finding *f, struct ptog_text *text)
{
    const char *id = f->key.id, *pipe = ptog_pipe_name((enum ptog_pipe)f->key.pipe);
    const char *other_pipe = ptog_pipe_name((enum ptog_pipe)f->key.other_pipe),
               *other = f->other_writes ? "write" : "read";
    ptog_text_addf(text, "race: %s %s %s (", name_at(court, f->key.site), f->writes ? "writes" : "reads",
                   ptog_access_operand_name((enum ptog_access_operand)f->key.operand));
    if (f->space == PTOG_IN_UB)
        ptog_text_add(text, "UB ");
    else
        ptog_text_addf(text, "GM %s + ", court->buffer_name(court->user, f->buffer));
    ptog_text_addf(text, "0x%" PRIx64 "..0x%" PRIx64 ") on %s", f->from, f->to, pipe);
    if (f->other_block)
        ptog_text_addf(text, "; another block's %s %ss there too, and nothing orders two blocks",
                       name_at(court, f->key.other), other);
    else if (strcmp(id, "race-self") == 0)
        ptog_text_addf(text, ", and its own flags do not order that after its %s on %s", other, other_pipe);
    else if (strcmp(id, "same-pipe-hazard") == 0)
        ptog_text_addf(text, " too soon after %s's %s on the same pipe: no barrier is between",
                       name_at(court, f->key.other), other);
    else
        ptog_text_addf(text, " before %s's %s on %s is ordered", name_at(court, f->key.other), other, other_pipe);
}

/* An event id that the program does not use between these pipes; instructions use 0. */
static int free_id(const struct ptog_court *court, enum ptog_pipe src, enum ptog_pipe dst)
{
    for (int id = 1; id <= 5; id++)
        if (!(court->used_ids[src][dst] >> id & 1))
            return id;
    return 0;
}

static void fix_flag(const struct ptog_court *court, const struct ptog_finding *f, struct ptog_text *text)
{
    const struct ptog_site *here = ptog_names_site_at(&court->names, f->key.site);
    const struct ptog_site *there = ptog_names_site_at(&court->names, f->key.other);
    enum ptog_pipe src = (enum ptog_pipe)f->key.other_pipe, dst = (enum ptog_pipe)f->key.pipe;
    if (dst == PTOG_S && src == PTOG_MTE2 && court->target->bit == PTOG_ON_A2A3 && here &&
        strcmp(here->name, "mgather") == 0)
        dst = PTOG_V; /* as documented: the instruction's own V->S goes on from there */
    int id = free_id(court, src, dst);
    const char *s = ptog_pipe_name(src), *d = ptog_pipe_name(dst);
    ptog_text_addf(text, "after line %u  set_flag(%s, %s, %d)\n", there ? (unsigned)there->where.line : 0, s, d, id);
    ptog_text_addf(text, "before line %u  wait_flag(%s, %s, %d)", here ? (unsigned)here->where.line : 0, s, d, id);
}

static void fix_barrier(const struct ptog_court *court, const struct ptog_finding *f, struct ptog_text *text)
{
    const struct ptog_site *here = ptog_names_site_at(&court->names, f->key.site);
    ptog_text_addf(text, "before line %u  barrier(%s)", here ? (unsigned)here->where.line : 0,
                   ptog_pipe_name((enum ptog_pipe)f->key.pipe));
}

static bool add(const struct ptog_court *court, const struct ptog_finding *f, ptog_diags *diags)
{
    char message[LONGEST], fix[LONGEST];
    struct ptog_text text;
    const struct ptog_site *here = ptog_names_site_at(&court->names, f->key.site);
    const struct ptog_site *there = ptog_names_site_at(&court->names, f->key.other);
    struct ptog_related_place related = {.message = f->other_message};
    struct ptog_diag diag = {.id = f->key.id,
                             .severity = f->severity,
                             .refuses = f->refuses,
                             .operand = f->operand,
                             .message = f->message ? f->message : message,
                             .seed = f->seed,
                             .accepted_by = f->accepted_by,
                             .count = f->count};
    ptog_text_init(&text, message, sizeof message);
    if (!f->message)
        race_message(court, f, &text);
    ptog_text_init(&text, fix, sizeof fix);
    if (f->fix == PTOG_FIX_FLAG)
        fix_flag(court, f, &text);
    else if (f->fix == PTOG_FIX_BARRIER)
        fix_barrier(court, f, &text);
    if (f->fix != PTOG_FIX_NONE)
        diag.fix = f->fix == PTOG_FIX_TEXT ? f->fix_text : fix;
    if (here)
        diag.where = here->where;
    if (there && f->other_message) {
        related.where = there->where;
        diag.related = &related;
        diag.related_count = 1;
    }
    if (!f->operand && f->key.operand < PTOG_AT_COUNT)
        diag.operand = ptog_access_operand_name((enum ptog_access_operand)f->key.operand);
    return ptog_diags_add(diags, &diag);
}

/* By the instruction it first happened at, then in the order in which it was found. */
static int by_insn(const void *a, const void *b)
{
    const struct ptog_finding *x = *(const struct ptog_finding *const *)a, *y = *(const struct ptog_finding *const *)b;
    if (x->insn != y->insn)
        return x->insn < y->insn ? -1 : 1;
    return x < y ? -1 : x > y;
}

enum ptog_status ptog_court_report(const struct ptog_court *court, ptog_diags *diags)
{
    const struct ptog_findings *findings = &court->findings;
    const struct ptog_finding **order = malloc((findings->count + 1) * sizeof(*order));
    enum ptog_status status = findings->failed ? PTOG_NO_MEMORY : PTOG_OK;
    if (!order)
        return PTOG_NO_MEMORY;
    for (size_t i = 0; i < findings->count; i++)
        order[i] = &findings->of[i];
    qsort(order, findings->count, sizeof *order, by_insn);
    for (size_t i = 0; i < findings->count; i++)
        if (!add(court, order[i], diags))
            status = PTOG_NO_MEMORY;
    free(order);
    return status;
}
