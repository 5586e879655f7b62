/* sanitize: races, found with vector clocks and a shadow.
 *
 * The shadow has, for each cell of bytes and each pipe q, the number of the last entry of q that wrote it and of the
 * last that read it. The entry at hand, of pipe p, has a clock: for each pipe q, up to which entry everything is
 * complete before it starts. So for each byte that it touches and each pipe q:
 *
 *     last write of q  <=  clock[q]      ordered: the write is complete
 *     last write of q  >   clock[q]      a race, for some timing: nothing makes the one wait for the other
 *
 * and the same with the last read of q when the entry at hand writes. Two reads never race. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "sanitize/sanitize.h"

/* The entry at hand, made ready to be compared with many cells. All its accesses share one probe: what was found out
 * about an earlier entry at one cell need not be found out again at the next. */
struct race_probe {
    struct ptog_sanitizer *s;
    const struct ptog_event *event;
    const struct ptog_access *access; /* the one that is judged */
    /* By pipe: writes, and reads, up to this entry are ordered before the entry at hand, by its clock or because the
     * pipe does one thing after the other. Later ones race with it. */
    uint32_t after_write[PTOG_PIPES];
    uint32_t after_read[PTOG_PIPES];
    /* By pipe: writes, and reads, up to this entry were met at an earlier cell, found to be ordered, and joined to
     * `need`. A cell that has nothing later is skipped. */
    uint32_t seen_write[PTOG_PIPES];
    uint32_t seen_read[PTOG_PIPES];
    uint32_t need[PTOG_PIPES]; /* by pipe: the last entry that touched these bytes, and that it therefore comes after */
    uint32_t entry;            /* its own number in the queue of `pipe` */
    enum ptog_pipe pipe;
    bool writes, gm;
    bool adds;    /* to what memory holds: see PTOG_ADDS */
    bool atomic;  /* for other cores: PTOG_ADDS, or PTOG_WRITES_ATOMIC */
    bool scratch; /* scratch memory of a library: see enter */
    bool held;    /* it was held behind a wait: sanitize/hold.c tells its races, this file only collects `need` */
};

/* A race of the access at hand with an entry of another pipe, or of another core. */
static struct ptog_race race_of(const struct race_probe *p, enum ptog_pipe other, bool other_writes, uint32_t site,
                                uint32_t entry)
{
    return (struct ptog_race){
        .first = {other, other_writes, site, ptog_step_of(entry)},
        .second = {p->pipe, p->writes, p->event->site, p->event->step},
        .insn = p->event->insn,
        .operand = p->access->operand,
        .memory = p->gm ? p->access->buffer : -1,
        .doubtful = p->access->hasty,
    };
}

/* Notes a race over these bytes. */
static void note_race(const struct race_probe *p, enum ptog_machine_fault_kind kind, struct ptog_race race, uint64_t at,
                      uint64_t bytes)
{
    race.from = at;
    race.to = at + bytes;
    ptog_sanitizer_note_race(p->s, kind, &race);
}

/* ---- other cores */

/* The last site of these that is not 0. */
static uint32_t last_site(const uint32_t sites[PTOG_PIPES])
{
    uint32_t site = 0;
    for (int q = 0; q < PTOG_PIPES; q++)
        if (sites[q])
            site = sites[q];
    return site;
}

/* Sets the site of the cores' access, if there is one. */
static void keep_site(struct ptog_cell_cores *cores, uint32_t site)
{
    if (site)
        cores->site = site;
}

/* The cell gets another owner: it forgets the entries of the old one, and keeps where they were made. */
static void change_owner(struct ptog_cell *cell, uint32_t core)
{
    struct ptog_cell next = {.owner = core, .writers = cell->writers, .adders = cell->adders, .readers = cell->readers};
    keep_site(&next.writers, last_site(cell->write_site));
    keep_site(&next.adders, last_site(cell->write_site)); /* an atomic write of a lane */
    keep_site(&next.adders, cell->add_site);
    keep_site(&next.readers, last_site(cell->read_site));
    *cell = next;
}

/* Whether a core other than this one has touched a cell. */
static bool has_others(const struct ptog_cell_cores *cores, uint32_t core)
{
    return cores->core && cores->core != core;
}

