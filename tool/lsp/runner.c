/* tool/lsp: a program is run on generated inputs, and what came out of it is written as JSON. This happens in a process
 * of its own; the limits of the run bound its time and memory. */
#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "runner.h"

/* ---- cycles of each line, from the timeline ---- */

struct line_cost {
    uint32_t line;
    uint64_t cycles, count;
};

struct line_costs {
    struct line_cost *list; /* by line */
    size_t count, room;
    char event[600]; /* the event that is being written, of which only the beginning matters */
    size_t used;
};

static uint64_t number_after(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    return found ? strtoull(found + strlen(key), NULL, 10) : 0;
}

/* The cost of a line, which is added where it is new; NULL when out of memory. */
static struct line_cost *cost_of_line(struct line_costs *costs, uint32_t line)
{
    size_t i = costs->count;
    while (i > 0 && costs->list[i - 1].line > line)
        i--;
    if (i > 0 && costs->list[i - 1].line == line)
        return &costs->list[i - 1];
    if (!tool_reserve(&costs->list, costs->count + 1, &costs->room))
        return NULL;
    memmove(&costs->list[i + 1], &costs->list[i], (costs->count++ - i) * sizeof *costs->list);
    costs->list[i] = (struct line_cost){.line = line};
    return &costs->list[i];
}

/* An event of the timeline, one line of JSON: work of a pipe counts for the line of the program that it is of. */
static void count_event(struct line_costs *costs)
{
    costs->event[costs->used] = '\0';
    costs->used = 0;
    if (!strstr(costs->event, "\"cat\":\"work\""))
        return;
    uint64_t line = number_after(costs->event, "\"place\":\"document:");
    struct line_cost *cost = line > 0 && line < UINT32_MAX ? cost_of_line(costs, (uint32_t)line) : NULL;
    if (cost) {
        cost->cycles += number_after(costs->event, "\"cycles\":");
        cost->count++;
    }
}

/* A sink that reads the events of a trace, line by line, for the cycles of each line. */
static void take_trace(void *user, const char *text, size_t length)
{
    struct line_costs *costs = user;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n')
            count_event(costs);
        else if (costs->used + 1 < sizeof costs->event)
            costs->event[costs->used++] = text[i];
}

/* Writes the cycles of each line. */
static void put_costs(struct lsp_writer *writer, const struct line_costs *costs, const char *target)
{
    for (size_t i = 0; i < costs->count; i++) {
        lsp_put_open(writer, '{');
        lsp_put_member(writer, "target", target);
        lsp_put_number(writer, "line", costs->list[i].line);
        lsp_put_number(writer, "cycles", costs->list[i].cycles);
        lsp_put_number(writer, "count", costs->list[i].count);
        lsp_put_close(writer, '}');
    }
}

/* ---- tiles ---- */

/* Writes what a tile is and where it lies. */
static void put_tile(struct lsp_writer *writer, const char *target, const char *name, const char *type, const char *at)
{
    lsp_put_open(writer, '{');
    lsp_put_member(writer, "target", target);
    lsp_put_member(writer, "name", name);
    lsp_put_member(writer, "type", type);
    if (at[0])
        lsp_put_member(writer, "at", at);
    lsp_put_close(writer, '}');
}

static void write_place(char *words, size_t size, const char *memory, uint64_t addr, uint64_t bytes)
{
    snprintf(words, size, "%s 0x%llx..0x%llx", memory, (unsigned long long)addr,
             (unsigned long long)(addr + bytes - (bytes > 0)));
}

/* Those of UB with their descriptors; of the memories of a cube core those that got their places from the run. */
static void put_tiles(struct lsp_writer *writer, const ptog_result *result, const char *target)
{
    static const char *const memories[PTOG_LOCS] = {"UB", "L1", "L0A", "L0B", "L0C", "bias table", "scale buffer"};
    const char *name;
    struct ptog_tile tile;
    struct ptog_placed placed;
    char type[80], at[80];
    for (size_t i = 0; ptog_result_tile_at(result, i, &name, &tile); i++) {
        snprintf(type, sizeof type, "%lldx%lld %s", (long long)tile.rows, (long long)tile.cols,
                 ptog_dtype_name(tile.dtype));
        at[0] = '\0';
        if (tile.placed)
            write_place(at, sizeof at, memories[PTOG_VEC], tile.addr,
                        (uint64_t)tile.rows * (uint64_t)tile.cols * ptog_dtype_size(tile.dtype));
        put_tile(writer, target, name, type, at);
    }
    for (size_t i = 0; ptog_result_placed_at(result, i, &placed); i++) {
        if (placed.loc == PTOG_VEC || (unsigned)placed.loc >= PTOG_LOCS)
            continue;
        snprintf(type, sizeof type, "%llu bytes", (unsigned long long)placed.bytes);
        write_place(at, sizeof at, memories[placed.loc], placed.addr, placed.bytes);
        put_tile(writer, target, placed.name, type, at);
    }
}

/* ---- one run ---- */

