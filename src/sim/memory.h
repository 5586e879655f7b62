/* sim: the two memories of a run. In simulated time UB is the core's and GM is the caller's own bytes. In issue order
 * UB is a second copy, and GM is the caller's bytes under an overlay of the pages that were stored to: a page is copied
 * when it is first stored to in issue order, which is before any transfer changes it in simulated time. So reading
 * costs nothing, and memory follows what is written. No byte outside a buffer is ever touched. */
#ifndef PTOG_SIM_MEMORY_H
#define PTOG_SIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/tracer.h"

#include "base/pick.h"

#define PTOG_NO_BYTES 0xAA /* what cannot be read, and what nobody has written */
#define PTOG_GM_PAGE ((uint64_t)4096)

struct ptog_gm_buffer {
    char *name;
    unsigned char *data;
    uint64_t bytes;
    bool read_only;
    unsigned char **pages; /* issue order: the pages stored to; NULL: none yet */
    uint64_t held;         /* bytes allocated for them */
};

struct ptog_global {
    struct ptog_gm_buffer *of;
    int count;
    size_t room;
};

struct ptog_memory {
    unsigned char *ub;
    uint64_t ub_bytes;
    uint64_t quick; /* elements below are read and written at once: ub_bytes, and 0 while there is a tracer */
    struct ptog_tracer *tracer;
    uint64_t ready; /* bit (1 << i): part i of UB is filled with PTOG_NO_BYTES. The others are when they are touched */
    uint32_t part;  /* 1 << part bytes are a part */
    struct ptog_global *gm;
    bool issue_order;
    bool failed; /* a page could not be allocated: the store is lost in issue order */
};

/* Both memories of a core. Their UBs are one block, `issued` first: the C library keeps one block of this size for the
 * next launch, where it gave two of half the size back to the system and had to ask for their pages again. */
bool ptog_memories_open(struct ptog_memory *issued, struct ptog_memory *timed, uint64_t ub_bytes,
                        struct ptog_global *gm);
void ptog_memories_close(struct ptog_memory *issued, struct ptog_memory *timed);

/* -1 when out of memory. */
int ptog_global_add(struct ptog_global *gm, const char *name, void *data, uint64_t bytes, bool read_only);
void ptog_global_close(struct ptog_global *gm);

/* Issue order goes on from the caller's bytes. */
void ptog_global_forget(struct ptog_gm_buffer *buffer);

/* Bytes of the buffer from `offset` on. */
static inline uint64_t ptog_gm_room(const struct ptog_memory *memory, int buffer, uint64_t offset)
{
    uint64_t bytes = memory->gm->of[buffer].bytes;
    if (offset < bytes)
        return bytes - offset;
    return 0;
}

/* The bytes [at, at + count) lie in the buffer. */
void ptog_gm_read_pages(const struct ptog_memory *memory, int buffer, uint64_t at, void *to, uint64_t count);
void ptog_gm_write(struct ptog_memory *memory, int buffer, uint64_t at, const void *from, uint64_t count);

/* The caller's bytes may be read as they are: nothing was stored to this buffer, or time is simulated. */
static inline const unsigned char *ptog_gm_plain(const struct ptog_memory *memory, int buffer)
{
    const struct ptog_gm_buffer *b = &memory->gm->of[buffer];
    if (memory->issue_order && b->pages)
        return NULL;
    return b->data;
}

/* Copies bytes of a buffer of global memory to `to`. They must lie in the buffer. */
static inline void ptog_gm_read(const struct ptog_memory *memory, int buffer, uint64_t at, void *to, uint64_t count)
{
    const unsigned char *plain = ptog_gm_plain(memory, buffer);
    if (plain)
        memcpy(to, plain + at, count);
    else
        ptog_gm_read_pages(memory, buffer, at, to, count);
}

/* The parts of UB that [at, at + count) touches, as bits; it lies in UB, and count is not 0. */
static inline uint64_t ptog_ub_parts(const struct ptog_memory *memory, uint64_t at, uint64_t count)
{
    return UINT64_MAX << (at >> memory->part) & UINT64_MAX >> (63 - ((at + count - 1) >> memory->part));
}

/* Makes parts ready; what can be read there does not change. */
void ptog_ub_fill_parts(const struct ptog_memory *memory, uint64_t parts);

static inline void ptog_ub_touch(const struct ptog_memory *memory, uint64_t at, uint64_t count)
{
    uint64_t new_parts = count > 0 ? ptog_ub_parts(memory, at, count) & ~memory->ready : 0;
    if (new_parts)
        ptog_ub_fill_parts(memory, new_parts);
}

