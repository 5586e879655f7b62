/* interp: blocks whose cores run side by side.
 *
 * What belongs to one core lies in a struct stream while another one runs, and in the evaluator while it runs itself.
 * The order is fixed: the cube core of a block, its vector cores, then the next block, again and again until all are
 * over. Where a core writes before another one reads is decided by their waits alone, so the order changes no verdict.
 */
#include "interp/streams.h"

#include <stdlib.h>
#include <string.h>

#include "interp/interp.h"
#include "interp/limits.h"
#include "interp/machine.h"
#include "interp/run.h"
#include "lower/bind.h"
#include "lower/ops/ops.h"
#include "lower/place.h"

#define MAX_STREAMS 4096u /* cores that are open at once */
#define CORE_BYTES 4096   /* that starting a core touches, besides its on-chip memory */

struct stream {
    uint8_t on;
    int64_t block;
    uint32_t subblock;
    bool started, over;

    /* of the evaluator */
    struct ptog_value **chunks;
    uint32_t *value_of;
    uint32_t chunk_count, value_count, frame, calls, depth, scope;
    size_t chunk_room;
    const struct ptog_op *function, *at;
    bool bare, returned, hung, blocked;
    struct ptog_stack yields, activations;
    struct ptog_number condition;
    struct ptog_local_array *arrays;
    struct ptog_insn_code **code;
    ptog_core *core;
    const struct ptog_op *core_at;
};

#define SWAP(type, a, b)                                                                                               \
    do {                                                                                                               \
        type kept = (a);                                                                                               \
        (a) = (b);                                                                                                     \
        (b) = kept;                                                                                                    \
    } while (0)

/* What the evaluator has of a core and what the stream has change places. */
static void swap(struct ptog_eval *e, struct stream *s)
{
    SWAP(struct ptog_value **, e->chunks, s->chunks);
    SWAP(uint32_t *, e->value_of, s->value_of);
    SWAP(uint32_t, e->chunk_count, s->chunk_count);
    SWAP(uint32_t, e->value_count, s->value_count);
    SWAP(uint32_t, e->frame, s->frame);
    SWAP(uint32_t, e->calls, s->calls);
    SWAP(uint32_t, e->depth, s->depth);
    SWAP(uint32_t, e->scope, s->scope);
    SWAP(size_t, e->chunk_room, s->chunk_room);
    SWAP(const struct ptog_op *, e->function, s->function);
    SWAP(const struct ptog_op *, e->at, s->at);
    SWAP(bool, e->bare, s->bare);
    SWAP(bool, e->returned, s->returned);
    SWAP(bool, e->hung, s->hung);
    SWAP(bool, e->blocked, s->blocked);
    SWAP(struct ptog_stack, e->yields, s->yields);
    SWAP(struct ptog_stack, e->activations, s->activations);
    SWAP(struct ptog_number, e->condition, s->condition);
    SWAP(struct ptog_local_array *, e->arrays, s->arrays);
    SWAP(struct ptog_insn_code **, e->code, s->code);
    SWAP(ptog_core *, e->machine.core, s->core);
    SWAP(const struct ptog_op *, e->machine.at, s->core_at);
}

/* ---- one stream */

/* Gives a stream the values and instructions of its own, and counts what they cost. False when out of memory or past a
 * limit. */
static bool open_stream(struct ptog_eval *e, struct stream *s)
{
    s->value_of = calloc((size_t)e->tree->symbols.count + 2, sizeof *s->value_of);
    s->code = calloc((size_t)e->tree->op_count + 1, sizeof(*s->code));
    if (s->value_of && s->code && ptog_limit_steps(e, (struct ptog_span){0}) &&
        ptog_limit_work(e, (struct ptog_span){0}, CORE_BYTES + e->target->ub_bytes))
        return true;
    e->no_memory |= !s->value_of || !s->code;
    return false;
}

/* Opens the core of a stream and binds its tiles, before any stream runs: counters need to know who they are for.
 * False, and no_memory, when out of memory. */
static bool open_core(struct ptog_eval *e, struct stream *s)
{
    e->on = s->on;
    e->block = s->block;
    e->subblock = s->subblock;
    swap(e, s);
    bool good = ptog_machine_block(e) == PTOG_OK;
    if (good)
        ptog_bind_tiles(e);
    swap(e, s);
    e->no_memory |= !good;
    return good;
}

/* Of a kernel that is two functions, the one that the core runs. */
static const struct ptog_function *function_of(const struct ptog_eval *e, const struct stream *s,
                                               const struct ptog_function *function)
{
    const struct ptog_function *partner = e->machine.partner;
    if (partner && ptog_side_of_function(partner) == s->on)
        return partner;
    return function;
}

