/* sim: transfers between GM and UB: lists of bursts, what each of them reads and writes, and the bytes that they move.
 */
#include "sim/dma.h"

#include <stdlib.h>

#include "base/arith.h"
#include "base/array.h"
#include "base/pick.h"

#define BLOCK ((uint64_t)32)

struct ptog_dma *ptog_dma_next(struct ptog_dma_list *list)
{
    if (!ptog_array_reserve(&list->of, list->count + 1, &list->room))
        return NULL;
    return &list->of[list->count++];
}

/* The start of burst i in GM; PTOG_NOWHERE when it is beyond 64 bits. */
static uint64_t start_of(const struct ptog_dma *dma, uint64_t i)
{
    uint64_t at = dma->gm;
    if (at != PTOG_NOWHERE && ptog_mul_add_u64(i, dma->gm_stride, &at))
        return at;
    return PTOG_NOWHERE;
}

/* Bytes that a burst adds behind itself. */
static uint64_t tail_of(const struct ptog_dma *dma)
{
    return (BLOCK - dma->bytes % BLOCK) % BLOCK;
}

/* Copies one burst from global memory to UB, as far as both have bytes; what memory has not, and the tail of the last
 * block, is filled. */
static void move_burst(const struct ptog_dma *dma, struct ptog_memory *memory, uint64_t from, uint64_t to)
{
    if (dma->clears) {
        ptog_ub_fill(memory, to, 0, dma->bytes);
        return;
    }
    uint64_t room = ptog_gm_room(memory, dma->buffer, from), fits = ptog_ub_cut(memory, to, dma->bytes);
    uint64_t readable = ptog_min(room, fits);
    if (readable > 0)
        ptog_gm_read(memory, dma->buffer, from, memory->ub + to, readable);
    if (fits > readable)
        memset(memory->ub + to + readable, PTOG_NO_BYTES, fits - readable);
    ptog_ub_fill(memory, to + dma->bytes, dma->zeroes ? 0 : PTOG_NO_BYTES, tail_of(dma));
}

struct ptog_box ptog_dma_box(const struct ptog_dma *dma)
{
    struct ptog_box box = {.bursts = dma->bursts, .burst_bytes = dma->bytes};
    if (dma->bursts > 1) {
        box.gm_gap = (int64_t)(dma->gm_stride - dma->bytes);
        box.ub_gap = (int64_t)(dma->ub_stride - (dma->bytes + 31) / 32 * 32) / 32;
    }
    return box;
}

void ptog_dma_move(const struct ptog_dma *dma, struct ptog_memory *memory)
{
    for (uint64_t i = 0; i < dma->bursts; i++) {
        uint64_t to = dma->ub + i * dma->ub_stride;
        if (to % BLOCK != 0 && dma->drops)
            continue;
        move_burst(dma, memory, start_of(dma, i), to);
    }
}

void ptog_dma_log(const struct ptog_dma *dma, const struct ptog_memory *memory, struct ptog_log *log,
                  const struct ptog_access *reads, const struct ptog_access *writes)
{
    struct ptog_access read = *reads, write = *writes;
    log->stats.dmas++;
    log->stats.bursts += dma->bursts;
    for (uint64_t i = 0; i < dma->bursts; i++) {
        uint64_t to = dma->ub + i * dma->ub_stride, from = start_of(dma, i);
        if (to % BLOCK != 0) {
            if (log->misaligned++ == 0)
                log->misaligned_at = to;
            log->stats.dropped_bursts += dma->drops;
            if (dma->drops)
                continue;
        }
        uint64_t room = dma->clears ? 0 : ptog_gm_room(memory, dma->buffer, from);
        read.at = from;
        read.bytes = ptog_min(room, dma->bytes);
        log->stats.gm_read_bytes += read.bytes;
        if (log->gm_reads && read.bytes > 0)
            ptog_log_add(log, &read);
        write.at = to;
        write.bytes = dma->bytes;
        ptog_log_add(log, &write);
    }
    if (tail_of(dma) == 0)
        return;
    if (!dma->zeroes)
        write.kind = PTOG_WRITES_PADDING;
    write.bytes = tail_of(dma);
    for (uint64_t i = 0; i < dma->bursts; i++) {
        write.at = dma->ub + i * dma->ub_stride + dma->bytes;
        if (dma->ub % BLOCK == 0 || !dma->drops)
            ptog_log_add(log, &write);
    }
}
