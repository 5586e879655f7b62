/* sim: the two memories of a run. */
#include "sim/memory.h"

#include <limits.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/pick.h"

#define SMALLEST_PART 12 /* 4096 bytes */

/* Opens both memories of a core. Their UBs are one block, `issued` first: the C library keeps one block of this size
 * for the next launch, where it gave two of half the size back to the system. False when out of memory. */
bool ptog_memories_open(struct ptog_memory *issued, struct ptog_memory *timed, uint64_t ub_bytes,
                        struct ptog_global *gm)
{
    unsigned char *both = malloc(2 * ub_bytes);
    if (!both)
        return false;
    *timed = (struct ptog_memory){.ub_bytes = ub_bytes, .quick = ub_bytes, .gm = gm, .part = SMALLEST_PART};
    while ((ub_bytes - 1) >> timed->part > 63)
        timed->part++;
    *issued = *timed;
    issued->issue_order = true;
    issued->ub = both;
    timed->ub = both + ub_bytes;
    return true;
}

void ptog_ub_fill_parts(const struct ptog_memory *memory, uint64_t parts)
{
    struct ptog_memory *self = (struct ptog_memory *)(uintptr_t)memory;
    self->ready |= parts;
    for (; parts; parts &= parts - 1) {
        uint64_t at = (uint64_t)__builtin_ctzll(parts) << memory->part, left = memory->ub_bytes - at;
        uint64_t bytes = UINT64_C(1) << memory->part;
        memset(memory->ub + at, PTOG_NO_BYTES, ptog_min(bytes, left));
    }
}

uint64_t ptog_ub_reached(const struct ptog_memory *memory)
{
    if (memory->ready == 0)
        return 0;
    uint64_t end = (uint64_t)(64 - __builtin_clzll(memory->ready)) << memory->part;
    end = ptog_min(end, memory->ub_bytes);
    ptog_ub_touch(memory, 0, end);
    return end;
}

/* ---- elements that somebody is told of */

/* Whether bytes lie in UB. */
static bool is_inside(const struct ptog_memory *memory, uint64_t at, uint64_t count)
{
    return at <= memory->ub_bytes && memory->ub_bytes - at >= count;
}

/* Reads an element into *bits, and tells the tracer. False, and 0xAA in every byte: it lies outside UB. */
bool ptog_ub_get_traced(const struct ptog_memory *memory, uint64_t at, size_t size, uint64_t *bits)
{
    if (!is_inside(memory, at, size)) {
        *bits = UINT64_MAX / 255 * PTOG_NO_BYTES;
        return false;
    }
    if (memory->tracer)
        memory->tracer->get(memory->tracer, at, size);
    ptog_ub_touch(memory, at, size);
    *bits = ptog_bits_at(memory->ub + at, size);
    return true;
}

/* Writes an element, and tells the tracer; outside UB nothing happens, and in a late instruction the tracer alone
 * keeps it. */
void ptog_ub_put_traced(struct ptog_memory *memory, uint64_t at, size_t size, uint64_t bits)
{
    if (!is_inside(memory, at, size))
        return;
    if (memory->tracer)
        memory->tracer->put(memory->tracer, at, size);
    if (memory->tracer && memory->tracer->is_late)
        return;
    ptog_ub_touch(memory, at, size);
    ptog_bits_to(memory->ub + at, size, bits);
}

/* What is filled comes from nothing that was read. */
void ptog_ub_trace_fill(struct ptog_memory *memory, uint64_t at, uint64_t count)
{
    memory->tracer->undefined = false;
    memory->tracer->put(memory->tracer, at, count);
}

void ptog_memories_close(struct ptog_memory *issued, struct ptog_memory *timed)
{
    free(issued->ub);
    issued->ub = timed->ub = NULL;
}

/* A copy that the caller frees; NULL when out of memory. */
static char *copy_string(const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    if (copy)
        return memcpy(copy, text, length);
    return NULL;
}

/* Adds a buffer of global memory over the caller's bytes, and returns its number; -1 when out of memory. */
int ptog_global_add(struct ptog_global *gm, const char *name, void *data, uint64_t bytes, bool read_only)
{
    if (gm->count == INT_MAX || !ptog_array_reserve(&gm->of, gm->count + 1, &gm->room))
        return -1;
    char *copy = copy_string(ptog_or(name, "gm"));
    if (!copy)
        return -1;
    gm->of[gm->count] = (struct ptog_gm_buffer){.name = copy, .data = data, .bytes = bytes, .read_only = read_only};
    return gm->count++;
}

/* How many pages a buffer has. */
static uint64_t pages_in(const struct ptog_gm_buffer *buffer)
{
    return buffer->bytes / PTOG_GM_PAGE + 1;
}

void ptog_global_forget(struct ptog_gm_buffer *buffer)
{
    for (uint64_t p = 0; buffer->pages && p < pages_in(buffer); p++)
        free(buffer->pages[p]);
    free(buffer->pages);
    buffer->pages = NULL;
    buffer->held = 0;
}

/* Frees the buffers' names and copied pages; the bytes are the caller's. */
void ptog_global_close(struct ptog_global *gm)
{
    for (int i = 0; i < gm->count; i++) {
        ptog_global_forget(&gm->of[i]);
        free(gm->of[i].name);
    }
    free(gm->of);
    *gm = (struct ptog_global){0};
}

void ptog_gm_read_pages(const struct ptog_memory *memory, int buffer, uint64_t at, void *to, uint64_t count)
{
    const struct ptog_gm_buffer *b = &memory->gm->of[buffer];
    unsigned char *out = to;
    while (count > 0) {
        uint64_t in_page = at % PTOG_GM_PAGE, piece = PTOG_GM_PAGE - in_page;
        const unsigned char *page = b->pages[at / PTOG_GM_PAGE];
        if (piece > count)
            piece = count;
        memcpy(out, page ? page + in_page : b->data + at, piece);
        out += piece;
        at += piece;
        count -= piece;
    }
}

/* This memory's own page of `at`, copied from the caller's bytes when it is new. NULL when out of memory. */
static unsigned char *page_of(struct ptog_gm_buffer *b, uint64_t at)
{
    uint64_t number = at / PTOG_GM_PAGE, start = number * PTOG_GM_PAGE;
    if (!b->pages) {
        b->pages = calloc(pages_in(b), sizeof *b->pages);
        b->held += pages_in(b) * sizeof *b->pages;
    }
    if (!b->pages || b->pages[number])
        return b->pages ? b->pages[number] : NULL;
    uint64_t bytes = ptog_min(b->bytes - start, PTOG_GM_PAGE);
    unsigned char *page = malloc(PTOG_GM_PAGE);
    if (page)
        memcpy(page, b->data + start, bytes);
    b->held += PTOG_GM_PAGE;
    return b->pages[number] = page;
}

void ptog_gm_write(struct ptog_memory *memory, int buffer, uint64_t at, const void *from, uint64_t count)
{
    struct ptog_gm_buffer *b = &memory->gm->of[buffer];
    const unsigned char *in = from;
    if (!memory->issue_order) {
        memcpy(b->data + at, from, count);
        return;
    }
    while (count > 0) {
        uint64_t in_page = at % PTOG_GM_PAGE, piece = PTOG_GM_PAGE - in_page;
        unsigned char *page = page_of(b, at);
        if (piece > count)
            piece = count;
        if (page)
            memcpy(page + in_page, in, piece);
        else
            memory->failed = true;
        in += piece;
        at += piece;
        count -= piece;
    }
}
