/* tool: the runs of ptog compare: what is compared, one run per target, the first element that differs. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

#include "compare_close.h"
#include "io/pick.h"

/* ---- outputs ---- */

static struct compare_output *add_output(struct compare_request *request, const char *name)
{
    if (!tool_reserve(&request->outputs, request->output_count + 1, &request->output_room))
        return NULL;
    request->outputs[request->output_count] = (struct compare_output){.name = name};
    return &request->outputs[request->output_count++];
}

static bool is_given(const struct compare_request *request, const char *name)
{
    for (size_t i = 0; i < request->items.count; i++)
        if (strcmp(request->items.list[i].name, name) == 0)
            return true;
    return false;
}

/* --data none: memory that is written, and for which nothing was given, starts as zeros; the rest has to be given. */
static bool add_outputs_only(struct compare_request *request, const ptog_program *program)
{
    struct ptog_slot slot;
    for (size_t i = 0; ptog_program_slot_at(program, request->function, i, &slot); i++) {
        if (slot.kind == PTOG_SLOT_TILE || is_given(request, slot.name))
            continue;
        if (slot.kind == PTOG_SLOT_NUMBER)
            return tool_fail("compare", "missing argument %%%s: give it with --set %s=N", slot.name, slot.name), false;
        if (!slot.written)
            return tool_fail("compare", "missing argument %%%s: give it with --in %s=FILE", slot.name, slot.name),
                   false;
        if (!run_add_out(&request->items, slot.name))
            return false;
    }
    return true;
}

/* Lists the buffers that the program writes as outputs to be compared, with copies of what they hold before. False when
 * out of memory. */
static bool add_memory_outputs(struct compare_request *request)
{
    for (size_t i = 0; i < request->items.count; i++) {
        struct run_item *item = &request->items.list[i];
        if (item->kind == RUN_SET || !item->slot.written || item->slot.kind != PTOG_SLOT_MEMORY)
            continue;
        struct compare_output *output = add_output(request, item->name);
        if (!output || !(output->initial = malloc(tool_max(item->bytes, 1))))
            return tool_fail("compare", "out of memory"), false;
        memcpy(output->initial, item->data, item->bytes);
        output->item = item;
        item->copies = request->target_count + 1;
        output->dtype = item->dtype;
        output->rank = item->rank;
        memcpy(output->shape, item->shape, sizeof output->shape);
        output->bytes = item->bytes;
    }
    return true;
}

/* Names of the text that are tiles at the end. */
struct tiles {
    struct compare_request *request;
    const ptog_result *result;
    bool failed;
};

/* Adds a tile of the result to the outputs, once; false when out of memory. */
static bool take_tile(struct tiles *tiles, const char *name)
{
    struct ptog_result_tile tile;
    for (size_t i = 0; i < tiles->request->output_count; i++)
        if (strcmp(tiles->request->outputs[i].name, name) == 0)
            return true;
    if (ptog_result_tile(tiles->result, name, &tile) != PTOG_OK)
        return true;
    struct compare_output *output = add_output(tiles->request, name);
    if (!output)
        return false;
    output->dtype = tile.dtype;
    output->rank = 2;
    output->shape[0] = tile.rows;
    output->shape[1] = tile.cols;
    output->bytes = (size_t)(tile.rows * tile.cols) * ptog_dtype_size(tile.dtype);
    return true;
}

/* Adds the tiles that an operation names to the outputs. */
static bool take_tiles(void *user, const struct ptog_op_seen *op)
{
    struct tiles *tiles = user;
    for (size_t i = 0; i < op->operand_count; i++)
        tiles->failed = tiles->failed || !take_tile(tiles, op->operands[i]);
    for (size_t i = 0; i < op->result_count; i++)
        tiles->failed = tiles->failed || !take_tile(tiles, op->results[i]);
    return !tiles->failed;
}

/* ---- running ---- */

/* The execution that a request describes, with these bindings. */
static struct ptog_execution execution_of(const struct compare_request *request, const struct ptog_binding *bindings,
                                          size_t count)
{
    return (struct ptog_execution){.function = request->function,
                                   .bindings = bindings,
                                   .binding_count = count,
                                   .blocks = request->blocks,
                                   .max_steps = (uint64_t)request->max_steps,
                                   .max_work = (uint64_t)request->max_work,
                                   .max_memory = (uint64_t)request->max_memory};
}

/* Gives every buffer the bytes that it had before the run. */
static void restore_outputs(const struct compare_request *request)
{
    for (size_t i = 0; i < request->output_count; i++)
        if (request->outputs[i].item)
            memcpy(request->outputs[i].item->data, request->outputs[i].initial, request->outputs[i].bytes);
}

