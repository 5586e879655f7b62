/* sanitize: the data cache of S, as accesses, dcci and dsb come in the order of issue. */
#include "sanitize/scalar_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pick.h"
#include "sanitize/sanitize.h"

#define AT_THE_END (UINT64_MAX - 1) /* the instruction of what is found when a kernel ends: after all others */
#define PAGE_BYTES (PTOG_LINE_BYTES * PTOG_LINES)

/* The access at hand. */
struct line_access {
    struct ptog_sanitizer *s;
    const struct ptog_access *access;
    enum ptog_pipe pipe;
    uint32_t site;
    uint64_t insn;
};

/* ---- pages */

/* Frees what is known of all cache lines. */
void ptog_line_pages_clear(struct ptog_line_pages *pages)
{
    for (uint32_t i = 0; i < pages->count; i++)
        free(pages->of[i].lines);
    free(pages->of);
    ptog_index_free(&pages->index);
    *pages = (struct ptog_line_pages){.failed = pages->failed};
}

static bool is_page(const struct ptog_line_page *page, int32_t buffer, uint64_t number)
{
    return page->buffer == buffer && page->number == number;
}

static uint32_t hash_page(int32_t buffer, uint64_t number)
{
    return (uint32_t)((((uint64_t)(uint32_t)buffer << 48 ^ number) * 0x9E3779B97F4A7C15u) >> 32);
}

/* The page of these lines; NULL: nobody has touched it. It moves when another one is made. */
static struct ptog_line_page *find_page(struct ptog_line_pages *pages, int32_t buffer, uint64_t number)
{
    if (pages->last > 0 && is_page(&pages->of[pages->last - 1], buffer, number))
        return &pages->of[pages->last - 1];
    const struct ptog_index_slot *slot = ptog_index_first(&pages->index, hash_page(buffer, number));
    for (; slot; slot = ptog_index_next(&pages->index, slot))
        if (is_page(&pages->of[slot->number - 1], buffer, number)) {
            pages->last = slot->number;
            return &pages->of[slot->number - 1];
        }
    return NULL;
}

/* The page of a buffer, which is made when it is not there yet. NULL when out of memory: `failed` says so, too. */
static struct ptog_line_page *find_or_make_page(struct ptog_line_pages *pages, int32_t buffer, uint64_t number)
{
    struct ptog_line_page *page = find_page(pages, buffer, number);
    if (page)
        return page;
    if (!ptog_array_reserve(&pages->of, (size_t)pages->count + 1, &pages->room) ||
        !ptog_index_add(&pages->index, hash_page(buffer, number), pages->count + 1)) {
        pages->failed = true;
        return NULL;
    }
    page = &pages->of[pages->count++];
    *page = (struct ptog_line_page){.buffer = buffer, .number = number};
    pages->last = pages->count;
    return page;
}

/* A line of the cache of this core; NULL when out of memory. What it knew of another core's cache is forgotten. */
static struct ptog_scalar_line *own_line(struct ptog_sanitizer *s, struct ptog_line_page *page, uint64_t number)
{
    struct ptog_line_pages *pages = &s->shared->lines;
    if (!page->lines) {
        page->lines = calloc(PTOG_LINES, sizeof *page->lines);
        pages->with_lines += page->lines != NULL;
        pages->failed |= !page->lines;
    }
    struct ptog_scalar_line *line = page->lines ? &page->lines[number] : NULL;
    if (line && line->core != s->core)
        *line = (struct ptog_scalar_line){.core = s->core,
                                          .store_site = line->store_site,
                                          .others = line->others | line->mine,
                                          .storers = line->storers};
    return line;
}

/* ---- findings */

/* The finding of the access at hand, and of an earlier access at `other`. */
static struct ptog_diag_entry *note_line(const struct line_access *a, enum ptog_machine_fault_kind kind, uint32_t other)
{
    struct ptog_diag_key key = ptog_key(a->site, (enum ptog_operand_name)a->access->operand);
    bool fresh;
    key.other = other;
    struct ptog_diag_entry *f = ptog_diag_note_machine(&a->s->shared->diags, kind, key, a->insn, 0, &fresh);
    if (!f || !fresh)
        return NULL;
    f->other_message = "written here";
    return f;
}

static const char *insn_name(const struct line_access *a, uint32_t site)
{
    return ptog_names_insn(&a->s->shared->names, site);
}

static const char *operand_words(const struct line_access *a)
{
    return ptog_names_words(&a->s->shared->names, a->site, (enum ptog_operand_name)a->access->operand);
}

