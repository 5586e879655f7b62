/* sanitize: cores that wait for each other, and the races between them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/cube/memories.h"
#include "sanitize/sanitize.h"

/* ---- what is known of cores */

/* Makes room for what is known of so many cores. False when out of memory. */
static bool know_cores(struct ptog_cores_seen *seen, uint32_t count)
{
    if (!ptog_array_reserve(&seen->of, count, &seen->room))
        return false;
    for (; seen->count < count; seen->count++)
        seen->of[seen->count] = (struct ptog_core_seen){0};
    return true;
}

bool ptog_seen_join(struct ptog_cores_seen *to, const struct ptog_cores_seen *from)
{
    if (!know_cores(to, from->count))
        return false;
    for (uint32_t i = 0; i < from->count; i++) {
        ptog_clock_join(&to->of[i].clock, &from->of[i].clock);
        if (from->of[i].step > to->of[i].step)
            to->of[i].step = from->of[i].step;
    }
    return true;
}

void ptog_seen_free(struct ptog_cores_seen *seen)
{
    free(seen->of);
    *seen = (struct ptog_cores_seen){0};
}

/* ---- a core of a linked launch */

/* Gives the core shadows of its own for the buffers of global memory that it has none of. False when out of memory: those that were
 * opened stay, and are closed with the core. */
static bool open_shadows(struct ptog_sanitizer *s)
{
    struct ptog_sanitizer_shared *shared = s->shared;
    if (!ptog_array_reserve(&s->links.gm, (size_t)shared->gm_count, &s->links.gm_room))
        return false;
    for (; s->links.gm_count < shared->gm_count; s->links.gm_count++)
        if (!ptog_shadow_open(&s->links.gm[s->links.gm_count], shared->gm[s->links.gm_count].size))
            return false;
    return true;
}

/* Adds the judge of this core to those of a linked launch, with shadows of global memory. False when out of memory; on
 * other devices nothing is to be done. */
bool ptog_links_open(struct ptog_sanitizer *s)
{
    struct ptog_sanitizer_shared *shared = s->shared;
    if (!shared->linked)
        return true;
    size_t room = shared->judge_room;
    if (!ptog_array_reserve(&shared->judges, s->core, &shared->judge_room))
        return false;
    for (size_t i = room; i < shared->judge_room; i++)
        shared->judges[i] = NULL;
    shared->judges[s->core - 1] = s;
    shared->order_logs.dead = true;
    return open_shadows(s);
}

struct ptog_shadow *ptog_links_peer(struct ptog_sanitizer *s, int peer)
{
    struct ptog_shadow *shadow = &s->links.peers[peer];
    uint64_t bytes = s->target->ub_bytes;
    if (peer == PTOG_PEER_CUBE)
        bytes = ptog_cube_bytes(s->target);
    if (!shadow->pages && !ptog_shadow_open(shadow, bytes)) {
        s->shared->diags.no_memory = true;
        return NULL;
    }
    s->shared->has_peers = true;
    return shadow;
}

bool ptog_links_add_buffers(struct ptog_sanitizer_shared *shared)
{
    bool done = true;
    for (uint32_t i = 0; shared->linked && i < shared->core_count && i < shared->judge_room; i++)
        done = done && (!shared->judges[i] || open_shadows(shared->judges[i]));
    return done;
}

void ptog_links_close(struct ptog_sanitizer *s)
{
    struct ptog_links *links = &s->links;
    if (s->shared->linked && s->core <= s->shared->judge_room)
        s->shared->judges[s->core - 1] = NULL;
    for (int i = 0; i < links->gm_count; i++) {
        s->shared->diags.no_memory |= links->gm[i].failed;
        ptog_shadow_close(&links->gm[i]);
    }
    for (int i = 0; i < PTOG_PEERS; i++) {
        s->shared->diags.no_memory |= links->peers[i].failed;
        ptog_shadow_close(&links->peers[i]);
    }
    for (int p = 0; p < PTOG_PIPES; p++) {
        for (uint32_t i = 0; i < links->heard[p].count; i++)
            ptog_seen_free(&links->heard[p].of[i]);
        free(links->heard[p].of);
    }
    free(links->gm);
    *links = (struct ptog_links){0};
}

uint64_t ptog_links_held(const struct ptog_sanitizer *s)
{
    uint64_t held = 0;
    for (int i = 0; i < s->links.gm_count; i++)
        held += s->links.gm[i].held;
    for (int i = 0; i < PTOG_PEERS; i++)
        held += s->links.peers[i].held;
    return held;
}

/* What an entry of `pipe` knows of other cores because pipe `by` has waited for them; NULL: nothing. */
static const struct ptog_cores_seen *known_by(const struct ptog_sanitizer *s, enum ptog_pipe pipe, int by)
{
    uint32_t heard = s->order.clocks.known[pipe].heard[by];
    if (heard == 0)
        return NULL;
    return &s->links.heard[by].of[heard - 1];
}