/* Keeps copies of what a run left in the outputs; false when out of memory. */
static bool keep_outputs(struct compare_request *request, struct compare_result *result, const ptog_result *left)
{
    result->outputs = calloc(request->output_count + 1, sizeof *result->outputs);
    for (size_t i = 0; result->outputs && i < request->output_count; i++) {
        const struct compare_output *output = &request->outputs[i];
        unsigned char *bytes = calloc(output->bytes + 1, 1);
        if (!bytes)
            return false;
        result->outputs[i] = bytes;
        if (output->item)
            memcpy(bytes, output->item->data, output->bytes);
        else if (ptog_result_copy(left, output->name, bytes, output->bytes) != PTOG_OK)
            memset(bytes, 0, output->bytes); /* a tile that this target does not have in this shape */
    }
    return result->outputs != NULL;
}

/* Data that is missing is a mistake of the command line, not of a target. */
static bool is_bound(const struct compare_result *result)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(result->diags, i)) != NULL; i++)
        if (tool_has_id(diag, "run-unbound"))
            return tool_fail("compare", "%s", diag->message), false;
    return true;
}

/* False after a message. */
static bool run_target(struct compare_request *request, const ptog_program *program, struct compare_result *result,
                       struct ptog_execution execution)
{
    ptog_result *left = NULL;
    result->diags = ptog_diags_new();
    restore_outputs(request);
    execution.target = result->target;
    enum ptog_status status =
        result->diags ? ptog_program_run(program, &execution, result->diags, &left) : PTOG_NO_MEMORY;
    bool good = status == PTOG_OK || status == PTOG_FAULT || status == PTOG_ILLEGAL;
    result->outcome = status == PTOG_ILLEGAL ? COMPARE_REFUSED : COMPARE_EQUAL;
    if (good && result->outcome == COMPARE_EQUAL) {
        struct tiles tiles = {request, left, false};
        if (request->output_count == 0)
            ptog_program_walk(program, take_tiles, &tiles);
        good = !tiles.failed && keep_outputs(request, result, left);
        if (!good)
            status = PTOG_NO_MEMORY;
    }
    ptog_result_free(left);
    restore_outputs(request);
    return good || (tool_fail("compare", "%s: %s", request->path, ptog_status_text(status)), false);
}

/* ---- comparing ---- */

/* Notes which output differs, and at which indices. */
static void where_is(struct compare_result *result, const struct compare_output *output, size_t element)
{
    result->output = output->name;
    result->rank = output->rank;
    if (result->rank < 1)
        result->rank = 1;
    for (int d = result->rank - 1; d >= 0; d--) {
        int64_t extent = d > 0 && output->shape[d] > 0 ? output->shape[d] : INT64_MAX;
        result->at[d] = (int64_t)(element % (uint64_t)extent);
        element /= (uint64_t)extent;
    }
}

/* The bound of two targets is that of the device among them. */
static double bound_of(const ptog_program *program, const struct compare_result *a, const struct compare_result *b,
                       enum ptog_dtype dtype)
{
    double x = compare_bound(program, a->target, dtype), y = compare_bound(program, b->target, dtype);
    return x > y ? x : y;
}

/* `slack`: by how much more elements may differ, because the targets add in different orders. Programs without an
 * instruction that rounds, and without that, are compared bit by bit. */
static void compare_outputs(const struct compare_request *request, const ptog_program *program,
                            const struct compare_result *baseline, struct compare_result *result, double slack)
{
    result->outcome = COMPARE_EQUAL;
    result->near = result->within = false;
    result->ordered = slack > 0;
    for (size_t i = 0; i < request->output_count; i++) {
        const struct compare_output *output = &request->outputs[i];
        const unsigned char *a = baseline->outputs[i], *b = result->outputs[i];
        enum ptog_dtype dtype = output->dtype != PTOG_DTYPE_NONE ? output->dtype : PTOG_U8;
        size_t size = ptog_dtype_size(dtype);
        double bound = bound_of(program, baseline, result, dtype);
        struct compare_tolerance tolerance = {bound < 0 ? 0 : bound, slack};
        for (size_t at = 0; at + size <= output->bytes; at += size) {
            if (memcmp(a + at, b + at, size) == 0)
                continue;
            enum compare_closeness close = COMPARE_FAR;
            if (bound >= 0 || slack > 0)
                close = compare_closeness(dtype, a + at, b + at, &tolerance);
            result->near |= close == COMPARE_NEAR;
            result->within |= close == COMPARE_WITHIN;
            if (close != COMPARE_FAR)
                continue;
            result->outcome = COMPARE_DIFFERS;
            result->ordered = false;
            where_is(result, output, at / size);
            compare_put_value(result->value[0], dtype, a + at);
            compare_put_value(result->value[1], dtype, b + at);
            return;
        }
    }
}