/* Notes that S may read an old line of its cache. */
static void note_stale(const struct line_access *a, uint32_t other)
{
    struct ptog_diag_entry *f = note_line(a, PTOG_MACHINE_SCALAR_STALE, other);
    if (!f)
        return;
    f->diag.message =
        ptog_diag_text(&a->s->shared->diags,
                       "%s (pipe S) may read old bytes of %.80s: the data cache of S has had their line since before "
                       "%s (pipe MTE3) wrote them",
                       insn_name(a, a->site), operand_words(a), insn_name(a, other));
    f->advice = PTOG_ADVICE_FLUSH;
}

/* Notes that a load may read what S has only in its cache. */
static void note_unflushed(const struct line_access *a, uint32_t other)
{
    struct ptog_diag_entry *f = note_line(a, PTOG_MACHINE_SCALAR_UNFLUSHED, other);
    if (!f)
        return;
    f->diag.message =
        ptog_diag_text(&a->s->shared->diags,
                       "%s (pipe MTE2) may read old bytes of %.80s: what %s (pipe S) stored is not flushed from the "
                       "data cache of S",
                       insn_name(a, a->site), operand_words(a), insn_name(a, other));
    f->advice = PTOG_ADVICE_FLUSH_AND_FENCE;
}

/* Notes that two cores store to one line. */
static void note_shared(const struct line_access *a, uint32_t other)
{
    struct ptog_diag_entry *f = note_line(a, PTOG_MACHINE_LINE_SHARED, other);
    if (f)
        f->diag.message = ptog_diag_text(
            &a->s->shared->diags,
            "%s (pipe S) stores to a 64-byte line of %.80s that %s of another block stores to, too: one of the stores "
            "may be lost",
            insn_name(a, a->site), operand_words(a), insn_name(a, other));
}

/* Notes that S and MTE3 write to one line, so that bytes of it may be lost. */
static void note_mixed(const struct line_access *a, const struct ptog_cell_cores *others)
{
    struct ptog_diag_entry *f = note_line(a, PTOG_MACHINE_LINE_MIXED, others->site);
    if (f)
        f->diag.message =
            ptog_diag_text(&a->s->shared->diags,
                           "%s (pipe %s) writes to a 64-byte line of %.80s that %s (pipe %s)%s writes, too: "
                           "bytes of the line may be lost",
                           insn_name(a, a->site), ptog_pipe_name(a->pipe), operand_words(a), insn_name(a, others->site),
                           a->pipe == PTOG_S ? "MTE3" : "S", others->core == a->s->core ? "" : " of another block");
}

/* ---- one line */

/* Whether a line is in the cache, and not flushed since. */
static bool is_cached(const struct ptog_sanitizer *s, const struct ptog_scalar_line *line)
{
    return line->fetched > 0 && line->fetched >= s->cache.all_flushed;
}

/* Whether global memory has what S stored: dcci came after the store, and dsb after that. */
static bool is_written_back(const struct ptog_sanitizer *s, const struct ptog_scalar_line *line)
{
    return (line->flushed > 0 && s->cache.fenced > line->flushed) || s->cache.all_written > line->stored;
}

/* Bytes that S stored and that are not in global memory. */
static uint64_t unwritten_bytes(const struct ptog_sanitizer *s, const struct ptog_scalar_line *line)
{
    uint64_t pending = s->cache.fenced > line->pending_at ? 0 : line->pending;
    return pending | (line->stored > 0 && !is_written_back(s, line) ? line->dirty : 0);
}

/* Before another store: what was flushed before waits for dsb alone. */
static void settle_line(const struct ptog_sanitizer *s, struct ptog_scalar_line *line)
{
    bool flushed = line->flushed > 0 || s->cache.all_flushed > line->stored;
    line->pending = s->cache.fenced > line->pending_at ? 0 : line->pending;
    if (line->stored == 0 || !flushed)
        return;
    if (!is_written_back(s, line)) {
        line->pending |= line->dirty;
        line->pending_at = s->cache.now;
    }
    line->dirty = 0;
}

/* S needs the line: if the cache does not hold it, it is read from global memory now, so nothing in it is old. */
static void fetch_line(const struct ptog_sanitizer *s, struct ptog_scalar_line *line)
{
    if (is_cached(s, line))
        return;
    line->fetched = s->cache.now;
    line->newer = 0;
}

/* S loads bytes of a line: reports them if they were written after the line came into the cache, and fetches the
 * line. */
static void load_line(const struct line_access *a, struct ptog_scalar_line *line, uint64_t bytes)
{
    if (is_cached(a->s, line) && (line->newer & bytes))
        note_stale(a, line->newer_site);
    fetch_line(a->s, line);
}

