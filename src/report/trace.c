/* report: the timeline of a run: lanes, boxes, arrows, instants and the counter of a track. */
#include "report/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/report.h>
#include <ptog/version.h>

#include "base/array.h"
#include "base/pick.h"
#include "report/live.h"
#include "report/put.h"
#include "report/trace_args.h"

#define LAST 9e18 /* nanoseconds; a trace ends there */

struct lanes {
    double *ends; /* when each lane is free again */
    size_t count, room;
};

struct ptog_track {
    struct ptog_trace *trace;
    struct ptog_trace_names names;
    uint32_t process;
    bool cube;
    double base, now; /* `now`: how far S has come */
    struct lanes lanes[PTOG_PIPES];
    struct ptog_live live;
    double told;                                /* the counter's last time: what is settled late is told then */
    struct ptog_period blocked[PTOG_PIPES + 1]; /* waits that last to the end */
    size_t blocked_count;
    bool failed;
};

/* ---- the file ---- */

static void count_and_write(void *user, const char *text, size_t length)
{
    struct ptog_trace *trace = user;
    trace->written += length;
    trace->given.write(trace->given.user, text, length);
}

static void write_nowhere(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    (void)length;
}

/* Begins a trace: what stands before its first event goes to the sink. */
void ptog_trace_open(struct ptog_trace *trace, const struct ptog_sink *sink, const char *target, double mhz)
{
    *trace = (struct ptog_trace){.given = *sink, .target = target, .mhz = mhz > 0 ? mhz : 1000};
    trace->sink = (struct ptog_sink){.write = count_and_write, .user = trace};
    trace->nowhere = (struct ptog_sink){.write = write_nowhere};
    trace->json.sink = &trace->sink;
    trace->left_out.sink = &trace->nowhere;
    ptog_json_open(&trace->json, '{');
    ptog_json_string_of(&trace->json, "displayTimeUnit", "ns");
    ptog_json_key(&trace->json, "traceEvents");
    ptog_json_open(&trace->json, '[');
}

/* Ends a trace: what all of it is about, and the values, go to the sink. */
void ptog_trace_close(struct ptog_trace *trace)
{
    struct ptog_json *json = &trace->json;
    ptog_json_close(json, ']');
    ptog_json_key(json, "otherData");
    ptog_json_open(json, '{');
    if (trace->is_cut)
        ptog_json_bool_of(json, "events cut", true); /* the first one: the page looks for it */
    ptog_json_string_of(json, "made by", "ptogather " PTOG_VERSION);
    ptog_json_string_of(json, "target", trace->target);
    ptog_trace_values_put(&trace->values, json);
    ptog_trace_values_free(&trace->values);
    ptog_json_number_of(json, "MHz", (uint64_t)trace->mhz);
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
    ptog_put(&trace->sink, "\n");
    json->sink = NULL;
}

/* ---- events ---- */

/* The time of a cycle in the trace. */
static uint64_t nanoseconds(const struct ptog_track *track, double cycle)
{
    double time = (track->base + cycle) * 1000 / track->trace->mhz + 0.5;
    return (uint64_t)ptog_min(time, LAST); /* with costs of the caller, time may run away */
}

/* Lanes stand in the order in which data flows through them. */
static uint64_t lane_number(enum ptog_pipe pipe, size_t lane)
{
    static const unsigned order[PTOG_PIPES] = {1, 3, 2, 4, 7, 6, 8};
    return order[pipe] + 10 * lane;
}

/* Opens an event; the caller adds what is special and closes it. */
static struct ptog_json *event(struct ptog_track *track, const char *phase, const char *name, uint64_t lane)
{
    struct ptog_trace *trace = track->trace;
    trace->is_cut = trace->is_cut || (trace->is_short && trace->written > PTOG_PAGE_TRACE);
    struct ptog_json *json = trace->is_cut ? &trace->left_out : &trace->json;
    ptog_json_newline(json);
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "ph", phase);
    ptog_json_string_of(json, "name", name);
    ptog_json_number_of(json, "pid", track->process);
    ptog_json_number_of(json, "tid", lane);
    return json;
}