/* Whether the output that differs is an operand of the gather that is to explain it. */
struct element_search {
    const struct compare_result *result;
    bool found;
};

/* Whether the instruction that was found to differ has the output among its operands. */
static bool search_operand(void *user, const struct ptog_op_seen *op)
{
    struct element_search *search = user;
    const struct compare_why *why = &search->result->why;
    for (size_t i = 0; op->line == why->line && op->column == why->column && i < op->operand_count; i++)
        search->found = search->found || strcmp(op->operands[i], search->result->output) == 0;
    return !search->found;
}

/* Finds why a target's result differs from the baseline's; false when out of memory. */
static bool find_why(const ptog_program *program, const struct ptog_execution *execution,
                     const struct ptog_target *baseline, struct compare_result *result)
{
    struct element_search search = {.result = result};
    if (!compare_find_why(program, execution, baseline, result->target, &result->why) ||
        (!result->why.instruction &&
         !compare_find_why_other_target(program, execution, baseline, result->target, &result->why)))
        return false;
    if (result->why.scratch) {
        ptog_program_walk(program, search_operand, &search);
        if (!search.found)
            result->why = (struct compare_why){0};
    }
    return true;
}

/* Adds the errata behind the errors with which a target refuses the program. */
static void refusal_errata(struct compare_result *result)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(result->diags, i)) != NULL; i++) {
        const struct ptog_erratum *erratum = diag->severity == PTOG_ERROR ? ptog_erratum_of_rule(diag->id) : NULL;
        if (erratum)
            compare_add_erratum(&result->why, erratum->id);
    }
}

/* The first listed target that runs. */
static struct compare_result *baseline_of(struct compare_request *request)
{
    for (size_t i = 0; i < request->target_count; i++)
        if (request->results[i].outcome != COMPARE_REFUSED)
            return &request->results[i];
    return NULL;
}

/* Runs the program on every target, compares and explains the results, and prints them; the exit status. */
static int compare_all(struct compare_request *request, const ptog_program *program, struct ptog_execution execution)
{
    struct compare_report report = {request->path, request->results, request->target_count, NULL};
    int status = TOOL_OK;
    for (size_t i = 0; i < request->target_count; i++)
        if (!run_target(request, program, &request->results[i], execution) || !is_bound(&request->results[i]))
            return TOOL_USAGE;
    struct compare_result *baseline = baseline_of(request);
    for (size_t i = 0; i < request->target_count; i++) {
        struct compare_result *result = &request->results[i];
        if (result->outcome == COMPARE_REFUSED) {
            refusal_errata(result);
        } else if (result == baseline) {
            result->outcome = COMPARE_BASELINE;
            report.baseline = result->target;
        } else {
            compare_outputs(request, program, baseline, result, 0);
            if (result->outcome == COMPARE_DIFFERS && !find_why(program, &execution, baseline->target, result))
                return tool_fail("compare", "out of memory");
            if (result->why.slack > 0)
                compare_outputs(request, program, baseline, result, result->why.slack);
            restore_outputs(request);
        }
        if (result->outcome == COMPARE_REFUSED || result->outcome == COMPARE_DIFFERS)
            status = TOOL_WRONG;
    }
    if (request->format == TOOL_JSON)
        compare_print_json(&report);
    else
        compare_print_text(&report);
    return status;
}

/* Recipes, and what is not bound: so that the program can run on every target. */
static int generate(struct compare_request *request, const ptog_program *program)
{
    struct ptog_execution execution = execution_of(request, NULL, 0);
    request->targets = calloc(request->target_count, sizeof *request->targets);
    if (!request->targets)
        return tool_fail("compare", "out of memory");
    for (size_t i = 0; i < request->target_count; i++)
        request->targets[i] = request->results[i].target;
    request->items.targets = request->targets;
    request->items.target_count = request->target_count;
    request->items.made_up = !request->data_text;
    return run_make_up(&request->items, program, &execution, NULL);
}

int compare_program(struct compare_request *request, const ptog_program *program)
{
    size_t count;
    if (!request->function && ptog_program_function_at(program, 0) && !ptog_program_entry(program))
        return tool_fail("compare", "the program has several functions: give --func");
    if (request->data_text && !add_outputs_only(request, program))
        return TOOL_USAGE;
    if (!run_load(&request->items, program, request->function))
        return TOOL_USAGE;
    int status = generate(request, program);
    if (status == TOOL_OK && !add_memory_outputs(request))
        status = TOOL_USAGE;
    if (status != TOOL_OK)
        return status;
    struct ptog_binding *bindings = run_bindings(&request->items, &count);
    if (!bindings)
        return tool_fail("compare", "out of memory");
    status = compare_all(request, program, execution_of(request, bindings, count));
    free(bindings);
    return status;
}
