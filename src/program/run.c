/* program: running: check, bind, place, then every block on a core of its own. */
#include <stdlib.h>
#include <string.h>

#include "program/eval.h"
#include "program/where.h"

#define MOST_STEPS UINT64_C(100000000)
#define ROOM_FOR_ADDRESSES ((uint64_t)16 << 20) /* where UB has no size and addresses are not known beforehand */

struct ptog_result {
    const struct ptog_program *program;
    char **names;
    struct ptog_tile *tiles;
    size_t count;
    struct ptog_plain core;
    ptog_device *device; /* NULL on a target without pipes */
};

/* ---- before */

static void say_whole(struct ptog_finds *finds, const char *id, const char *message)
{
    struct ptog_finding *found = ptog_say(finds, id, (struct ptog_span){0}, "%s", message);
    if (found)
        found->nowhere = true;
}

static const struct ptog_function *choose(const ptog_program *program, const char *name, struct ptog_finds *finds)
{
    const struct ptog_function *function = ptog_function_find(program, name);
    if (!function)
        say_whole(finds, "run-function",
                  name                           ? "there is no function of that name"
                  : program->function_count == 0 ? "there is nothing to run"
                                                 : "there are several functions: choose one");
    return function;
}

/* The same walk as a check, with the bound types; then everything has a place. */
static bool prepare(struct ptog_eval *e, const struct ptog_function *function)
{
    e->bound = true;
    ptog_eval_function(e, function);
    if (e->finds->refusals == 0)
        ptog_bind_check(e);
    if (e->finds->refusals == 0)
        ptog_place_all(e);
    return e->finds->refusals == 0 && !e->no_memory;
}

static bool start(struct ptog_eval *e)
{
    size_t symbols = (size_t)e->tree->symbols.count + 2;
    e->faults_of = calloc((size_t)e->tree->op_count + 1, sizeof *e->faults_of);
    e->last_tiles = calloc(symbols, sizeof *e->last_tiles);
    e->running = true;
    ptog_bind_numbers(e);
    return e->faults_of && e->last_tiles;
}

/* ---- blocks */

static uint64_t ub_bytes(const struct ptog_eval *e)
{
    if (e->target->ub_bytes > 0)
        return e->target->ub_bytes;
    return e->addr_unknown && e->ub_need < ROOM_FOR_ADDRESSES ? ROOM_FOR_ADDRESSES : e->ub_need;
}

/* What stands in scope from the start can be dumped too. */
static void note_slot_tiles(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++) {
        const struct ptog_slot_state *slot = &e->slots[i];
        if (slot->value.kind != PTOG_VALUE_TILE || slot->value.tile.place == 0)
            continue;
        const struct ptog_tile_place *place = &e->places[slot->value.tile.place - 1];
        if (place->needed && e->last_tiles[slot->name].dtype == PTOG_DTYPE_NONE)
            e->last_tiles[slot->name] = ptog_tile_at(slot->value.tile.tile, place->addr);
    }
}

static void pass_on(void *user, const struct ptog_mgather *m, const struct ptog_tgather *t, const struct ptog_run *run)
{
    const struct ptog_eval *e = user;
    struct ptog_line_text text;
    struct ptog_where where = ptog_where_of(&e->program->source, e->gather->name_span, &text);
    e->watch->gathers(e->watch->user, &(struct ptog_gather_seen){.name = m ? "pto.mgather" : "pto.tgather",
                                                                 .line = where.line,
                                                                 .column = where.column,
                                                                 .mgather = m,
                                                                 .tgather = t,
                                                                 .run = run});
}

static bool open_core(struct ptog_eval *e)
{
    ptog_plain_close(&e->core);
    if (e->machine.device)
        return ptog_machine_block(e) == PTOG_OK;
    if (ptog_plain_open(&e->core, e->target, ub_bytes(e)) != PTOG_OK)
        return false;
    e->core.watch = e->watch ? pass_on : NULL;
    e->core.user = e;
    return true;
}

/* Each block has a core of its own: one that hangs does not stop the others. `keep`: what the last block leaves in UB
 * will be asked for. */
