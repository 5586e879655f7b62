/* sanitize: the bytes that an entry of a queue touches, as sorted stretches, for comparing two entries with each other
 * when the shadow no longer knows both. */
#ifndef PTOG_SANITIZE_STRETCHES_H
#define PTOG_SANITIZE_STRETCHES_H

#include "model/events.h"

/* Bytes [from, to) of one memory. */
struct ptog_stretch {
    uint64_t from, to;
    int32_t memory; /* a buffer; -1: UB */
    uint8_t operand;
    bool writes;
    bool adds; /* to what memory holds: see PTOG_ADDS */
};

struct ptog_stretches {
    struct ptog_stretch *of; /* by memory and address */
    size_t count;
    uint64_t longest;
};

/* The bytes of an event, in memory that the caller frees (stretches->of). False when out of memory. */
bool ptog_stretches_of(const struct ptog_event *event, struct ptog_stretches *stretches);

/* The number of the first stretch that can reach past the start of `other`. */
size_t ptog_stretches_near(const struct ptog_stretches *stretches, const struct ptog_stretch *other);

/* Whether two accesses of these bytes have an order to keep: they share bytes, and not both read, nor both add. */
static inline bool ptog_stretches_conflict(const struct ptog_stretch *a, const struct ptog_stretch *b)
{
    return a->memory == b->memory && a->from < b->to && b->from < a->to && (a->writes || b->writes) &&
           !(a->adds && b->adds);
}

#endif
