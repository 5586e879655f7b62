/* sim: transfers from GM to UB, as the engine does them: bursts of bytes, to 32-byte aligned addresses of UB. */
#ifndef PTOG_SIM_DMA_H
#define PTOG_SIM_DMA_H

#include "sim/log.h"
#include "sim/memory.h"

/* `bursts` pieces of `bytes`, from `gm` on (in the buffer; beyond 64 bits: PTOG_NOWHERE) to `ub` on. Strides are from
 * start to start. */
#define PTOG_NOWHERE UINT64_MAX
struct ptog_dma {
    uint64_t gm, ub, bytes, bursts, gm_stride, ub_stride;
    int buffer;
    bool drops;         /* a burst to a misaligned address is dropped (A2/A3) */
    bool zeroes;        /* into L1: the rest of the last block is zero */
    bool clears;        /* it reads nothing, and writes zeros */
    int64_t row, zeros; /* of a Row gather: whose it is, and how many rows before it were filled with zeros instead */
};

struct ptog_dma_list {
    struct ptog_dma *of;
    size_t count, room;
};
/* One more at the end, to be filled in; NULL when out of memory. */
struct ptog_dma *ptog_dma_next(struct ptog_dma_list *list);

/* Its fields as the instruction of the engine has them. */
struct ptog_box ptog_dma_box(const struct ptog_dma *dma);

/* Moves the bytes. What lies outside the buffer arrives as 0xAA; so does the rest of a short burst's last block. */
void ptog_dma_move(const struct ptog_dma *dma, struct ptog_memory *memory);

/* Says what it reads and writes; `read` and `write` are accesses without bytes. */
void ptog_dma_log(const struct ptog_dma *dma, const struct ptog_memory *memory, struct ptog_log *log,
                  const struct ptog_access *read, const struct ptog_access *write);

#endif