/* Notes that a core has accessed the cell; from the second core on, only that there are several. */
static void enter_core(struct ptog_cell_cores *cores, uint32_t core)
{
    cores->core = has_others(cores, core) ? PTOG_MANY_CORES : core;
}

/* Whether a call is an mscatter. */
static bool is_scatter(const struct race_probe *p, uint32_t site)
{
    return strcmp(ptog_names_insn(&p->s->shared->names, site), ptog_opcode_name(PTOG_MSCATTER)) == 0;
}

/* Two blocks write one byte. */
static enum ptog_machine_fault_kind overlap_kind(const struct race_probe *p, const struct ptog_cell_cores *others)
{
    if (p->access->kind == PTOG_ADDS_IN_STEPS && is_scatter(p, others->site))
        return PTOG_MACHINE_SCATTER_NOT_ATOMIC;
    return PTOG_MACHINE_GM_BLOCK_OVERLAP;
}

/* Whether the other core is a sub-block of the same block. */
static bool is_same_block(const struct ptog_sanitizer *s, uint32_t core)
{
    return core <= s->shared->core_count && s->shared->cores[core - 1].block == s->block;
}

/* Notes that another core touched these bytes, too. */
static void note_other(const struct race_probe *p, enum ptog_machine_fault_kind kind,
                       const struct ptog_cell_cores *others, bool writes, uint64_t at, uint64_t bytes)
{
    struct ptog_race race = race_of(p, PTOG_ALL, writes, others->site, 0);
    race.from = at;
    race.to = at + bytes;
    race.harmless = kind == PTOG_MACHINE_GM_BLOCK_OVERLAP && p->access->same && is_scatter(p, others->site);
    struct ptog_diag_entry *f = ptog_sanitizer_note_race(p->s, kind, &race);
    if (!f)
        return;
    f->race.other_block = true;
    f->race.other_subblock = is_same_block(p->s, others->core);
    f->advice = PTOG_ADVICE_OF_ID;
}

/* Two cores of a launch are not ordered: what others have done to the cell is a race whatever the clocks say. */
static void meet_others(const struct race_probe *p, const struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    uint32_t core = p->s->core;
    const struct ptog_cell_cores *writers = &cell->writers, *adders = &cell->adders;
    if (has_others(writers, core))
        note_other(p, p->writes ? overlap_kind(p, writers) : PTOG_MACHINE_RACE_RAW, writers, true, at, bytes);
    if (has_others(adders, core) && !p->atomic)
        note_other(p, p->writes ? overlap_kind(p, adders) : PTOG_MACHINE_RACE_RAW, adders, true, at, bytes);
    if (has_others(&cell->readers, core) && p->writes)
        note_other(p, PTOG_MACHINE_RACE_WAR, &cell->readers, false, at, bytes);
}

/* Notes an access of global memory in a cell: the cores that have read, written or added there, and after judging the
 * others, this one. */
static void enter_gm(const struct race_probe *p, struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    uint32_t core = p->s->core;
    if (cell->owner != core)
        change_owner(cell, core);
    meet_others(p, cell, at, bytes);
    if (p->atomic)
        enter_core(&cell->adders, core);
    else if (p->writes)
        enter_core(&cell->writers, core);
    else
        enter_core(&cell->readers, core);
}

/* ---- entries of the same core */

/* An entry that was executed earlier: a race, unless it is complete; if that was issued later, a wait held this one
 * for longer than was written down (sanitize/hold.c), and flags have reversed the order. */
static void note_entry(const struct race_probe *p, struct ptog_race race, bool complete, uint64_t at, uint64_t bytes)
{
    if (!complete) {
        note_race(p, ptog_race_kind(&race.first, &race.second), race, at, bytes);
    } else if (race.first.step > race.second.step) {
        struct ptog_racer later = race.first;
        race.first = race.second;
        race.second = later;
        p->s->raced = true;
        note_race(p, PTOG_MACHINE_ORDER_REVERSED, race, at, bytes);
    }
}

