/* mpi: pieces that are copied one by one, from anywhere to anywhere. They are collected a few at a time, so that their
 * memory is on its way before the first is copied. */
#ifndef PTOG_MPI_BATCH_H
#define PTOG_MPI_BATCH_H

#include <stdint.h>

#define PTOG_MPI_BATCH 16  /* pieces */
#define PTOG_MPI_AHEAD 512 /* bytes of each that are fetched ahead; the processor finds the rest by itself */

struct ptog_mpi_batch {
    uint64_t piece; /* bytes */
    int count;
    unsigned char *to[PTOG_MPI_BATCH];
    const unsigned char *from[PTOG_MPI_BATCH];
};

/* One piece; the short ones without a call. */
static inline void ptog_mpi_copy(unsigned char *to, const unsigned char *from, uint64_t bytes)
{
    switch (bytes) {
    case 4: __builtin_memcpy(to, from, 4); return;
    case 8: __builtin_memcpy(to, from, 8); return;
    case 64: __builtin_memcpy(to, from, 64); return;
    default: __builtin_memcpy(to, from, bytes);
    }
}

/* Copies what was collected. */
static inline void ptog_mpi_batch_end(struct ptog_mpi_batch *batch)
{
    for (int i = 0; i < batch->count; i++)
        ptog_mpi_copy(batch->to[i], batch->from[i], batch->piece);
    batch->count = 0;
}

static inline void ptog_mpi_batch_add(struct ptog_mpi_batch *batch, unsigned char *to, const unsigned char *from)
{
    for (uint64_t i = 0; i < batch->piece && i < PTOG_MPI_AHEAD; i += 64)
        __builtin_prefetch(from + i);
    batch->to[batch->count] = to;
    batch->from[batch->count++] = from;
    if (batch->count == PTOG_MPI_BATCH)
        ptog_mpi_batch_end(batch);
}

#endif