bool ptog_links_hand_on(const struct ptog_sanitizer *s, enum ptog_pipe pipe, uint32_t step,
                        struct ptog_cores_seen *seen)
{
    if (!know_cores(seen, s->core))
        return false;
    for (int by = 0; by < PTOG_PIPES; by++) {
        const struct ptog_cores_seen *known = known_by(s, pipe, by);
        if (known && !ptog_seen_join(seen, known))
            return false;
    }
    struct ptog_core_seen *own = &seen->of[s->core - 1];
    struct ptog_clock so_far = ptog_order_so_far(&s->order, pipe);
    ptog_clock_join(&own->clock, &so_far);
    if (step > own->step)
        own->step = step;
    return true;
}

/* S, or a pipe, has waited for another core, and knows from now on what `seen` says in addition. False when out of
 * memory. */
bool ptog_links_hear(struct ptog_sanitizer *s, enum ptog_pipe pipe, const struct ptog_cores_seen *seen)
{
    struct ptog_heard *heard = &s->links.heard[pipe];
    if (!ptog_array_reserve(&heard->of, heard->count + 1, &heard->room))
        return false;
    struct ptog_cores_seen *next = &heard->of[heard->count++];
    *next = (struct ptog_cores_seen){0};
    if (pipe == PTOG_S)
        ptog_clocks_hear(&s->order.clocks, pipe, NULL); /* a pipe does when it comes to the wait */
    return (heard->count == 1 || ptog_seen_join(next, next - 1)) && ptog_seen_join(next, seen);
}

/* ---- names */

/* What messages call a core, with its block where there are several. */
const char *ptog_core_words(struct ptog_core_number number, bool has_blocks, char text[PTOG_CORE_NAME])
{
    int length = number.cube ? snprintf(text, PTOG_CORE_NAME, "the cube core")
                             : snprintf(text, PTOG_CORE_NAME, "vector core %u", (unsigned)number.subblock);
    if (has_blocks)
        snprintf(text + length, PTOG_CORE_NAME - (size_t)length, " of block %u", (unsigned)number.block);
    return text;
}

/* ---- races */

struct link_probe {
    struct ptog_sanitizer *s;
    const struct ptog_sanitizer *other;
    const struct ptog_event *event;
    const struct ptog_access *access;
    struct ptog_core_seen seen; /* what the entry at hand knows of the other core */
    bool writes, atomic;
};

static bool is_fifo_site(const struct link_probe *p, uint32_t number)
{
    const struct ptog_site *site = ptog_names_site_at(&p->s->shared->names, number);
    return site && site->is_fifo;
}

/* Which race between two cores it is, by who reads and who writes. */
static enum ptog_machine_fault_kind race_kind_between(const struct link_probe *p, bool other_writes)
{
    bool is_pair = p->s->block == p->other->block && p->s->cube != p->other->cube;
    if (!p->writes)
        return PTOG_MACHINE_RACE_RAW;
    if (!other_writes)
        return PTOG_MACHINE_RACE_WAR;
    return is_pair || p->access->space != PTOG_IN_GM ? PTOG_MACHINE_RACE_WAW : PTOG_MACHINE_GM_BLOCK_OVERLAP;
}

/* Notes a race with an entry of the other core that touched the bytes from `at` on. */
static void note(const struct link_probe *p, enum ptog_pipe pipe, bool writes, uint32_t site, uint64_t at,
                 uint64_t bytes)
{
    struct ptog_race race = {.first = {pipe, writes, site, 0},
                             .second = {p->event->pipe, p->writes, p->event->site, p->event->step},
                             .insn = p->event->insn,
                             .operand = p->access->operand,
                             .memory = p->access->space == PTOG_IN_GM ? p->access->buffer : -1,
                             .from = at,
                             .to = at + bytes};
    bool is_slot = is_fifo_site(p, site) && is_fifo_site(p, p->event->site);
    if (is_slot && p->s->cube == p->other->cube)
        return; /* both vector cores push the same tile, which is not split */
    enum ptog_machine_fault_kind kind = is_slot ? PTOG_MACHINE_FIFO_OVERRUN : race_kind_between(p, writes);
    struct ptog_diag_entry *f = ptog_sanitizer_note_race(p->s, kind, &race);
    if (!f)
        return;
    if (f->race.other_core)
        return;
    f->race.core = p->s->core;
    f->race.other_core = p->other->core;
    f->race.other_subblock = p->s->block == p->other->block;
    f->advice = PTOG_ADVICE_OF_ID;
    if (f->key.kind == PTOG_DIAG_GM_BLOCK_OVERLAP)
        return;
    if (is_slot) {
        ptog_diag_advise(
            f, ptog_fix_of_words("use 1, 2, 3 or an even number of slots: of others the last is not guarded"));
        return;
    }
    bool text = p->s->shared->spelling == PTOG_SPELL_TEXT;
    ptog_diag_advise(f, ptog_fix_of_words(ptog_diag_text(
                            &p->s->shared->diags,
                            "after the first, set a counter on pipe %s (%s), and wait for it before the second (%s)",
                            ptog_pipe_name(pipe), text ? "pto.sync.set" : "ffts_cross_core_sync",
                            text ? "pto.sync.wait" : "wait_flag_dev")));
}