/* What the targets of a program told, each in a list of its own. */
struct run_facts {
    struct lsp_writer tiles, lines, totals;
};

/* Writes the cycles of a run. */
static void put_total(struct lsp_writer *writer, const ptog_result *result, const char *target)
{
    struct ptog_stats stats;
    if (ptog_result_stats(result, &stats) != PTOG_OK)
        return;
    lsp_put_open(writer, '{');
    lsp_put_member(writer, "target", target);
    lsp_put_number(writer, "cycles", (uint64_t)stats.cycles);
    lsp_put_close(writer, '}');
}

/* Runs a function for one target. Inputs are generated anew: they are the same for all targets, and a run may store to
 * them. */
static void run_target(const struct lsp_settings *settings, struct judged *judged, const ptog_program *program,
                       const char *function, const struct ptog_inputs_options *options, struct run_facts *facts)
{
    struct line_costs costs = {0};
    struct ptog_sink sink = {.write = take_trace, .user = &costs};
    struct ptog_execution execution = lsp_execution_of(settings, function, judged);
    ptog_inputs *inputs = NULL;
    ptog_result *result = NULL;
    enum ptog_status status = ptog_inputs_generate(&inputs, program, &execution, options, judged->diags);
    execution.bindings = ptog_inputs_bindings(inputs, &execution.binding_count);
    execution.trace = &sink;
    execution.started = &judged->accepts;
    if (status == PTOG_OK)
        status = ptog_program_run(program, &execution, judged->diags, &result);
    judge_status(judged, status);
    put_tiles(&facts->tiles, result, judged->target->name);
    put_costs(&facts->lines, &costs, judged->target->name);
    put_total(&facts->totals, result, judged->target->name);
    ptog_result_free(result);
    ptog_inputs_free(inputs);
    free(costs.list);
}

/* Runs a program on every target that it is judged on, and keeps what the editor shows of it. */
static void run_targets(const struct lsp_settings *settings, struct judgement *judgement, const ptog_program *program,
                        const struct lsp_functions *functions, struct run_facts *facts)
{
    const struct ptog_target *targets[JUDGE_MOST];
    struct ptog_inputs_options options = {.targets = targets, .target_count = judgement->count};
    for (size_t i = 0; i < judgement->count; i++)
        targets[i] = judgement->of[i].target;
    for (size_t i = 0; i < judgement->count; i++) {
        int worst = 0;
        for (size_t f = 0; f < functions->count; f++) {
            run_target(settings, &judgement->of[i], program, functions->names[f], &options, facts);
            worst = tool_max_exit(worst, judgement->of[i].result);
        }
        judgement->of[i].result = worst;
        if (functions->count == 0)
            judge_check(&judgement->of[i], program);
    }
}

/* ---- all of it ---- */

/* Writes a list of facts that was collected. */
static void put_facts(struct lsp_writer *writer, const char *key, struct lsp_writer *facts)
{
    lsp_put_key(writer, key);
    lsp_put_open(writer, '[');
    if (facts->out.used > 0)
        lsp_put_raw(writer, facts->out.bytes, facts->out.used);
    lsp_put_close(writer, ']');
    ptog_output_free(&facts->out);
}

/* Runs a program and writes findings, facts and repair. */
static void put_run(struct lsp_writer *writer, const struct lsp_settings *settings, const struct lsp_text *text,
                    const char *uri, const ptog_program *program, const ptog_diags *parsed)
{
    struct run_facts facts = {0};
    struct lsp_functions functions = lsp_functions_of(program, text);
    struct judgement judgement;
    struct tool_telling telling = {0};
    struct lsp_seen seen = {0};
    if (judge_open(&judgement, program, settings->target)) {
        run_targets(settings, &judgement, program, &functions, &facts);
        judge_decide(&judgement, &telling);
        lsp_put_key(writer, "diagnostics");
        lsp_put_open(writer, '[');
        lsp_put_findings(writer, text, uri, parsed, &seen);
        for (size_t i = 0; i < judgement.count; i++)
            lsp_put_findings(writer, text, uri, judgement.of[i].diags, &seen);
        lsp_put_close(writer, ']');
        put_facts(writer, "tiles", &facts.tiles);
        put_facts(writer, "lines", &facts.lines);
        put_facts(writer, "totals", &facts.totals);
        lsp_put_repaired(writer, settings, text, &judgement, &functions);
    }
    judge_close(&judgement);
    free(seen.list);
}

void lsp_runner(const struct lsp_settings *settings, const struct lsp_text *text, const char *uri,
                struct lsp_writer *writer)
{
    ptog_program *program = NULL;
    ptog_diags *diags = ptog_diags_new();
    lsp_put_open(writer, '{');
    if (diags && ptog_program_parse(&program, "document", text->bytes, text->size, diags) == PTOG_OK) {
        ptog_program_be_strict(program, settings->strict);
        put_run(writer, settings, text, uri, program, diags);
    }
    lsp_put_close(writer, '}');
    ptog_program_free(program);
    ptog_diags_free(diags);
}