/* Starts or resumes a stream, which runs until it is over or stands still, and notes in it which. `e` has the state of
 * that stream meanwhile. */
static void run_stream(struct ptog_eval *e, struct stream *s, const struct ptog_function *function)
{
    e->on = s->on;
    e->block = s->block;
    e->subblock = s->subblock;
    swap(e, s);
    bool over = s->started ? ptog_interp_resume(e) : ptog_interp_start(e, function_of(e, s, function));
    s->started = true;
    s->over = over || ptog_eval_over(e);
    swap(e, s);
}

/* Ends the run of a stream's core, and frees what the stream has; `keep`: the last tiles are wanted after the run. */
static void close_stream(struct ptog_eval *e, struct stream *s, bool keep)
{
    e->on = s->on;
    e->block = s->block;
    e->subblock = s->subblock;
    swap(e, s);
    if (e->machine.core)
        ptog_machine_block_end(e, keep);
    ptog_interp_drop(e);
    ptog_local_arrays_free(e);
    for (uint32_t i = 0; i < e->chunk_count; i++)
        free(e->chunks[i]);
    free(e->chunks);
    ptog_stack_free(&e->yields);
    free(e->value_of);
    free(e->code);
    e->chunks = NULL;
    e->value_of = NULL;
    e->code = NULL;
    e->chunk_count = 0;
    e->chunk_room = 0;
    swap(e, s);
}

/* ---- all of them */

/* Fills in the streams of all blocks, one for each core, in the order in which they run; returns how many. */
static uint32_t list_streams(const struct ptog_eval *e, struct stream *streams)
{
    uint32_t count = 0;
    for (int64_t block = 0; block < e->blocks; block++) {
        if (e->machine.cube_cores)
            streams[count++] = (struct stream){.on = PTOG_SIDE_CUBE, .block = block};
        for (uint32_t i = 0; e->machine.vector_cores && i < e->subblocks; i++)
            streams[count++] = (struct stream){.on = PTOG_SIDE_VECTOR, .block = block, .subblock = i};
    }
    return count;
}

/* Whether the whole run is over, by an error. */
static bool is_run_over(const struct ptog_eval *e)
{
    return e->stopped || e->no_memory;
}

/* Runs each stream until it stands still, as long as one of them goes on. */
static void run_in_turn(struct ptog_eval *e, struct stream *streams, uint32_t count,
                        const struct ptog_function *function)
{
    bool waits = true, moved = true;
    while (waits && moved && !is_run_over(e)) {
        waits = moved = false;
        for (uint32_t i = 0; i < count && !is_run_over(e); i++) {
            uint64_t steps = e->steps;
            bool first = !streams[i].started;
            if (streams[i].over)
                continue;
            run_stream(e, &streams[i], function);
            moved |= first || streams[i].over || e->steps > steps;
            waits |= !streams[i].over;
        }
    }
    e->nobody_moves = true; /* what waits for a signal says so */
    for (uint32_t i = 0; waits && e->machine.has_signals && i < count && !is_run_over(e); i++)
        if (!streams[i].over)
            run_stream(e, &streams[i], function);
    e->nobody_moves = false;
    if (waits && !is_run_over(e))
        ptog_device_deadlock(e->machine.device);
}

void ptog_streams_run(struct ptog_eval *e, const struct ptog_function *function, bool keep)
{
    uint32_t kinds = (uint32_t)e->machine.cube_cores + (e->machine.vector_cores ? e->subblocks : 0), count, opened = 0;
    if (e->blocks > MAX_STREAMS / 3) {
        ptog_run_say(e->diags, "run-stopped",
                     "a kernel of both cores has more than 1,365 blocks: they are not supported yet");
        e->stopped = true;
        return;
    }
    struct stream *streams = calloc((size_t)e->blocks * kinds + 1, sizeof *streams);
    e->no_memory |= !streams;
    count = streams ? list_streams(e, streams) : 0;
    bool good = streams != NULL;
    while (good && opened < count) {
        good = open_stream(e, &streams[opened]) && open_core(e, &streams[opened]);
        opened++;
    }
    if (good)
        run_in_turn(e, streams, count, function);
    ptog_say_misaligned(e);
    for (uint32_t i = 0; i < opened; i++)
        close_stream(e, &streams[i], keep && i + 1 == count);
    free(streams);
    e->on = PTOG_SIDE_ANY;
    e->block = e->blocks;
}
