/* mpi: pieces that are copied one by one, from anywhere to anywhere. A piece is copied a little later than it is named,
 * when its memory has arrived. */
#ifndef PTOG_MPI_BATCH_H
#define PTOG_MPI_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#define PTOG_MPI_BATCH 16  /* pieces that are on their way */
#define PTOG_MPI_AHEAD 512 /* bytes of each that are fetched ahead; the processor finds the rest by itself */

struct ptog_mpi_batch {
    uint64_t piece; /* bytes */
    unsigned count; /* of all pieces that were named */
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

/* Copies a piece a little later: it and its place are fetched into the caches first. The oldest one of a full batch is
 * copied now. */
static inline void ptog_mpi_batch_add(struct ptog_mpi_batch *batch, unsigned char *to, const unsigned char *from)
{
    unsigned at = batch->count % PTOG_MPI_BATCH;
    if (batch->count >= PTOG_MPI_BATCH)
        ptog_mpi_copy(batch->to[at], batch->from[at], batch->piece);
    for (uint64_t i = 0; i < batch->piece && i < PTOG_MPI_AHEAD; i += 64) {
        __builtin_prefetch(from + i);
        __builtin_prefetch(to + i, 1);
    }
    batch->to[at] = to;
    batch->from[at] = from;
    batch->count++;
}

/* Copies what is still on its way. */
static inline void ptog_mpi_batch_end(struct ptog_mpi_batch *batch)
{
    unsigned left = batch->count < PTOG_MPI_BATCH ? batch->count : PTOG_MPI_BATCH;
    for (unsigned i = batch->count - left; i != batch->count; i++)
        ptog_mpi_copy(batch->to[i % PTOG_MPI_BATCH], batch->from[i % PTOG_MPI_BATCH], batch->piece);
    batch->count = 0;
}

#endif