/* Judges one earlier entry of pipe q, which has written or read the cell: ordered, or a race. */
static void meet_entry(struct race_probe *p, enum ptog_pipe q, bool writes, uint32_t entry, uint32_t site, uint64_t at,
                       uint64_t bytes)
{
    uint32_t after = writes ? p->after_write[q] : p->after_read[q], *seen = writes ? p->seen_write : p->seen_read;
    if (writes && q == p->pipe && entry == p->entry)
        return;
    if (entry <= after)
        seen[q] = entry;
    if (!p->held)
        note_entry(p, race_of(p, q, writes, site, entry), entry <= after, at, bytes);
    if (ptog_is_self(q, ptog_step_of(entry), p->pipe, p->event->step) || p->access->hasty)
        return;
    p->s->raced |= entry > after;
    if (entry > p->need[q])
        p->need[q] = entry;
}

/* The last entry of pipe q at a cell. When that is an earlier phase of the same instruction, writing on S, the write of
 * S before it lies under it, and is judged as well. */
static void meet(struct race_probe *p, const struct ptog_cell *cell, enum ptog_pipe q, bool writes, uint64_t at,
                 uint64_t bytes)
{
    uint32_t entry = writes ? cell->written[q] : cell->read[q];
    bool self = writes && ptog_is_self(q, ptog_step_of(entry), p->pipe, p->event->step);
    if (self && cell->under > 0)
        meet_entry(p, q, true, cell->under, cell->under_site, at, bytes);
    meet_entry(p, q, writes, entry, writes ? cell->write_site[q] : cell->read_site[q], at, bytes);
}

/* Judges every entry of a cell that is later than those met so far. */
__attribute__((noinline)) static void meet_all(struct race_probe *p, const struct ptog_cell *cell, bool writes,
                                               uint64_t at, uint64_t bytes)
{
    const uint32_t *last = writes ? cell->written : cell->read, *seen = writes ? p->seen_write : p->seen_read;
    for (int q = 0; q < PTOG_PIPES; q++)
        if (last[q] > seen[q])
            meet(p, cell, (enum ptog_pipe)q, writes, at, bytes);
}

/* Reports or notes, as meet_entry does, the atomic additions to a cell that the access has not seen. */
static void meet_adds(struct race_probe *p, const struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    enum ptog_pipe pipe = ptog_adding_pipe(p->s);
    if (cell->added > p->seen_write[pipe])
        meet_entry(p, pipe, true, cell->added, cell->add_site, at, bytes);
}

/* Notes the write in the cell: its time and site, by pipe, or as an addition. Of S, the write before is kept, too. */
static void enter_write(const struct race_probe *p, struct ptog_cell *cell)
{
    if (p->adds) {
        cell->added = p->entry;
        cell->add_site = p->event->site;
        return;
    }
    if (p->pipe == PTOG_S && ptog_step_of(cell->written[PTOG_S]) != p->event->step) {
        cell->under = cell->written[PTOG_S];
        cell->under_site = cell->write_site[PTOG_S];
    }
    cell->written[p->pipe] = p->entry;
    cell->write_site[p->pipe] = p->event->site;
}

/* Compares the access with one cell, and writes itself into the cell. */
static inline void judge_cell(struct race_probe *p, struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    if (p->gm && p->s->shared->linked)
        cell->owner = p->s->core; /* the shadow is of this core alone */
    else if (p->gm)
        enter_gm(p, cell, at, bytes);
    if (ptog_is_news(cell->written, p->seen_write))
        meet_all(p, cell, true, at, bytes);
    if (p->gm && cell->added && !p->adds)
        meet_adds(p, cell, at, bytes);
    if (p->writes && ptog_is_news(cell->read, p->seen_read))
        meet_all(p, cell, false, at, bytes);
    if (p->writes && !p->scratch) {
        enter_write(p, cell);
    } else if (p->pipe != PTOG_S || p->gm || p->s->shared->linked) { /* a scalar load is complete when it is issued; other
                                                                        cores still see it */
        cell->read[p->pipe] = p->pipe == PTOG_S ? 0 : p->entry;
        cell->read_site[p->pipe] = p->event->site;
        if (p->pipe == PTOG_S && p->s->shared->linked) /* other cores know S by its steps */
            cell->readers = (struct ptog_cell_cores){p->event->step, p->event->site};
    }
}

/* Judges and notes an access inside one block of 32 bytes whose cells are smaller than the block; a block that is
 * filled becomes one cell again. */
