/* model: the tiles of an instruction as bytes, for walks that the reference loop does in the buffers of a run and the
 * machine in UB. `at` counts bytes from the first of a tile's storage, and may lie outside of it. */
#ifndef PTOG_MODEL_TILE_BYTES_H
#define PTOG_MODEL_TILE_BYTES_H

#include "model/fault.h"
#include "model/insn.h"

struct ptog_tile_bytes {
    void *where;
    /* Reads an element of up to 8 bytes of operand number `operand`; false, and 0xAA in every byte, when nothing is
     * there. */
    bool (*get)(void *where, int operand, int64_t at, size_t size, uint64_t *bits);
    /* Writes one; false when it is lost. */
    bool (*put)(void *where, int operand, int64_t at, size_t size, uint64_t bits);
    /* What is written next comes from nothing that was read before. NULL: nobody asks. */
    void (*forget)(void *where);
    struct ptog_fault *fault; /* NULL: faults are not noted */
};

static inline void ptog_bytes_forget(const struct ptog_tile_bytes *bytes)
{
    if (bytes->forget)
        bytes->forget(bytes->where);
}

static inline void ptog_bytes_note(const struct ptog_tile_bytes *bytes, enum ptog_fault_kind kind, int64_t r, int64_t c,
                                   uint64_t index)
{
    if (bytes->fault)
        ptog_fault_note(bytes->fault, kind, 1, r, c, index);
}

/* Copies an element between operands; what cannot be read is 0xAA. */
static inline bool ptog_bytes_move(const struct ptog_tile_bytes *bytes, int to, int64_t to_at, int from, int64_t from_at,
                                   size_t size)
{
    uint64_t bits;
    ptog_bytes_forget(bytes);
    bool had = bytes->get(bytes->where, from, from_at, size, &bits);
    return bytes->put(bytes->where, to, to_at, size, bits) && had;
}

#endif
