/* report: the timeline of a run as Chrome trace event JSON, written as it happens. A track per core: a process with a
 * lane per pipe. Boxes on one lane never overlap partly: work of one pipe that does overlap, as transfers that overtake
 * each other, goes to further lanes ("MTE2 #2"). Times are whole nanoseconds, which is what viewers keep. */
#ifndef PTOG_REPORT_TRACE_H
#define PTOG_REPORT_TRACE_H

#include <ptog/tile.h>

#include "model/events.h"
#include "report/json_writer.h"

/* ---- what a trace knows beside its events, for the page: the tiles, and the bytes of UB over time; of a long run it
 * is the beginning */

/* Bytes that arrived in UB. */
struct ptog_value_record {
    uint32_t process; /* of the events: the block */
    uint64_t time;    /* nanoseconds, as events have */
    uint64_t at;
    size_t count, first; /* where they lie among those that are kept */
};

/* A tile as the page shows it. Strings live until the trace is closed. */
struct ptog_value_tile {
    const char *name;     /* NULL: not known */
    const char *memory;   /* "UB", "L0A" */
    uint64_t at, address; /* where its bytes are among the values; in its memory */
    int64_t rows, cols, valid_row, valid_col;
    enum ptog_dtype dtype;
    enum ptog_tile_order order;
};

/* An instruction as ptog/drawing.h draws it. */
struct ptog_value_drawing {
    uint32_t line;
    char *svg; /* the list's own */
    size_t bytes;
};

struct ptog_trace_values {
    struct ptog_value_record *records;
    unsigned char *bytes;
    struct ptog_value_tile *tiles;
    struct ptog_value_drawing *drawings;
    size_t record_count, record_room, used, byte_room, tile_count, tile_room, drawing_count, drawing_room, drawn;
    bool full; /* what comes now is left out */
};

/* What does not fit is left out, and so is what comes after it. False when out of memory. */
bool ptog_trace_values_add(struct ptog_trace_values *values, const struct ptog_value_record *record, const void *bytes);
bool ptog_trace_values_tile(struct ptog_trace_values *values, const struct ptog_value_tile *tile);

/* Takes `svg`, which malloc gave, and which has a terminator behind its bytes. */
bool ptog_trace_values_drawing(struct ptog_trace_values *values, uint32_t line, char *svg, size_t bytes);

/* Whether there is room for drawings. */
bool ptog_trace_values_draw(const struct ptog_trace_values *values);

/* Members of an object that is open: "drawings", a list of [line, SVG]; "tiles", and "values", a list of [block,
 * nanoseconds, address, hexadecimal]. */
void ptog_trace_values_put(const struct ptog_trace_values *values, struct ptog_json *json);
void ptog_trace_values_free(struct ptog_trace_values *values);

/* ---- the trace */

struct ptog_trace {
    struct ptog_sink given, sink; /* the caller's; what counts its bytes */
    struct ptog_json json;        /* its sink is NULL when there is no trace, or it is complete */
    struct ptog_sink nowhere;
    struct ptog_json left_out; /* of events that are left out */
    uint64_t written;
    bool is_short; /* events beyond PTOG_PAGE_TRACE bytes are left out */
    bool is_cut;   /* some were */
    const char *target;
    double mhz;
    double end;        /* the last cycle of any track */
    uint32_t tracks;   /* so far */
    uint32_t counters; /* sets of counters that were waited for, so far */
    struct ptog_trace_values values;
};

struct ptog_track;

void ptog_trace_open(struct ptog_trace *trace, const struct ptog_sink *sink, const char *target, double mhz);
void ptog_trace_close(struct ptog_trace *trace);

/* What the events only carry numbers for. */
struct ptog_trace_names {
    void *user;
    void (*site)(void *user, uint32_t site, const char **name, struct ptog_where *where);
    const char *(*buffer)(void *user, int buffer);
    const char *(*memory)(void *user, uint64_t at, uint64_t *address); /* of a core */
};

/* The track of a core whose cycle 0 is cycle `base` of the trace; NULL when out of memory. */
struct ptog_track *ptog_track_open(struct ptog_trace *trace, const char *name, double base, uint64_t ub_bytes,
                                   bool cube, const struct ptog_trace_names *names);
void ptog_track_free(struct ptog_track *track);

void ptog_track_period(struct ptog_track *track, const struct ptog_period *period);

/* A counter between cores: where it was set, on which pipe, and when; when the wait for it ended. */
struct ptog_counter_arrow {
    uint32_t from; /* a track's number */
    enum ptog_pipe pipe;
    double set, waited;
};

/* An arrow to the last period, which was the wait for the counter, or, above PTOG_CROSS_IDS, for a FIFO. */
void ptog_track_counter(struct ptog_track *track, int counter, const struct ptog_counter_arrow *arrow);

/* The number of a track, from 1; 0 for NULL. */
uint32_t ptog_track_number(const struct ptog_track *track);

/* Bytes that are there before the first instruction. */
void ptog_track_preset(struct ptog_track *track, uint64_t at, uint64_t bytes);

/* The bytes that UB has from `at` on, as of a cycle. */
void ptog_track_values(struct ptog_track *track, double cycle, uint64_t at, const void *bytes, size_t count);

/* Something that will be reported. */
void ptog_track_fault(struct ptog_track *track, const char *id, enum ptog_severity severity, uint32_t site, double at);

/* The core is done at cycle `at`: writes what is still open, which is time that pipes waited and lives of tiles. False
 * when memory ran out on the way: something is missing. */
bool ptog_track_end(struct ptog_track *track, double at);

#endif