static void in_parts(struct race_probe *p, struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                     uint64_t bytes)
{
    struct ptog_shadow_cells *parts = ptog_shadow_parts(shadow, page, at, bytes);
    if (!parts)
        return;
    parts->written |= p->writes && !p->scratch;
    for (uint64_t i = 0; i < bytes; i += parts->grain)
        judge_cell(p, ptog_shadow_cell_at(parts, at + i), at + i, parts->grain);
    if ((at + bytes) % PTOG_SHADOW_BLOCK == 0) /* a block that is filled in steps becomes one again */
        ptog_shadow_join_parts(shadow, page, at);
}

/* Judges and notes an access inside one page whose cells are smaller than the page; a page that is filled becomes one
 * cell again. */
static void in_cells(struct race_probe *p, struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                     uint64_t bytes)
{
    struct ptog_shadow_cells *cells = ptog_shadow_cells(shadow, page, at, bytes);
    uint64_t whole = ptog_shadow_page_bytes(shadow, at), end = at + bytes;
    while (cells && at < end) {
        uint64_t left = cells->grain - at % cells->grain, here = left < end - at ? left : end - at;
        if (here == cells->grain && !ptog_shadow_parts_at(page, at))
            judge_cell(p, ptog_shadow_cell_at(cells, at), at, here);
        else
            in_parts(p, shadow, page, at, here);
        at += here;
    }
    if (cells && (end - 1) % PTOG_SHADOW_PAGE == whole - 1)
        ptog_shadow_join_cells(shadow, page, whole);
}

/* Bytes of a page with stripes: `bytes` in every `pitch`, from `at`, which is in the page's first step, to its end.
 * Each cell is judged once, from its first byte in the page to its last. */
static void in_stripes(struct race_probe *p, struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                       uint64_t bytes, uint64_t pitch)
{
    struct ptog_shadow_cells *cells = page->cells;
    uint64_t reach = PTOG_SHADOW_PAGE - cells->period + cells->grain;
    for (uint64_t step = 0; step < cells->period; step += pitch)
        for (uint64_t i = step; i < step + bytes; i += cells->grain)
            judge_cell(p, ptog_shadow_cell_at(cells, at + i), at + i, reach);
    ptog_shadow_join_cells(shadow, page, PTOG_SHADOW_PAGE);
}

/* Judges and notes one piece of an access, [at, at + bytes), page by page, as coarsely as the shadow has it. */
static void piece(struct race_probe *p, struct ptog_shadow *shadow, uint64_t at, uint64_t bytes)
{
    if (at >= shadow->size)
        return;
    if (bytes > shadow->size - at)
        bytes = shadow->size - at;
    while (bytes > 0) {
        struct ptog_shadow_page *page = ptog_shadow_page(shadow, at);
        uint64_t left = PTOG_SHADOW_PAGE - at % PTOG_SHADOW_PAGE, here = left < bytes ? left : bytes;
        if (!page)
            return;
        bool whole = here == ptog_shadow_page_bytes(shadow, at);
        if (!page->cells && whole)
            judge_cell(p, &page->cell, at, here);
        else if (ptog_shadow_has_stripes(page) && whole)
            in_stripes(p, shadow, page, at, page->cells->period, page->cells->period);
        else
            in_cells(p, shadow, page, at, here);
        at += here;
        bytes -= here;
    }
}

/* Judges and notes, together, as many pieces from `at` on as go through a whole page in equal steps; returns how many.
 * 0: they do not, or the page has no room for stripes. */
static uint64_t whole_page(struct race_probe *p, struct ptog_shadow *shadow, uint64_t at, uint64_t left)
{
    uint64_t bytes = p->access->bytes, pitch = p->access->pitch, pieces = pitch > 0 ? PTOG_SHADOW_PAGE / pitch : 0;
    if (bytes >= pitch || pieces < 2 || left < pieces || at % PTOG_SHADOW_PAGE >= pitch || at >= shadow->size ||
        ptog_shadow_page_bytes(shadow, at) < PTOG_SHADOW_PAGE)
        return 0;
    struct ptog_shadow_page *page = ptog_shadow_page(shadow, at);
    if (!page || !ptog_shadow_stripes(shadow, page, at, bytes, pitch))
        return 0;
    in_stripes(p, shadow, page, at, bytes, pitch);
    return pieces;
}