static void run_blocks(struct ptog_eval *e, const struct ptog_function *function, bool keep)
{
    for (e->block = 0; e->block < e->blocks && !e->stopped && !e->no_memory; e->block++) {
        if (e->steps++ > e->max_steps) {
            say_whole(e->finds, "run-steps", "stopped: so many blocks take more operations than a run may have");
            e->stopped = true;
            return;
        }
        if (!open_core(e)) {
            e->no_memory = true;
            return;
        }
        e->hung = false;
        ptog_bind_tiles(e);
        ptog_eval_function(e, function);
        if (e->machine.device)
            ptog_machine_block_end(e, keep && e->block + 1 == e->blocks);
    }
    note_slot_tiles(e);
}

/* ---- after */

static bool keep_tile(ptog_result *result, const char *name, const struct ptog_tile *tile)
{
    char *copy = malloc(strlen(name) + 1);
    if (!copy)
        return false;
    result->names[result->count] = strcpy(copy, name);
    result->tiles[result->count++] = *tile;
    return true;
}

static ptog_result *make_result(struct ptog_eval *e)
{
    ptog_result *result = calloc(1, sizeof *result);
    size_t symbols = (size_t)e->tree->symbols.count + 1, tiles = 0;
    if (!result)
        return NULL;
    for (size_t i = 1; i <= symbols; i++)
        tiles += e->last_tiles[i].dtype != PTOG_DTYPE_NONE && e->last_tiles[i].placed;
    result->names = calloc(tiles + 1, sizeof *result->names);
    result->tiles = calloc(tiles + 1, sizeof *result->tiles);
    bool good = result->names && result->tiles;
    for (size_t i = 1; good && i <= symbols; i++)
        if (e->last_tiles[i].dtype != PTOG_DTYPE_NONE && e->last_tiles[i].placed)
            good = keep_tile(result, ptog_tree_text(e->tree, (ptog_symbol)i), &e->last_tiles[i]);
    if (!good) {
        ptog_result_free(result);
        return NULL;
    }
    result->core = e->core;
    result->core.watch = NULL;
    e->core.ub = NULL;
    result->device = e->machine.device;
    e->machine.device = NULL;
    return result;
}

static enum ptog_status run(struct ptog_eval *e, const struct ptog_execution *execution,
                            const struct ptog_function *function, ptog_result **result)
{
    if (!prepare(e, function))
        return e->no_memory ? PTOG_NO_MEMORY : PTOG_ILLEGAL;
    if (!start(e))
        return PTOG_NO_MEMORY;
    enum ptog_status status = ptog_machine_open(e, execution);
    if (status != PTOG_OK)
        return status;
    if (e->machine.device && !execution->no_sanitize)
        ptog_witness_keep(e);
    run_blocks(e, function, result != NULL);
    ptog_judge_report(e);
    ptog_machine_report(e);
    ptog_device_end_trace(e->machine.device);
    ptog_witness_show(e, execution);
    if (e->machine.waited)
        say_whole(e->finds, "run-auto", "the program has no flags: every instruction waits for the one before");
    if (e->no_memory)
        return PTOG_NO_MEMORY;
    if (e->stopped)
        return PTOG_ILLEGAL;
    if (result && !(*result = make_result(e)))
        return PTOG_NO_MEMORY;
    return e->finds->errors > 0 ? PTOG_FAULT : PTOG_OK;
}