/* Puts a page on the core's list of pages with stores, which the end of the kernel looks through. At most once per
 * core. */
static void list_page(struct ptog_sanitizer *s, struct ptog_line_page *page)
{
    if (page->listed_by == s->core)
        return;
    page->listed_by = s->core;
    page->next = s->cache.stored_pages;
    s->cache.stored_pages = (uint32_t)(page - s->shared->lines.of) + 1;
}

/* S stores to bytes of a line: reports another core or MTE3 that writes to the line, and marks the bytes as dirty,
 * from this core and this site. */
static void store_line(const struct line_access *a, struct ptog_line_page *page, struct ptog_scalar_line *line,
                       const struct ptog_cell_cores *moved, uint64_t bytes)
{
    struct ptog_sanitizer *s = a->s;
    bool shared = line->storers.core && line->storers.core != s->core;
    if (shared && !(line->others & bytes)) /* two blocks that write one byte are reported without caches */
        note_shared(a, line->storers.site);
    if (moved->core)
        note_mixed(a, moved);
    fetch_line(s, line);
    settle_line(s, line);
    line->pending &= ~bytes;
    line->dirty |= bytes;
    line->mine |= bytes;
    line->stored = s->cache.now;
    line->flushed = 0;
    line->store_site = a->site;
    line->storers = (struct ptog_cell_cores){shared ? PTOG_MANY_CORES : s->core, a->site};
    list_page(s, page);
}

/* Notes that MTE3 has written bytes of a line, which are newer than what the cache of S has of it; reports a line to
 * which S has stored, too. */
static void move_line(const struct line_access *a, struct ptog_line_page *page, uint64_t number, uint64_t bytes)
{
    struct ptog_scalar_line *line = page->lines ? &page->lines[number] : NULL;
    page->moved[number] = (struct ptog_cell_cores){a->s->core, a->site};
    if (line && line->storers.core)
        note_mixed(a, &line->storers);
    if (!line || line->core != a->s->core || !is_cached(a->s, line))
        return;
    line->newer |= bytes;
    line->newer_site = a->site;
}

/* One line of an access of S: a load, a store, or an addition, which is both. Without memory for the line nothing is
 * judged. */
static void scalar_line(const struct line_access *a, struct ptog_line_page *page, uint64_t number, uint64_t bytes)
{
    struct ptog_scalar_line *line = own_line(a->s, page, number);
    bool adds = a->access->kind == PTOG_ADDS_IN_STEPS;
    if (!line)
        return;
    if (adds || !ptog_access_writes(a->access))
        load_line(a, line, bytes);
    if (ptog_access_writes(a->access))
        store_line(a, page, line, &page->moved[number], bytes);
}

/* Judges a read of a line by MTE2: reports bytes that S has stored and not written back. */
static void read_line(const struct line_access *a, const struct ptog_line_page *page, uint64_t number, uint64_t bytes)
{
    const struct ptog_scalar_line *line = page->lines ? &page->lines[number] : NULL;
    if (line && line->core == a->s->core && (unwritten_bytes(a->s, line) & bytes))
        note_unflushed(a, line->store_site);
}

/* ---- accesses */

/* Bytes of one line, from `at` on. */
static void touch_line(const struct line_access *a, uint64_t at, uint64_t bytes)
{
    struct ptog_line_pages *pages = &a->s->shared->lines;
    uint64_t number = at % PAGE_BYTES / PTOG_LINE_BYTES;
    uint64_t mask = UINT64_MAX >> (PTOG_LINE_BYTES - bytes) << at % PTOG_LINE_BYTES;
    bool reads = a->pipe == PTOG_MTE2;
    struct ptog_line_page *page = reads ? find_page(pages, a->access->buffer, at / PAGE_BYTES)
                                        : find_or_make_page(pages, a->access->buffer, at / PAGE_BYTES);
    if (!page)
        return;
    if (a->pipe == PTOG_S)
        scalar_line(a, page, number, mask);
    else if (reads)
        read_line(a, page, number, mask);
    else
        move_line(a, page, number, mask);
}

/* All lines of some bytes, up to `end`. */
static void touch_lines(const struct line_access *a, uint64_t at, uint64_t end)
{
    while (at < end) {
        uint64_t left = PTOG_LINE_BYTES - at % PTOG_LINE_BYTES, here = ptog_min(left, end - at);
        touch_line(a, at, here);
        at += here;
    }
}