/* UB up to the last byte that was ever touched, or some more; all of it is ready. */
uint64_t ptog_ub_reached(const struct ptog_memory *memory);

/* Of [at, at + count), what lies in UB; it is ready. */
static inline uint64_t ptog_ub_cut(const struct ptog_memory *memory, uint64_t at, uint64_t count)
{
    uint64_t room = ptog_left(memory->ub_bytes, at), cut = ptog_min(count, room);
    ptog_ub_touch(memory, at, cut);
    return cut;
}

/* Someone wants to know of every element that is read and written, or no longer: NULL. */
static inline void ptog_memory_trace(struct ptog_memory *memory, struct ptog_tracer *tracer)
{
    memory->tracer = tracer;
    memory->quick = tracer ? 0 : memory->ub_bytes;
}

void ptog_ub_trace_fill(struct ptog_memory *memory, uint64_t at, uint64_t count);

/* Fills bytes of UB as far as it goes; a tracer hears of it, and decides whether the bytes change. */
static inline void ptog_ub_fill(struct ptog_memory *memory, uint64_t at, int byte, uint64_t count)
{
    count = ptog_ub_cut(memory, at, count);
    if (count > 0 && memory->tracer)
        ptog_ub_trace_fill(memory, at, count);
    if (count > 0 && !(memory->tracer && memory->tracer->is_late))
        memset(memory->ub + at, byte, count);
}

/* An element of 1, 2, 4 or 8 bytes. By way of a variable of its size: written into a part of a larger one, the
 * processor would wait for the store before it could load the whole. */
static inline uint64_t ptog_bits_at(const unsigned char *at, size_t size)
{
    uint64_t bits;
    uint32_t word;
    uint16_t half;
    switch (size) {
    case 1: return *at;
    case 2: memcpy(&half, at, sizeof half); return half;
    case 4: memcpy(&word, at, sizeof word); return word;
    default: memcpy(&bits, at, sizeof bits); return bits;
    }
}

/* Writes the low `size` bytes of an element. */
static inline void ptog_bits_to(unsigned char *at, size_t size, uint64_t bits)
{
    switch (size) {
    case 1: memcpy(at, &bits, 1); break;
    case 2: memcpy(at, &bits, 2); break;
    case 4: memcpy(at, &bits, 4); break;
    default: memcpy(at, &bits, 8); break;
    }
}

/* Elements outside UB, and those that a tracer hears of. */
bool ptog_ub_get_traced(const struct ptog_memory *memory, uint64_t at, size_t size, uint64_t *bits);
void ptog_ub_put_traced(struct ptog_memory *memory, uint64_t at, size_t size, uint64_t bits);

/* One element, up to 8 bytes; outside UB it reads as 0xAA and a write is lost. */
static inline bool ptog_ub_get(const struct ptog_memory *memory, uint64_t at, size_t size, uint64_t *bits)
{
    if (at > memory->quick || memory->quick - at < size)
        return ptog_ub_get_traced(memory, at, size, bits);
    ptog_ub_touch(memory, at, size);
    *bits = ptog_bits_at(memory->ub + at, size);
    return true;
}

/* Writes an element of UB; what lies outside, or is traced, goes the slow way. */
static inline void ptog_ub_put(struct ptog_memory *memory, uint64_t at, size_t size, uint64_t bits)
{
    if (at > memory->quick || memory->quick - at < size) {
        ptog_ub_put_traced(memory, at, size, bits);
        return;
    }
    ptog_ub_touch(memory, at, size);
    ptog_bits_to(memory->ub + at, size, bits);
}

/* ---- for a tracer: what an instruction on masks reads and makes next, and whether a result is undefined */

static inline void ptog_ub_reads_bit(const struct ptog_memory *memory, int bit)
{
    if (memory->tracer)
        memory->tracer->reads = bit;
}

static inline void ptog_ub_makes_bit(const struct ptog_memory *memory, int bit)
{
    if (memory->tracer)
        memory->tracer->makes = bit;
}

/* What is written next comes from nothing that was read before. */
static inline void ptog_ub_makes_constant(const struct ptog_memory *memory)
{
    if (memory->tracer)
        memory->tracer->undefined = false;
}

static inline bool ptog_ub_is_undefined(const struct ptog_memory *memory)
{
    return memory->tracer && memory->tracer->undefined;
}

#endif
