/* sanitize: what a run must find ordered with other data in its indices and tables. Nothing is reported from this: it
 * goes to the order log, so that a pair of flags is called redundant only if it is for any data that the instructions
 * could have.
 *
 *                              met in UB by                  met in GM by
 *     an access that happens   the shadow of what could be   the tables that could be read there, if it writes
 *     one that could happen    both shadows                  the writes of the run: only reads of tables are open in GM
 */
#include "sanitize/sanitize.h"

#define MAX_BLOCKS ((uint64_t)1 << 24) /* of 32 bytes, looked at in all: a fraction of a second */

void ptog_possible_accesses_close(struct ptog_possible_accesses *possible)
{
    ptog_shadow_close(&possible->ub);
}

/* Whether accesses of other data are still looked at. */
static bool keeps_possible(const struct ptog_sanitizer *s)
{
    return !s->shared->order_logs.lost && !s->shared->order_logs.dead;
}

/* False: so much could be touched that looking would take too long. */
static bool afford(struct ptog_sanitizer *s, const struct ptog_access *access)
{
    s->shared->possible_blocks += (access->bytes / PTOG_SHADOW_BLOCK + 1) * access->count;
    if (s->shared->possible_blocks > MAX_BLOCKS)
        s->shared->order_logs.lost = true;
    return !s->shared->order_logs.lost;
}

/* ---- global memory: tables that could be read, as ranges */

/* The byte behind the last one of an access. */
static uint64_t access_end(const struct ptog_access *access)
{
    return access->at + (access->count - 1) * access->pitch + access->bytes;
}

/* Whether the bytes from `at` on overlap a piece of the access. */
static bool piece_meets(uint64_t at, uint64_t bytes, const struct ptog_access *access)
{
    if (at >= access_end(access) || at + bytes <= access->at)
        return false;
    if (access->count == 1 || at <= access->at)
        return true;
    uint64_t k = (at - access->at) / access->pitch, start = access->at + k * access->pitch;
    return at < start + access->bytes || (k + 1 < access->count && at + bytes > start + access->pitch);
}

/* Whether two accesses, of pieces at a pitch, may have a byte in common. */
static bool accesses_meet(const struct ptog_access *a, const struct ptog_access *b)
{
    if (a->buffer != b->buffer || a->at >= access_end(b) || b->at >= access_end(a))
        return false;
    const struct ptog_access *few = a->count < b->count ? a : b, *many = few == a ? b : a;
    for (uint64_t k = 0; k < few->count; k++)
        if (piece_meets(few->at + k * few->pitch, few->bytes, many))
            return true;
    return false;
}

/* Whether two accesses touch the same bytes. */
static bool is_same_access(const struct ptog_access *a, const struct ptog_access *b)
{
    return a->buffer == b->buffer && a->at == b->at && a->bytes == b->bytes && a->count == b->count &&
           a->pitch == b->pitch;
}

/* From the first byte of the two to the last: says more than either could read. */
static void widen(struct ptog_access *a, const struct ptog_access *b)
{
    uint64_t from = a->at < b->at ? a->at : b->at, to = access_end(a) > access_end(b) ? access_end(a) : access_end(b);
    a->at = from;
    a->bytes = to - from;
    a->count = 1;
}

/* The range of a table. When there are too many, one of the same buffer grows; NULL: there is none. */
static struct ptog_table_read *range_of(struct ptog_possible_accesses *possible, const struct ptog_access *access)
{
    struct ptog_table_read *same_buffer = NULL;
    for (int i = 0; i < possible->table_count; i++) {
        struct ptog_table_read *table = &possible->tables[i];
        if (is_same_access(&table->access, access))
            return table;
        if (table->access.buffer == access->buffer)
            same_buffer = table;
    }
    if (possible->table_count < PTOG_MAX_TABLES) {
        possible->tables[possible->table_count] =
            (struct ptog_table_read){.access = *access, .stale = possible->stores};
        return &possible->tables[possible->table_count++];
    }
    if (same_buffer) {
        widen(&same_buffer->access, access);
        same_buffer->stale = true;
    }
    return same_buffer;
}

