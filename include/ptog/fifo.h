/* FIFOs between the cube core and the vector cores of a block, on a device that is `linked`. A FIFO is a ring of slots in
 * each direction. Who pushes waits until a slot is free, writes the tile into it, and announces it; who pops waits for
 * that, and gives the slot back:
 *
 *     cube core     push 0   push 1   ...   push N: waits until entry N - 1 or so was given back
 *     vector cores           pop 0    ...   free 0
 *
 * Each of these is a few steps of the machine, counters and transfers, which are judged like any others: a slot that is
 * written while it is still read is found by what is ordered before what, not by counting.
 *
 * A call that has to wait for another core returns PTOG_BLOCKED, and is made again after other cores have gone on. */
#ifndef PTOG_FIFO_H
#define PTOG_FIFO_H

#include <ptog/core.h>

/* How the vector cores of a block share a tile; numbers as in the PTO headers. Of the last two, vector core 0 has the
 * larger part. */
enum ptog_split {
    PTOG_SPLIT_NONE = 0,       /* each has all of it */
    PTOG_SPLIT_UP_DOWN = 1,    /* rows */
    PTOG_SPLIT_LEFT_RIGHT = 2, /* columns */
    PTOG_SPLIT_UP_DOWN_ODD = 3,
    PTOG_SPLIT_LEFT_RIGHT_ODD = 4,
};

#define PTOG_FIFOS 64 /* of a kernel, at most */

/* Directions; a FIFO of both has two rings, that of the cube core first. */
enum ptog_fifo_direction { PTOG_CUBE_TO_VECTOR = 1, PTOG_VECTOR_TO_CUBE = 2, PTOG_BOTH_WAYS = 3 };

/* One end of a FIFO. Zero is the default of every field but `direction` and `slot_size`. */
struct ptog_fifo_options {
    uint32_t number;  /* both ends have the same; below PTOG_FIFOS */
    const char *name; /* what messages call it; NULL: its number */
    enum ptog_fifo_direction direction;
    uint64_t slot_size; /* in bytes: a whole tile, before it is split */
    uint32_t slots;     /* 0: 8, and 4 of both directions */
    uint32_t local_slots; /* of the core that pops, where tiles are copied to; 0: as many as slots */
    bool local;         /* popped tiles are the slots themselves, which lie in memory of the core that pops */
    int gm;             /* the buffer with the ring, and where it starts; of a local one any buffer of its size */
    uint64_t offset;
    uint64_t consumer[2]; /* where popped tiles go: UB of a vector core, L1 of the cube core */
    enum ptog_dtype element;  /* what the cube core converts the elements that it pushes to; 0: they stay as they are */
    enum ptog_layout layout;  /* how its entries lie in their slots, as the tiles that are popped */
    uint64_t relu;            /* 1: negative elements that it pushes become 0 */
    uint64_t reserved[2];
};

/* Opens the core's end. A core that opens it again goes on where it was. */
PTOG_API enum ptog_status ptog_core_fifo_open(ptog_core *core, const struct ptog_fifo_options *fifo);

/* Bytes of the rings of a FIFO; 0 for NULL. */
PTOG_API uint64_t ptog_fifo_bytes(const struct ptog_fifo_options *fifo);

/* Pushes a tile of acc (cube core) or vec (vector core); NULL: the entry that ptog_core_fifo_alloc gave, which is
 * announced. */
PTOG_API enum ptog_status ptog_core_fifo_push(ptog_core *core, uint32_t number, const struct ptog_tile *tile,
                                              enum ptog_split split);

/* Scales the elements that the cube core pushes from now on: by `tile`, a tile of scaling with a 64-bit number for each
 * column; if that is NULL, by `bits`. The numbers are those of TSTORE: an f32 in the bits 31:0, and what stands beside it. */
PTOG_API enum ptog_status ptog_core_fifo_scale(ptog_core *core, uint32_t number, uint64_t bits,
                                               const struct ptog_tile *tile);

/* Waits for a slot, and says where in its buffer it is. */
PTOG_API enum ptog_status ptog_core_fifo_alloc(ptog_core *core, uint32_t number, enum ptog_split split,
                                               uint64_t *offset);

/* Pops the next entry into *tile, whose address is set. */
PTOG_API enum ptog_status ptog_core_fifo_pop(ptog_core *core, uint32_t number, struct ptog_tile *tile,
                                             enum ptog_split split);

/* The same without a transfer: *offset is where in its buffer the entry is. */
PTOG_API enum ptog_status ptog_core_fifo_pop_slot(ptog_core *core, uint32_t number, enum ptog_split split,
                                                  uint64_t *offset);

/* Gives the oldest popped entry back. One that was copied to the core, from a ring in global memory, was given back when
 * it was popped: nothing happens. */
PTOG_API enum ptog_status ptog_core_fifo_free(ptog_core *core, uint32_t number);

#endif
