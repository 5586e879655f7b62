/* report: the timeline of a run as Chrome trace event JSON, written as it happens. A track per core: a process with a
 * lane per pipe. Boxes on one lane never overlap partly: work of one pipe that does overlap, as transfers that overtake
 * each other, goes to further lanes ("MTE2 #2"). Times are whole nanoseconds, which is what viewers keep. */
#ifndef PTOG_REPORT_TRACE_H
#define PTOG_REPORT_TRACE_H

#include "model/events.h"
#include "report/json_writer.h"

struct ptog_trace {
    struct ptog_sink sink;
    struct ptog_json json; /* its sink is NULL when there is no trace, or it is complete */
    const char *target;
    double mhz;
    double end;      /* the last cycle of any track */
    uint32_t tracks; /* so far */
};

struct ptog_track;

void ptog_trace_open(struct ptog_trace *trace, const struct ptog_sink *sink, const char *target, double mhz);
void ptog_trace_close(struct ptog_trace *trace);

/* What the events only carry numbers for. */
struct ptog_trace_names {
    void *user;
    void (*site)(void *user, uint32_t site, const char **name, struct ptog_where *where);
    const char *(*buffer)(void *user, int buffer);
};

/* The track of a block whose cycle 0 is cycle `base` of the trace; NULL when out of memory. */
struct ptog_track *ptog_track_open(struct ptog_trace *trace, uint32_t block, double base, uint64_t ub_bytes,
                                   const struct ptog_trace_names *names);
void ptog_track_free(struct ptog_track *track);

void ptog_track_period(struct ptog_track *track, const struct ptog_period *period);

/* Bytes that are there before the first instruction. */
void ptog_track_preset(struct ptog_track *track, uint64_t at, uint64_t bytes);

/* Something that will be reported. */
void ptog_track_fault(struct ptog_track *track, const char *id, enum ptog_severity severity, uint32_t site, double at);

/* The core is done at cycle `at`. False when memory ran out on the way: something is missing. */
bool ptog_track_end(struct ptog_track *track, double at);

#endif