/* One cell of another core's shadow, of bytes that the access at hand touches: reports the entries of that core that
 * the access has not waited for. Changes findings alone. */
static void look_at_cell(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    const struct link_probe *p = user;
    const uint32_t *seen = p->seen.clock.of;
    enum ptog_pipe adding = ptog_adding_pipe(p->other);
    for (int q = 0; q < PTOG_PIPES; q++)
        if (cell->written[q] > seen[q])
            note(p, (enum ptog_pipe)q, true, cell->write_site[q], at, bytes);
    if (cell->added > seen[adding] && !p->atomic)
        note(p, adding, true, cell->add_site, at, bytes);
    if (!p->writes)
        return;
    for (int q = 0; q < PTOG_PIPES; q++)
        if (cell->read[q] > seen[q])
            note(p, (enum ptog_pipe)q, false, cell->read_site[q], at, bytes);
    if (cell->readers.core > p->seen.step)
        note(p, PTOG_S, false, cell->readers.site, at, bytes);
}

/* What an entry of `pipe` knows of core `i`: how far its pipes have come, joined over all waits. */
static struct ptog_core_seen seen_of(const struct ptog_sanitizer *s, enum ptog_pipe pipe, uint32_t i)
{
    struct ptog_core_seen seen = {0};
    for (int by = 0; by < PTOG_PIPES; by++) {
        const struct ptog_cores_seen *known = known_by(s, pipe, by);
        if (!known || i >= known->count)
            continue;
        ptog_clock_join(&seen.clock, &known->of[i].clock);
        if (known->of[i].step > seen.step)
            seen.step = known->of[i].step;
    }
    return seen;
}

/* The memory of a core, as others of its block call it. */
static int peer_of(const struct ptog_sanitizer *s)
{
    return s->cube ? PTOG_PEER_CUBE : (int)s->shared->cores[s->core - 1].subblock;
}

/* Where another core keeps what it has done to the memory of the access; NULL: it has no such access. */
static const struct ptog_shadow *shadow_of(const struct ptog_sanitizer *s, const struct ptog_sanitizer *other,
                                           const struct ptog_access *access)
{
    if (access->space == PTOG_IN_GM && access->buffer < other->links.gm_count)
        return &other->links.gm[access->buffer];
    if (access->space == PTOG_IN_GM || other->block != s->block)
        return NULL;
    int memory = access->space == PTOG_IN_PEER ? access->buffer : peer_of(s);
    if (memory == peer_of(other))
        return &other->ub;
    return other->links.peers[memory].pages ? &other->links.peers[memory] : NULL;
}

/* Sets *user, a bool, when a cell was written. */
static void find_write(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    bool *is_written = user;
    (void)at, (void)bytes;
    for (int q = 0; q < PTOG_PIPES; q++)
        *is_written |= cell->written[q] > 0;
}

bool ptog_links_is_sent(const struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    const struct ptog_access access = {.kind = PTOG_WRITES, .at = at, .bytes = bytes, .count = 1};
    const struct ptog_sanitizer_shared *shared = s->shared;
    bool is_written = false;
    for (uint32_t i = 0; shared->has_peers && i < shared->core_count; i++) {
        const struct ptog_sanitizer *other = shared->judges[i];
        const struct ptog_shadow *shadow = other && other != s ? shadow_of(s, other, &access) : NULL;
        if (shadow)
            ptog_shadow_visit(shadow, &access, find_write, &is_written);
    }
    return is_written;
}

/* Reports the races of an access of global memory with the other cores of a linked launch. */
void ptog_links_judge(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_access *access)
{
    const struct ptog_sanitizer_shared *shared = s->shared;
    struct link_probe p = {.s = s, .event = event, .access = access};
    p.writes = ptog_access_writes(access);
    p.atomic = access->kind == PTOG_ADDS;
    for (uint32_t i = 0; i < shared->core_count; i++) {
        p.other = shared->judges[i];
        const struct ptog_shadow *shadow = p.other && p.other != s ? shadow_of(s, p.other, access) : NULL;
        if (!shadow)
            continue;
        p.seen = seen_of(s, event->pipe, i);
        ptog_shadow_visit(shadow, access, look_at_cell, &p);
    }
}