/* MTE3 writes bytes up to `end`. Of pages that S has not touched it is enough to know who wrote their lines. */
static void move_lines(const struct line_access *a, uint64_t at, uint64_t end)
{
    struct ptog_line_pages *pages = &a->s->shared->lines;
    const struct ptog_cell_cores mover = {a->s->core, a->site};
    while (at < end) {
        uint64_t stop = ptog_min(at / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES, end);
        struct ptog_line_page *page = find_or_make_page(pages, a->access->buffer, at / PAGE_BYTES);
        if (!page)
            return;
        if (page->lines) {
            touch_lines(a, at, stop);
        } else {
            uint64_t last = (stop - 1) % PAGE_BYTES / PTOG_LINE_BYTES;
            for (uint64_t n = at % PAGE_BYTES / PTOG_LINE_BYTES; n <= last; n++)
                page->moved[n] = mover;
        }
        at = stop;
    }
}

void ptog_scalar_cache_access(struct ptog_sanitizer *s, enum ptog_pipe pipe, const struct ptog_access *access,
                              uint32_t site, uint64_t insn)
{
    struct line_access a = {s, access, pipe, site, insn};
    bool writes = ptog_access_writes(access);
    bool counts = pipe == PTOG_S || (pipe == PTOG_MTE3 && writes) ||
                  (pipe == PTOG_MTE2 && !writes && s->shared->lines.with_lines > 0);
    if (access->space != PTOG_IN_GM || !counts)
        return;
    uint64_t size = s->shared->gm[access->buffer].size; /* 0: an input, which nothing writes */
    for (uint64_t k = 0; k < access->count; k++) {
        uint64_t at = access->at + k * access->pitch, end = ptog_min(at + access->bytes, size);
        if (pipe == PTOG_MTE3)
            move_lines(&a, at, end);
        else
            touch_lines(&a, at, end);
    }
}

/* ---- dcci, dsb, and the end */

void ptog_scalar_cache_flush(struct ptog_sanitizer *s, int buffer, uint64_t at)
{
    struct ptog_scalar_cache *cache = &s->cache;
    cache->now++;
    if (buffer < 0) {
        cache->all_flushed = cache->now;
        return;
    }
    struct ptog_line_page *page = find_page(&s->shared->lines, buffer, at / PAGE_BYTES);
    struct ptog_scalar_line *line = page && page->lines ? &page->lines[at % PAGE_BYTES / PTOG_LINE_BYTES] : NULL;
    if (!line || line->core != s->core)
        return;
    line->fetched = 0;
    line->newer = 0;
    if (line->flushed == 0)
        line->flushed = cache->now;
}

void ptog_scalar_cache_fence(struct ptog_sanitizer *s)
{
    s->cache.fenced = ++s->cache.now;
    s->cache.all_written = s->cache.all_flushed;
}

/* A compiler ends a kernel in text with dcci and dsb for its own scalar stores, and for nothing else. */
static bool is_flushed_at_end(const struct ptog_sanitizer *s, uint32_t site)
{
    return s->shared->spelling == PTOG_SPELL_TEXT &&
           strcmp(ptog_names_insn(&s->shared->names, site), "store_scalar") == 0;
}

/* Reports, as a note, a line with stores that are still in the cache when the kernel ends; once per statement. */
static void note_end(struct ptog_sanitizer *s, const struct ptog_scalar_line *line, int32_t buffer)
{
    struct ptog_sanitizer_shared *shared = s->shared;
    struct ptog_diag_key key = ptog_key(line->store_site, PTOG_AT_COUNT);
    bool fresh;
    struct ptog_diag_entry *f =
        ptog_diag_note_machine(&shared->diags, PTOG_MACHINE_SCALAR_UNFLUSHED, key, AT_THE_END, 0, &fresh);
    if (!f || !fresh)
        return;
    f->diag.severity = PTOG_NOTE;
    f->diag.message = ptog_diag_text(
        &shared->diags, "what %s (pipe S) stored to %.80s is not flushed from the data cache of S when the kernel ends",
        ptog_names_insn(&shared->names, line->store_site), shared->buffer_name(shared->user, buffer));
    f->advice = PTOG_ADVICE_FLUSH_BEHIND;
}

void ptog_scalar_cache_end(struct ptog_sanitizer *s)
{
    for (uint32_t p = s->cache.stored_pages; p > 0; p = s->shared->lines.of[p - 1].next) {
        const struct ptog_line_page *page = &s->shared->lines.of[p - 1];
        for (uint64_t i = 0; i < PTOG_LINES; i++) {
            const struct ptog_scalar_line *line = &page->lines[i];
            if (line->core == s->core && unwritten_bytes(s, line) && !is_flushed_at_end(s, line->store_site))
                note_end(s, line, page->buffer);
        }
    }
}
