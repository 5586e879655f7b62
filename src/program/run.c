/* program: running: check, bind, place, then every block on a core of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/tile.h"
#include "program/run.h"
#include "program/where.h"

#define MOST_STEPS UINT64_C(10000000)

/* ---- before */

static void say_whole(struct ptog_finds *finds, const char *id, const char *message)
{
    struct ptog_finding *found = ptog_say(finds, id, (struct ptog_span){0}, "%s", message);
    if (found)
        found->nowhere = true;
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static void say_completed(struct ptog_finds *finds, const struct ptog_completion *completion)
{
    uint32_t pairs = completion->pairs, barriers = completion->barriers;
    char message[240];
    if (pairs + barriers == 0)
        return;
    int used = snprintf(message, sizeof message, "the program has no flags: %u pair%s of flags", (unsigned)pairs,
                        plural(pairs));
    if (barriers > 0)
        used += snprintf(message + used, sizeof message - (size_t)used, " and %u barrier%s", (unsigned)barriers,
                         plural(barriers));
    snprintf(message + used, sizeof message - (size_t)used, " %s put in; --print-placement shows where%s",
             pairs + barriers == 1 ? "was" : "were",
             completion->untried > 0 || completion->cut
                 ? "; the run is long, so that each of them is needed was tried on its beginning only"
                 : "");
    say_whole(finds, "run-auto", message);
}

const struct ptog_target *ptog_run_target(const struct ptog_program *program, const struct ptog_execution *execution)
{
    const struct ptog_function *function = ptog_function_find(program, execution->function);
    if (execution->target)
        return execution->target;
    return function && function->target ? function->target : ptog_target_find("host");
}

const struct ptog_function *ptog_run_function(const struct ptog_program *program,
                                              const struct ptog_execution *execution, struct ptog_finds *finds)
{
    const struct ptog_function *function = ptog_function_find(program, execution->function);
    if (!function)
        say_whole(finds, "run-function",
                  execution->function            ? "there is no function of that name"
                  : program->function_count == 0 ? "there is nothing to run"
                                                 : "there are several functions: choose one");
    return function;
}

/* The same walk as a check, with the bound types; then everything has a place. */
enum ptog_status ptog_run_prepare(struct ptog_eval *e, const struct ptog_execution *execution,
                                  const struct ptog_function *function)
{
    if (!ptog_bind_names(e, execution->bindings, execution->binding_count))
        return PTOG_NO_MEMORY;
    e->blocks = execution->blocks ? execution->blocks : 1;
    e->watch = execution->watch;
    e->progress = execution->progress;
    e->max_steps = execution->max_steps ? execution->max_steps : MOST_STEPS;
    e->bound = true;
    ptog_functions_check(e->program, execution->target != NULL, e->finds);
    ptog_eval_function(e, function);
    if (e->finds->refusals == 0)
        ptog_bind_check(e);
    if (e->finds->refusals == 0)
        ptog_place_all(e);
    return e->no_memory ? PTOG_NO_MEMORY : e->finds->refusals > 0 ? PTOG_ILLEGAL : PTOG_OK;
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

/* Each block has a core of its own: one that hangs does not stop the others. `keep`: what the last block leaves in UB
 * will be asked for. */
static void run_blocks(struct ptog_eval *e, const struct ptog_function *function, bool keep)
{
    for (e->block = 0; e->block < e->blocks && !e->stopped && !e->no_memory; e->block++) {
        if (e->steps++ > e->max_steps) {
            struct ptog_finding *found = ptog_eval_exhausted(e, (struct ptog_span){0});
            if (found)
                found->nowhere = true;
            return;
        }
        if (ptog_machine_block(e) != PTOG_OK) {
            e->no_memory = true;
            return;
        }
        e->hung = false;
        ptog_bind_tiles(e);
        ptog_eval_function(e, function);
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

static ptog_result *make_result(struct ptog_eval *e, struct ptog_completion *completion)
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
    result->ub = e->machine.ub;
    result->ub_bytes = e->machine.ub_bytes;
    e->machine.ub = NULL;
    if (e->machine.pipes) {
        result->device = e->machine.device;
        e->machine.device = NULL;
        ptog_device_share_verdicts(result->device, NULL);
    }
    result->program = e->program;
    result->completion = *completion;
    *completion = (struct ptog_completion){0};
    ptog_places_sort(e->places, e->place_count);
    result->places = e->places;
    result->place_count = e->place_count;
    e->places = NULL;
    return result;
}

/* After it was prepared. `shows`: its races get witnesses. `keep`: as above. */
static enum ptog_status run_prepared(struct ptog_eval *e, const struct ptog_execution *execution,
                                     const struct ptog_function *function, bool shows, bool keep)
{
    enum ptog_status status = start(e) ? ptog_machine_open(e, execution) : PTOG_NO_MEMORY;
    if (status != PTOG_OK)
        return status;
    if (shows && e->machine.pipes && !execution->no_sanitize)
        ptog_witness_keep(e);
    run_blocks(e, function, keep);
    return e->no_memory ? PTOG_NO_MEMORY : PTOG_OK;
}

enum ptog_status ptog_run_once(struct ptog_eval *e, const struct ptog_execution *execution,
                               const struct ptog_function *function)
{
    enum ptog_status status = ptog_run_prepare(e, execution, function);
    return status == PTOG_OK ? run_prepared(e, execution, function, false, false) : status;
}

static enum ptog_status run(struct ptog_eval *e, const struct ptog_execution *execution,
                            const struct ptog_function *function, ptog_result **result)
{
    struct ptog_completion completion = {0};
    struct ptog_trial trial = {0};
    enum ptog_status status = ptog_run_prepare(e, execution, function);
    if (status == PTOG_OK && e->target->machine != PTOG_NO_MACHINE && !e->machine.has_sync && !execution->watch) {
        status = ptog_completion_open(&completion, e->program);
        if (status == PTOG_OK)
            status = ptog_complete(&completion, e, execution, function, false);
        trial.completion = &completion;
        trial.discovers = completion.cut;
        e->machine.trial = &trial;
    }
    if (status == PTOG_OK)
        status = run_prepared(e, execution, function, true, result != NULL);
    if (status == PTOG_OK) {
        ptog_judge_report(e);
        ptog_machine_report(e, execution, function);
        ptog_device_end_trace(e->machine.device);
        ptog_witness_show(e, execution);
        if (completion.cut)
            ptog_completion_count(&completion);
        say_completed(e->finds, &completion);
        status = e->no_memory ? PTOG_NO_MEMORY : e->stopped ? PTOG_ILLEGAL : PTOG_OK;
    }
    if (status == PTOG_OK && result && !(*result = make_result(e, &completion)))
        status = PTOG_NO_MEMORY;
    ptog_completion_close(&completion);
    return status == PTOG_OK && e->finds->errors > 0 ? PTOG_FAULT : status;
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
    struct ptog_finds finds = {.source = &program->source};
    enum ptog_status status = ptog_eval_open(&e, program, ptog_run_target(program, execution), &finds);
    const struct ptog_function *function = ptog_run_function(program, execution, &finds);
    if (status == PTOG_OK)
        status = function ? run(&e, execution, function, result) : PTOG_ILLEGAL;
    if (!ptog_finds_give(&finds, diags))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_FAULT && finds.errors == 0) /* the text allows all of them */
        status = PTOG_OK;
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
    free(result->places);
    ptog_completion_close(&result->completion);
    free(result->ub);
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

bool ptog_result_tile_at(const ptog_result *result, size_t i, const char **name, struct ptog_tile *tile)
{
    if (!result || !name || !tile || i >= result->count)
        return false;
    *name = result->names[i];
    *tile = result->tiles[i];
    return true;
}

enum ptog_status ptog_result_copy(const ptog_result *result, const char *name, void *data, size_t bytes)
{
    struct ptog_result_tile tile;
    if (!data || ptog_result_tile(result, name, &tile) != PTOG_OK)
        return PTOG_BAD_ARGUMENT;
    uint64_t size = (uint64_t)tile.rows * (uint64_t)tile.cols * ptog_dtype_size(tile.dtype);
    if (bytes != size)
        return PTOG_BAD_ARGUMENT;
    ptog_tile_pack(find_tile(result, name), result->ub, result->ub_bytes, data);
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
            ptog_tile_pack(tile, a->ub, a->ub_bytes, data[0]);
            ptog_tile_pack(other, b->ub, b->ub_bytes, data[1]);
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