/* What a table must come after: looked up again only when the run has written to it since. */
static void need_of_table(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_access *access,
                          struct ptog_clock *need)
{
    struct ptog_table_read *table = range_of(&s->possible, access);
    if (!table) {
        s->shared->order_logs.lost = true;
        return;
    }
    if (table->stale && afford(s, &table->access)) {
        ptog_sanitizer_needs_in(s, ptog_sanitizer_gm(s, access->buffer), event, &table->access, &table->need);
        table->stale = false;
    }
    ptog_clock_join(need, &table->need);
}

/* A store to memory that a gather may read: the gather's table is stale from now on, and *need grows to what its reads
 * need. */
static void need_of_store(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_access *access,
                          struct ptog_clock *need)
{
    struct ptog_possible_accesses *possible = &s->possible;
    possible->stores = true;
    for (int i = 0; i < possible->table_count; i++) {
        struct ptog_table_read *table = &possible->tables[i];
        if (!accesses_meet(access, &table->access))
            continue;
        table->stale = true;
        for (int q = 0; q < PTOG_PIPES; q++) /* a pipe reads before it writes later */
            if (q != (int)event->pipe && table->entry.of[q] > need->of[q])
                need->of[q] = table->entry.of[q];
    }
}

/* ---- events */

/* Is it one of the accesses that could have happened? Then whatever it meets, they meet. Only the first is looked at:
 * a gather by index has one, the whole of its source, and thousands of accesses in it. */
static bool is_covered(const struct ptog_event *event, const struct ptog_access *access)
{
    const struct ptog_access *possible = event->possible;
    if (event->possible_count == 0 || possible->space != PTOG_IN_UB || possible->count != 1 ||
        ptog_access_writes(possible) != ptog_access_writes(access))
        return false;
    return access->at >= possible->at && access_end(access) <= access_end(possible);
}

void ptog_sanitizer_possible_need(struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_clock *need)
{
    if (!keeps_possible(s))
        return;
    for (size_t i = 0; i < event->count; i++) {
        const struct ptog_access *access = &event->accesses[i];
        if (access->space == PTOG_IN_UB && s->possible.ub.pages && !is_covered(event, access))
            ptog_sanitizer_needs_in(s, &s->possible.ub, event, access, need);
        else if (access->space == PTOG_IN_GM && ptog_access_writes(access))
            need_of_store(s, event, access, need);
    }
    for (size_t i = 0; i < event->possible_count; i++) {
        const struct ptog_access *access = &event->possible[i];
        if (access->space == PTOG_IN_GM)
            need_of_table(s, event, access, need);
        else if (afford(s, access))
            ptog_sanitizer_needs_in(s, &s->ub, event, access, need);
    }
}

/* S reads at issue: nobody ever waits for that. */
static void note_table(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_access *access)
{
    struct ptog_table_read *table = range_of(&s->possible, access);
    if (table && event->pipe != PTOG_S)
        table->entry.of[event->pipe] = s->order.clocks.entries[event->pipe];
}

/* Enters an access that a gather may make into the shadow of UB, which is opened on first use; *need grows to what it
 * must come after. */
static void note_in_ub(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_access *access,
                       struct ptog_clock *need)
{
    struct ptog_shadow *ub = &s->possible.ub;
    if (ub->pages || ptog_shadow_open(ub, s->ub_bytes))
        ptog_sanitizer_probe(s, event, access, ub, need);
    if (!ub->pages || ub->failed)
        s->shared->order_logs.failed = true;
}

void ptog_sanitizer_possible_note(struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_clock *need)
{
    for (size_t i = 0; i < event->possible_count && keeps_possible(s); i++)
        if (event->possible[i].space == PTOG_IN_GM)
            note_table(s, event, &event->possible[i]);
        else
            note_in_ub(s, event, &event->possible[i], need);
}