/* Writes an event that names a lane or a core, or numbers it. */
static void name_event(struct ptog_track *track, const char *what, uint64_t lane, const char *key, const char *text,
                       uint64_t number)
{
    struct ptog_json *json = event(track, "M", what, lane);
    ptog_json_key(json, "args");
    ptog_json_open(json, '{');
    if (text)
        ptog_json_string_of(json, key, text);
    else
        ptog_json_number_of(json, key, number);
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

/* ---- lanes ---- */

/* Adds a lane for a pipe, for work that overlaps that of its other lanes; false when out of memory. */
static bool add_lane(struct ptog_track *track, enum ptog_pipe pipe)
{
    struct lanes *lanes = &track->lanes[pipe];
    char name[32];
    if (!ptog_array_reserve(&lanes->ends, lanes->count + 1, &lanes->room))
        return false;
    uint64_t number = lane_number(pipe, lanes->count);
    if (lanes->count == 0)
        snprintf(name, sizeof name, "%s", ptog_pipe_name(pipe));
    else
        snprintf(name, sizeof name, "%s #%zu", ptog_pipe_name(pipe), lanes->count + 1);
    lanes->ends[lanes->count++] = 0;
    name_event(track, "thread_name", number, "name", name, 0);
    name_event(track, "thread_sort_index", number, "sort_index", NULL, lane_number(pipe, 0) * 1000 + lanes->count);
    return true;
}

/* The lane of a box: the first that is free when it begins. What takes no time overlaps nothing. */
static size_t lane_of(struct ptog_track *track, const struct ptog_period *period)
{
    struct lanes *lanes = &track->lanes[period->pipe];
    size_t lane = 0;
    if (nanoseconds(track, period->from) == nanoseconds(track, period->to))
        return 0;
    while (lane < lanes->count && lanes->ends[lane] > period->from)
        lane++;
    if (lane == lanes->count && !add_lane(track, period->pipe)) {
        track->failed = true;
        return lanes->count; /* not shown */
    }
    lanes->ends[lane] = period->to;
    return lane;
}

/* ---- opening and closing a track ---- */

struct ptog_track *ptog_track_open(struct ptog_trace *trace, const char *name, double base, uint64_t ub_bytes,
                                   bool cube, const struct ptog_trace_names *names)
{
    struct ptog_track *track = calloc(1, sizeof *track);
    static const enum ptog_pipe vector[] = {PTOG_S, PTOG_MTE2, PTOG_V, PTOG_MTE3},
                                cubes[] = {PTOG_S, PTOG_MTE2, PTOG_MTE3, PTOG_MTE1, PTOG_M, PTOG_FIX};
    const enum ptog_pipe *order = cube ? cubes : vector;
    int pipes = cube ? (int)(sizeof cubes / sizeof cubes[0]) : (int)(sizeof vector / sizeof vector[0]);
    if (!track)
        return NULL;
    *track =
        (struct ptog_track){.trace = trace, .names = *names, .process = ++trace->tracks, .cube = cube, .base = base};
    bool good = ptog_live_open(&track->live, ub_bytes);
    name_event(track, "process_name", 0, "name", name, 0);
    name_event(track, "process_sort_index", 0, "sort_index", NULL, track->process);
    for (int p = 0; p < pipes && good; p++)
        good = add_lane(track, order[p]);
    if (good)
        return track;
    ptog_track_free(track);
    return NULL;
}

/* Frees the track of a core; NULL may be given. */
void ptog_track_free(struct ptog_track *track)
{
    if (!track)
        return;
    for (int p = 0; p < PTOG_PIPES; p++)
        free(track->lanes[p].ends);
    ptog_live_free(&track->live);
    free(track);
}

/* ---- the counter ---- */

/* Writes how many bytes are live at a time. */
static void tell_live(void *user, double time, uint64_t bytes)
{
    struct ptog_track *track = user;
    struct ptog_json *json = event(track, "C", track->cube ? "live bytes" : "live UB bytes", 0);
    track->told = ptog_max(track->told, time);
    ptog_json_thousandths_of(json, "ts", nanoseconds(track, track->told));
    ptog_json_key(json, "args");
    ptog_json_open(json, '{');
    ptog_json_number_of(json, "bytes", bytes);
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

/* Notes what a period reads and writes of UB, for the bytes that are live. */
static void touch_blocks(struct ptog_track *track, const struct ptog_period *period)
{
    for (int writes = 0; writes < 2; writes++) /* an instruction reads before it writes */
        for (size_t i = 0; i < period->cause.count; i++) {
            const struct ptog_access *a = &period->cause.accesses[i];
            if (a->space != PTOG_IN_UB || ptog_access_writes(a) != (writes == 1))
                continue;
            for (uint64_t k = 0; k < a->count; k++) {
                uint64_t at = a->at + k * a->pitch;
                if (writes)
                    ptog_live_write(&track->live, at, a->bytes, period->from, period->to);
                else
                    ptog_live_read(&track->live, at, a->bytes, period->to);
            }
        }
    if (ptog_live_is_full(&track->live))
        ptog_live_settle(&track->live, track->now, tell_live, track);
}

void ptog_track_preset(struct ptog_track *track, uint64_t at, uint64_t bytes)
{
    ptog_live_write(&track->live, at, bytes, 0, 0);
}

/* ---- boxes and arrows ---- */

/* Writes what the box of a period is called into `name`. */
static void box_name(const struct ptog_period *period, const char *instruction, char *name, size_t size)
{
    const char *src = ptog_pipe_name(period->src), *dst = ptog_pipe_name(period->dst);
    switch (period->kind) {
    case PTOG_PERIOD_ISSUE: snprintf(name, size, "issue %s", instruction); break;
    case PTOG_PERIOD_SET: snprintf(name, size, "set_flag %s->%s %d", src, dst, period->id); break;
    case PTOG_PERIOD_WAIT: snprintf(name, size, "wait_flag %s->%s %d", src, dst, period->id); break;
    case PTOG_PERIOD_BLOCKED: snprintf(name, size, "blocked: wait_flag %s->%s %d", src, dst, period->id); break;
    case PTOG_PERIOD_LEFT: snprintf(name, size, "left set: %s->%s %d", src, dst, period->id); break;
    case PTOG_PERIOD_CROSS_SET:
    case PTOG_PERIOD_CROSS_WAIT:
    case PTOG_PERIOD_CROSS_BLOCKED:
        snprintf(name, size, "%s%s", ptog_when(period->kind == PTOG_PERIOD_CROSS_BLOCKED, "blocked: "), instruction);
        if (period->id < PTOG_CROSS_IDS)
            snprintf(name + strlen(name), size - strlen(name), " %d", period->id);
        break;
    case PTOG_PERIOD_STALL: snprintf(name, size, "queues full"); break;
    default: snprintf(name, size, "%s", instruction); break;
    }
}

/* Writes the box of a period in a lane, with its arguments. */
static void write_box(struct ptog_track *track, const struct ptog_period *period, uint64_t lane)
{
    static const char *const categories[] = {"issue", "work", "flag", "wait", "barrier", "wait",
                                             "wait",  "flag", "flag", "wait", "wait"};
    const char *instruction = "instruction";
    struct ptog_where where = {0};
    char name[64];
    uint64_t from = nanoseconds(track, period->from), to = nanoseconds(track, period->to);
    track->names.site(track->names.user, period->cause.site, &instruction, &where);
    box_name(period, instruction, name, sizeof name);
    struct ptog_json *json = event(track, "X", name, lane);
    ptog_json_string_of(json, "cat", categories[period->kind]);
    ptog_json_thousandths_of(json, "ts", from);
    ptog_json_thousandths_of(json, "dur", to - from);
    ptog_json_key(json, "args");
    ptog_trace_args(json, period, instruction, &where, &track->names);
    ptog_json_close(json, '}');
}

/* One end of an arrow. It is bound to the box around it, and stands in the file right after that box. */
static void arrow(struct ptog_track *track, const struct ptog_period *period, uint64_t lane, const char *end, double at)
{
    char category[24], name[48];
    snprintf(category, sizeof category, "flag.%u", (unsigned)track->process);
    snprintf(name, sizeof name, "%s->%s %d", ptog_pipe_name(period->src), ptog_pipe_name(period->dst), period->id);
    struct ptog_json *json = event(track, end, name, lane);
    ptog_json_string_of(json, "cat", category);
    ptog_json_number_of(json, "id", period->flow);
    ptog_json_thousandths_of(json, "ts", nanoseconds(track, at));
    if (end[0] == 'f')
        ptog_json_string_of(json, "bp", "e");
    ptog_json_close(json, '}');
}

/* Writes a period of the timeline: its box, and the arrows from and to flags. One that is blocked waits for the end of
 * the run. */
void ptog_track_period(struct ptog_track *track, const struct ptog_period *period)
{
    if (period->kind == PTOG_PERIOD_BLOCKED || period->kind == PTOG_PERIOD_CROSS_BLOCKED) {
        if (track->blocked_count < PTOG_PIPES + 1)
            track->blocked[track->blocked_count++] = *period;
        return;
    }
    if (period->pipe == PTOG_S && period->kind != PTOG_PERIOD_LEFT)
        track->now = period->from;
    size_t place = lane_of(track, period);
    if (place == track->lanes[period->pipe].count)
        return;
    uint64_t lane = lane_number(period->pipe, place);
    write_box(track, period, lane);
    if (period->flow && period->kind == PTOG_PERIOD_SET)
        arrow(track, period, lane, "s", period->from);
    else if (period->flow)
        arrow(track, period, lane, "f", ptog_max(period->fired, period->from));
    touch_blocks(track, period);
}

uint32_t ptog_track_number(const struct ptog_track *track)
{
    return track ? track->process : 0;
}

/* Writes an arrow from the set of a counter to the wait that was the last period; both ends at once, as only now it is
 * known whose set it was. */
void ptog_track_counter(struct ptog_track *track, int counter, const struct ptog_counter_arrow *arrow)
{
    struct ptog_track from = {.trace = track->trace, .process = arrow->from};
    uint32_t id = ++track->trace->counters;
    char name[24];
    if (counter < PTOG_CROSS_IDS)
        snprintf(name, sizeof name, "counter %d", counter);
    else
        snprintf(name, sizeof name, "FIFO");
    for (int end = 0; end < 2; end++) {
        uint64_t lane = lane_number(end ? PTOG_S : arrow->pipe, 0);
        struct ptog_json *json = event(end ? track : &from, end ? "f" : "s", name, lane);
        ptog_json_string_of(json, "cat", "counter");
        ptog_json_number_of(json, "id", id);
        ptog_json_thousandths_of(json, "ts", nanoseconds(track, end ? arrow->waited : arrow->set));
        if (end)
            ptog_json_string_of(json, "bp", "e");
        ptog_json_close(json, '}');
    }
}

/* ---- instants ---- */

/* Writes a finding into the trace as a mark on lane S, at the time when it was found. */
void ptog_track_fault(struct ptog_track *track, const char *id, enum ptog_severity severity, uint32_t site, double at)
{
    struct ptog_period period = {.cause.site = site};
    const char *instruction = "";
    struct ptog_where where = {0};
    track->names.site(track->names.user, site, &instruction, &where);
    struct ptog_json *json = event(track, "i", id, lane_number(PTOG_S, 0));
    ptog_json_string_of(json, "cat", ptog_severity_name(severity));
    ptog_json_thousandths_of(json, "ts", nanoseconds(track, at));
    ptog_json_string_of(json, "s", "t");
    ptog_json_key(json, "args");
    ptog_trace_args(json, &period, instruction, &where, &track->names);
    ptog_json_close(json, '}');
}

void ptog_track_values(struct ptog_track *track, double cycle, uint64_t at, const void *bytes, size_t count)
{
    struct ptog_value_record record = {track->process, nanoseconds(track, cycle), at, count, 0};
    if (!ptog_trace_values_add(&track->trace->values, &record, bytes))
        track->failed = true;
}

/* ---- the end ---- */

bool ptog_track_end(struct ptog_track *track, double at)
{
    for (size_t i = 0; i < track->blocked_count; i++) {
        struct ptog_period period = track->blocked[i];
        period.to = ptog_max(ptog_max(at, period.to), period.from);
        size_t lane = lane_of(track, &period);
        if (lane < track->lanes[period.pipe].count)
            write_box(track, &period, lane_number(period.pipe, lane));
    }
    ptog_live_end(&track->live, tell_live, track);
    if (track->base + at > track->trace->end)
        track->trace->end = track->base + at;
    return !track->failed && !track->live.failed;
}