enum ptog_status ptog_program_run(const ptog_program *program, const struct ptog_execution *execution,
                                  ptog_diags *diags, ptog_result **result)
{
    static const struct ptog_execution nothing;
    struct ptog_eval e;
    if (result)
        *result = NULL;
    if (!program)
        return PTOG_BAD_ARGUMENT;
    execution = execution ? execution : &nothing;
    if (execution->blocks < 0 || (!execution->bindings && execution->binding_count > 0))
        return PTOG_BAD_ARGUMENT;
    const struct ptog_target *target = execution->target ? execution->target : program->target;
    struct ptog_finds finds = {.source = &program->source};
    enum ptog_status status = ptog_eval_open(&e, program, target ? target : ptog_target_find("host"), &finds);
    e.bindings = execution->bindings;
    e.binding_count = execution->binding_count;
    e.blocks = execution->blocks ? execution->blocks : 1;
    e.watch = execution->watch;
    e.max_steps = execution->max_steps ? execution->max_steps : MOST_STEPS;
    const struct ptog_function *function = choose(program, execution->function, &finds);
    if (status == PTOG_OK)
        status = function ? run(&e, execution, function, result) : PTOG_ILLEGAL;
    if (!ptog_finds_give(&finds, diags))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_NO_MEMORY && result) {
        ptog_result_free(*result);
        *result = NULL;
    }
    ptog_finds_free(&finds);
    ptog_eval_close(&e);
    return status;
}

/* ---- results */

void ptog_result_free(ptog_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->count; i++)
        free(result->names[i]);
    free(result->names);
    free(result->tiles);
    ptog_plain_close(&result->core);
    ptog_device_close(result->device);
    free(result);
}

static const struct ptog_tile *find_tile(const ptog_result *result, const char *name)
{
    for (size_t i = 0; result && name && i < result->count; i++)
        if (strcmp(result->names[i], name) == 0)
            return &result->tiles[i];
    return NULL;
}

enum ptog_status ptog_result_tile(const ptog_result *result, const char *name, struct ptog_result_tile *tile)
{
    const struct ptog_tile *found = find_tile(result, name);
    if (!found || !tile)
        return PTOG_BAD_ARGUMENT;
    tile->dtype = found->dtype;
    tile->rows = found->valid_row > 0 ? found->valid_row : found->rows;
    tile->cols = found->valid_col > 0 ? found->valid_col : found->cols;
    return PTOG_OK;
}

enum ptog_status ptog_result_copy(const ptog_result *result, const char *name, void *data, size_t bytes)
{
    struct ptog_result_tile tile;
    if (!data || ptog_result_tile(result, name, &tile) != PTOG_OK)
        return PTOG_BAD_ARGUMENT;
    uint64_t size = (uint64_t)tile.rows * (uint64_t)tile.cols * ptog_dtype_size(tile.dtype);
    if (bytes != size)
        return PTOG_BAD_ARGUMENT;
    ptog_plain_peek(&result->core, find_tile(result, name), data);
    return PTOG_OK;
}

bool ptog_result_differs(const ptog_result *a, const ptog_result *b, struct ptog_difference *found)
{
    for (size_t i = 0; a && b && i < a->count; i++) {
        const struct ptog_tile *tile = &a->tiles[i], *other = find_tile(b, a->names[i]);
        struct ptog_result_tile shape;
        if (!other || tile->addr != other->addr || tile->dtype != other->dtype ||
            ptog_tile_bytes(tile) != ptog_tile_bytes(other) || ptog_result_tile(a, a->names[i], &shape) != PTOG_OK)
            continue;
        size_t bytes = (size_t)(shape.rows * shape.cols) * ptog_dtype_size(shape.dtype);
        unsigned char *data[2] = {malloc(bytes + 1), malloc(bytes + 1)};
        bool differs = false;
        if (data[0] && data[1]) {
            ptog_plain_peek(&a->core, tile, data[0]);
            ptog_plain_peek(&b->core, other, data[1]);
            differs = ptog_bytes_differ(data[0], data[1], bytes, shape.dtype, found);
        }
        free(data[0]);
        free(data[1]);
        if (!differs)
            continue;
        found->name = a->names[i];
        found->rank = 2;
        found->shape[0] = shape.rows;
        found->shape[1] = shape.cols;
        return true;
    }
    return false;
}

enum ptog_status ptog_result_stats(const ptog_result *result, struct ptog_stats *stats)
{
    if (!result || !result->device || !stats)
        return PTOG_BAD_ARGUMENT;
    ptog_device_stats(result->device, stats);
    return PTOG_OK;
}

bool ptog_result_ub_at(const ptog_result *result, size_t i, struct ptog_ub_entry *entry)
{
    return result && result->device && ptog_device_ub_at(result->device, i, entry);
}
