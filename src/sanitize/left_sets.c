/* sanitize: counters between cores that were set and never waited for. A race that such a wait would have ordered is
 * reported in the order that the author meant: what was done before the set comes first, and the wait is missing. */
#include <string.h>

#include "base/origin.h"
#include "base/text.h"
#include "sanitize/sanitize.h"

/* Whether whoever had waited for the set would have known of work that a core did on a pipe. */
static bool tells_of(const struct ptog_cores_seen *seen, uint32_t core, enum ptog_pipe pipe)
{
    return core <= seen->count && seen->of[core - 1].clock.of[pipe] > 0;
}

/* What an instruction calls the memory that another one calls `other`: the same, its view, or the tile that it reads. */
static uint8_t memory_operand(const struct ptog_sanitizer_shared *shared, uint32_t site, const char *other)
{
    static const enum ptog_operand_name names[] = {PTOG_AT_VIEW, PTOG_AT_TABLE, PTOG_AT_SCALAR, PTOG_AT_SRC};
    const struct ptog_site *at = ptog_names_site_at(&shared->names, site);
    for (int o = 0; at && o < PTOG_AT_COUNT; o++)
        if (at->operands[o] && strcmp(at->operands[o], other) == 0)
            return (uint8_t)o;
    for (size_t i = 0; at && i < sizeof names / sizeof names[0]; i++)
        if (at->operands[names[i]])
            return (uint8_t)names[i];
    return PTOG_AT_VIEW;
}

/* Makes a race one of a write that comes first, and a read that ran ahead of it. */
static void swap_accesses(const struct ptog_sanitizer_shared *shared, struct ptog_diag_entry *f)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(PTOG_MACHINE_RACE_RAW);
    struct ptog_diag_key key = f->key;
    uint32_t core = f->race.core;
    f->key.kind = PTOG_DIAG_RACE_RAW;
    f->key.site = key.other;
    f->key.other = key.site;
    f->key.pipe = key.other_pipe;
    f->key.other_pipe = key.pipe;
    f->key.operand = memory_operand(
        shared, key.other, ptog_names_words(&shared->names, key.site, (enum ptog_operand_name)key.operand));
    f->race.core = f->race.other_core;
    f->race.other_core = core;
    f->race.writes = false;
    f->race.other_writes = true;
    f->other_message = "written here";
    f->diag.id = row->id;
    f->diag.documented = row->documented;
}

/* Gives a race the fix that its second access lacks: a wait for a counter that another core has set. */
static void advise_wait(struct ptog_sanitizer *s, struct ptog_diag_entry *f, int counter, uint32_t set_site)
{
    struct ptog_sanitizer_shared *shared = s->shared;
    bool is_text = shared->spelling == PTOG_SPELL_TEXT;
    f->race.set_site = set_site;
    ptog_diag_advise(
        f, ptog_fix_of_words(ptog_diag_text(
               &shared->diags, "on the %s, wait for counter %d before %s (%s)", s->cube ? "cube core" : "vector cores",
               counter, ptog_names_insn(&shared->names, f->key.site), is_text ? "pto.sync.wait" : "wait_flag_dev")));
}

void ptog_links_left(struct ptog_sanitizer *s, int counter, uint32_t set_site, const struct ptog_cores_seen *seen)
{
    struct ptog_diag_list *diags = &s->shared->diags;
    for (uint32_t i = 0; i < diags->count; i++) {
        struct ptog_diag_entry *f = &diags->list[i];
        bool is_second = f->race.core == s->core;
        if (!f->race.other_core || f->race.set_site || (!is_second && f->race.other_core != s->core))
            continue;
        uint32_t setter = is_second ? f->race.other_core : f->race.core;
        enum ptog_pipe pipe = (enum ptog_pipe)(is_second ? f->key.other_pipe : f->key.pipe);
        bool ran_ahead = !is_second && f->key.kind == PTOG_DIAG_RACE_WAR;
        if ((!is_second && !ran_ahead) || !tells_of(seen, setter, pipe))
            continue;
        if (ran_ahead)
            swap_accesses(s->shared, f);
        advise_wait(s, f, counter, set_site);
    }
}

/* Whether one statement stands before another one, as far as that is known. */
static bool stands_before(const struct ptog_sanitizer_shared *shared, uint32_t site, uint32_t other)
{
    const struct ptog_site *a = ptog_names_site_at(&shared->names, site), *b = ptog_names_site_at(&shared->names, other);
    return a && b && a->where.line > 0 && a->where.line < b->where.line;
}

/* Whether this core has waited for another one. */
static bool has_heard(const struct ptog_sanitizer *s)
{
    for (int pipe = 0; pipe < PTOG_PIPES; pipe++)
        if (s->links.heard[pipe].count > 0)
            return true;
    return false;
}

void ptog_links_unheard(struct ptog_sanitizer *s)
{
    struct ptog_sanitizer_shared *shared = s->shared;
    bool is_text = shared->spelling == PTOG_SPELL_TEXT;
    for (uint32_t i = 0; !has_heard(s) && i < shared->diags.count; i++) {
        struct ptog_diag_entry *f = &shared->diags.list[i];
        if (f->race.other_core != s->core || f->race.set_site || f->key.kind != PTOG_DIAG_RACE_WAR ||
            !stands_before(shared, f->key.site, f->key.other))
            continue;
        swap_accesses(shared, f);
        ptog_diag_advise(f, ptog_fix_of_words(ptog_diag_text(
                                &shared->diags,
                                "after the first, set a counter on pipe %s (%s), and wait for it before the second (%s)",
                                ptog_pipe_name((enum ptog_pipe)f->key.other_pipe),
                                is_text ? "pto.sync.set" : "ffts_cross_core_sync",
                                is_text ? "pto.sync.wait" : "wait_flag_dev")));
    }
}
