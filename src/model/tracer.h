/* model: who wants to know of every element that an instruction reads and writes in UB, in their order.
 *
 * A tracer is there for the few instructions that compute from undefined bytes: what it is told says which results are
 * undefined. Elements that are read belong to the element that is written next; the first one that is read after a
 * write starts anew. So a loop that reads its sources and writes its result, lane by lane, needs to know nothing of
 * this. The bits of a mask are results of their own: whoever reads or makes one says which. */
#ifndef PTOG_MODEL_TRACER_H
#define PTOG_MODEL_TRACER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PTOG_WHOLE_ELEMENT = -1,
    PTOG_EACH_BIT = 8, /* of `makes`: each bit comes from the same bit of the byte that was read */
    PTOG_NO_RESULT = 9 /* of `makes`: what is read now decides nothing */
};

struct ptog_tracer {
    void *user;
    void (*get)(struct ptog_tracer *tracer, uint64_t at, uint64_t bytes);
    void (*put)(struct ptog_tracer *tracer, uint64_t at, uint64_t bytes);
    int reads;       /* the bit, from 0 on, of a byte that is read next; PTOG_WHOLE_ELEMENT: all of it */
    int makes;       /* the bit of the result that what is read next belongs to; PTOG_WHOLE_ELEMENT: all of it */
    bool undefined;  /* something that was read for the next result is undefined */
    bool is_written; /* the last one was a write: the next read starts a result */
    bool is_late;    /* the instruction has run before: nothing is written again */
};

#endif
