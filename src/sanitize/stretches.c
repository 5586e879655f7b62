/* sanitize: the bytes that an entry touches, as sorted stretches. */
#include "sanitize/stretches.h"

#include <stdlib.h>

/* For qsort: stretches by memory and first byte. */
static int by_address(const void *a, const void *b)
{
    const struct ptog_stretch *x = a, *y = b;
    if (x->memory != y->memory)
        return x->memory < y->memory ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Whether a stretch goes on in the next one without a gap. */
static bool is_continued(const struct ptog_stretch *a, const struct ptog_stretch *next)
{
    return a->memory == next->memory && a->operand == next->operand && a->writes == next->writes &&
           a->adds == next->adds && next->from <= a->to;
}

/* Stretches that follow each other become one. */
static void merge(struct ptog_stretches *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        struct ptog_stretch *last = kept > 0 ? &all->of[kept - 1] : NULL, next = all->of[i];
        if (last && is_continued(last, &next))
            last->to = next.to > last->to ? next.to : last->to;
        else
            all->of[kept++] = next;
    }
    all->count = kept;
    for (size_t i = 0; i < kept; i++) {
        uint64_t length = all->of[i].to - all->of[i].from;
        if (length > all->longest)
            all->longest = length;
    }
}

/* How many pieces an access has that do not touch. */
static size_t pieces_of(const struct ptog_access *access)
{
    if (access->bytes == 0 || access->count == 0)
        return 0;
    return access->pitch == access->bytes ? 1 : (size_t)access->count;
}

/* Appends the pieces of an access to the list, which has room for them. */
static void add_pieces(struct ptog_stretches *all, const struct ptog_access *access)
{
    size_t pieces = pieces_of(access);
    uint64_t bytes = pieces == 1 ? access->bytes * access->count : access->bytes;
    for (size_t k = 0; k < pieces; k++) {
        uint64_t at = access->at + k * access->pitch;
        int32_t memory = access->space == PTOG_IN_UB ? -1 : access->buffer;
        if (access->space == PTOG_IN_PEER)
            memory = -2 - access->buffer;
        all->of[all->count++] = (struct ptog_stretch){
            at, at + bytes, memory, access->operand, ptog_access_writes(access), access->kind == PTOG_ADDS};
    }
}

bool ptog_stretches_of(const struct ptog_event *event, struct ptog_stretches *all)
{
    size_t room = 0;
    *all = (struct ptog_stretches){0};
    for (size_t i = 0; i < event->count; i++)
        room += pieces_of(&event->accesses[i]);
    if (room == 0)
        return true;
    all->of = malloc(room * sizeof *all->of);
    if (!all->of)
        return false;
    for (size_t i = 0; i < event->count; i++)
        add_pieces(all, &event->accesses[i]);
    qsort(all->of, all->count, sizeof *all->of, by_address);
    merge(all);
    return true;
}

size_t ptog_stretches_near(const struct ptog_stretches *all, const struct ptog_stretch *other)
{
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct ptog_stretch *s = &all->of[middle];
        if (s->memory < other->memory || (s->memory == other->memory && s->from + all->longest <= other->from))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
