/* report: how many bytes of UB are live over time: written, and still to be read. Counted in blocks of 32 bytes, each
 * from the start of a write to the end of the last read before the next one. The last read is known late, so changes
 * are kept until it is; at most so many, then whatever is still open counts as live up to now. */
#ifndef PTOG_REPORT_LIVE_H
#define PTOG_REPORT_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptog_live_block {
    double from, last;
    bool open;
    bool counted; /* its beginning is among the changes, or was told */
};

struct ptog_live_change {
    double time;
    int64_t bytes;
};

struct ptog_live {
    struct ptog_live_block *blocks;
    size_t block_count;
    struct ptog_live_change *changes;
    size_t count, room;
    double settled; /* up to here everything was told */
    int64_t bytes;  /* then */
    bool failed;    /* out of memory */
};

/* False when out of memory. */
bool ptog_live_open(struct ptog_live *live, uint64_t ub_bytes);
void ptog_live_free(struct ptog_live *live);

void ptog_live_write(struct ptog_live *live, uint64_t at, uint64_t bytes, double from, double to);
void ptog_live_read(struct ptog_live *live, uint64_t at, uint64_t bytes, double to);

/* So many changes are kept that some should be told. */
bool ptog_live_is_full(const struct ptog_live *live);

/* Tells the bytes that are live after each change, up to a time before which nothing changes any more. */
void ptog_live_settle(struct ptog_live *live, double until, void (*tell)(void *user, double time, uint64_t bytes),
                      void *user);

/* Tells of all changes that are left, at the end of the run. */
void ptog_live_end(struct ptog_live *live, void (*tell)(void *user, double time, uint64_t bytes), void *user);

#endif
