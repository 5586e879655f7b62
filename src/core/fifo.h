/* core: the ends of FIFOs as a core has them: ptog/fifo.h. */
#ifndef PTOG_CORE_FIFO_H
#define PTOG_CORE_FIFO_H

#include <ptog/fifo.h>

#include "model/effects.h"

/* A tile that was pushed: what the other end has to know of it. */
struct ptog_fifo_entry {
    int64_t rows, cols;
    enum ptog_dtype dtype;
    enum ptog_split split;
    enum ptog_layout layout; /* how it lies in the slot: row by row, column by column, or in boxes */
};

struct ptog_fifo_state {
    struct ptog_fifo_options fifo;   /* with its defaults filled in; slot_size is 0 where the core has no such end */
    bool alone;                      /* its slots lie in cores, and tiles are whole: vector core 0 has it for itself */
    uint64_t pushed, allocated;      /* of what the core pushes */
    uint64_t popped, freed;          /* of what it pops */
    struct ptog_fifo_entry *entries; /* pushed last into each slot */
    struct ptog_tile
        *tiles;        /* of a local one: the tile that each slot was popped as, its address that of the machine */
    uint32_t pop_site; /* of the last pop; and the instruction */
    uint64_t pop_insn;
    struct ptog_operand scale; /* of what the cube core pushes; absent: it is not scaled */
    struct ptog_effects effects; /* of a pop on another pipe than that of loads */
};

struct ptog_core_fifos {
    struct ptog_fifo_state ends[PTOG_FIFOS];
    const char *name;    /* of the operation that is carried out, a constant; NULL: an instruction says its own */
    enum ptog_pipe pipe; /* that a transfer of it is on; PTOG_ALL: its own */
    uint32_t number;     /* of the FIFO */
    const char *refusal; /* why the last operation was refused; NULL: it was not, or the verifier said it */
};

struct ptog_core;
struct ptog_sanitizer_shared;
struct ptog_text;

/* The core ends: entries that were not given back or not popped are reported, and everything is freed. */
void ptog_core_fifos_left(struct ptog_core *core);
void ptog_core_fifos_close(struct ptog_core *core);

/* A tile that an instruction reads: one whose slot was given back is reported. */
void ptog_core_fifos_judge_use(struct ptog_core *core, const struct ptog_tile *tile, enum ptog_operand_name operand);

/* "for an entry of FIFO %q", as a message says what the wait for a channel waits for. */
void ptog_fifo_add_wait(struct ptog_text *text, const struct ptog_core *core, uint32_t channel);

/* A tile is larger than a slot; it differs from the one that was pushed. True: it is said, and nothing is done. */
bool ptog_fifo_judge_slot(struct ptog_core *core, const struct ptog_fifo_state *end, const struct ptog_tile *tile,
                          enum ptog_split split);
bool ptog_fifo_judge_entry(struct ptog_core *core, const struct ptog_fifo_state *end, const struct ptog_tile *tile,
                           enum ptog_split split, const struct ptog_fifo_entry *entry);

/* Of the channels of a FIFO, those of a direction: 0 from the cube core, 1 to it. */
static inline uint32_t ptog_fifo_ready(uint32_t number, int direction)
{
    return number * 4 + (uint32_t)direction * 2;
}
static inline uint32_t ptog_fifo_vacant(uint32_t number, int direction)
{
    return ptog_fifo_ready(number, direction) + 1;
}

#endif