/* Sets *p to what is ordered before an entry: by the clock of its pipe, and by the pipe itself. */
static void start_probe(struct race_probe *p, struct ptog_sanitizer *s, const struct ptog_event *event)
{
    enum ptog_pipe pipe = event->pipe;
    *p = (struct race_probe){.s = s, .event = event, .entry = s->order.clocks.entries[pipe], .pipe = pipe};
    p->held = ptog_hold_judges(&s->hold, pipe);
    for (int q = 0; q < PTOG_PIPES; q++)
        p->after_write[q] = p->after_read[q] = s->order.clocks.known[pipe].of[q];
    p->after_read[pipe] = p->seen_read[pipe] = UINT32_MAX; /* a pipe's own earlier reads are done before it writes */
    if (pipe == PTOG_S || !ptog_pipe_needs_barrier(s->target, pipe))
        p->after_write[pipe] = p->seen_write[pipe] = UINT32_MAX;
}

/* All pieces of an access. What a library does with its scratch memory is a write for what came before on other pipes;
 * its own pipe does that in order. It ends with reading, and what comes after meets a read. */
static void enter_access(struct race_probe *p, const struct ptog_access *access, struct ptog_shadow *shadow)
{
    uint32_t seen = p->seen_write[p->pipe];
    p->access = access;
    p->scratch = access->kind == PTOG_SCRATCHES;
    p->adds = access->kind == PTOG_ADDS;
    p->atomic = p->adds || access->kind == PTOG_WRITES_ATOMIC;
    if (p->scratch)
        p->seen_write[p->pipe] = UINT32_MAX;
    if (access->hasty)
        p->after_write[p->pipe] = p->seen_write[p->pipe] = p->s->order.clocks.known[p->pipe].of[p->pipe];
    p->writes = ptog_access_writes(access);
    p->gm = access->space == PTOG_IN_GM;
    for (uint64_t k = 0, done; k < access->count; k += done) {
        uint64_t at = access->at + k * access->pitch;
        done = whole_page(p, shadow, at, access->count - k);
        if (done == 0) {
            piece(p, shadow, at, access->bytes);
            done = 1;
        }
    }
    if (p->scratch || access->hasty)
        p->seen_write[p->pipe] = seen;
    if (access->hasty)
        p->after_write[p->pipe] = UINT32_MAX;
}

/* What was met is joined to `need`. */
static void join_needs(const struct race_probe *p, struct ptog_clock *need)
{
    for (int q = 0; q < PTOG_PIPES; q++)
        if (p->need[q] > need->of[q])
            need->of[q] = p->need[q];
}

/* The shadow that an access enters; NULL: it is of no other core, or out of memory. */
static struct ptog_shadow *shadow_of(struct ptog_sanitizer *s, const struct ptog_access *access)
{
    if (access->space == PTOG_IN_GM)
        return ptog_sanitizer_gm(s, access->buffer);
    if (access->space == PTOG_IN_UB)
        return &s->ub;
    return s->shared->linked ? ptog_links_peer(s, access->buffer) : NULL;
}

void ptog_sanitizer_races(struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_clock *need)
{
    struct race_probe p;
    start_probe(&p, s, event);
    for (size_t i = 0; i < event->count; i++) {
        const struct ptog_access *access = &event->accesses[i];
        struct ptog_shadow *shadow = shadow_of(s, access);
        if (!shadow)
            continue;
        enter_access(&p, access, shadow);
        if (s->shared->linked && (access->space == PTOG_IN_GM || s->shared->has_peers))
            ptog_links_judge(s, event, access);
    }
    join_needs(&p, need);
}

void ptog_sanitizer_probe(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_access *access,
                          struct ptog_shadow *shadow, struct ptog_clock *need)
{
    struct race_probe p;
    start_probe(&p, s, event);
    p.held = true; /* only `need` is wanted: nothing that it meets is reported as a race */
    for (int q = 0; q < PTOG_PIPES; q++)
        p.after_write[q] = p.after_read[q] = UINT32_MAX;
    enter_access(&p, access, shadow);
    join_needs(&p, need);
}
