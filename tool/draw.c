/* tool: ptog draw, the tile operation diagram of an instruction with its actual operands. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <stdlib.h>
#include <string.h>

#include "run.h"

struct draw_request {
    const char *path, *example, *target_text, *function, *line_text, *turn_text, *steps_text, *data_text, *to;
    bool text; /* characters instead of SVG */
    bool quiet;
    const struct ptog_target *target;
    int64_t line, turn, max_steps;
    struct run_items items;
};

/* ---- which lines have an instruction that can be drawn ---- */

#define MAX_LISTED 12

struct draw_candidates {
    uint32_t line;     /* that is asked for; 0: none */
    const char *other; /* what stands in that line instead of a tile instruction; NULL: nothing */
    bool found;
    size_t gathers, all;
};

static bool is_gather(const char *name)
{
    enum ptog_opcode opcode = ptog_opcode_find(name);
    return opcode == PTOG_MGATHER || opcode == PTOG_MSCATTER || opcode == PTOG_TGATHER;
}

/* Counts what can be drawn, and whether something can at the line. */
static bool count_op(void *user, const struct ptog_op_seen *op)
{
    struct draw_candidates *candidates = user;
    bool is_tile = ptog_opcode_find(op->name) != PTOG_NO_INSN;
    candidates->all += is_tile;
    candidates->gathers += is_gather(op->name);
    if (op->line != candidates->line)
        return true;
    candidates->found |= is_tile;
    if (!is_tile)
        candidates->other = op->name;
    return true;
}

struct draw_listing {
    bool gathers; /* only these */
    size_t count;
};

/* Prints an instruction that can be drawn, while the list is short. */
static bool list_op(void *user, const struct ptog_op_seen *op)
{
    struct draw_listing *listing = user;
    bool is_tile = ptog_opcode_find(op->name) != PTOG_NO_INSN;
    if (!is_tile || (listing->gathers && !is_gather(op->name)))
        return true;
    if (listing->count++ < MAX_LISTED)
        fprintf(stderr, "  --line %-6u %s\n", (unsigned)op->line, op->name);
    return true;
}

static void list_lines(const ptog_program *program, bool gathers)
{
    struct draw_listing listing = {.gathers = gathers};
    ptog_program_walk(program, list_op, &listing);
    if (listing.count > MAX_LISTED)
        fprintf(stderr, "  and %zu more\n", listing.count - MAX_LISTED);
}

/* ---- which function that line is in ---- */

struct draw_place {
    uint32_t line;
    size_t functions, before; /* in all; that begin at the line or before it */
};

/* Finds the function that a line is in. */
static bool draw_place(void *user, const struct ptog_op_seen *op)
{
    struct draw_place *where = user;
    if (strcmp(op->name, "func.func") == 0) {
        where->functions++;
        where->before += op->line <= where->line;
    }
    return true;
}

/* NULL: not known, or not asked for. */
static const char *function_of_line(const ptog_program *program, int64_t line)
{
    struct draw_place where = {.line = (uint32_t)line};
    size_t listed = 0;
    while (ptog_program_function_at(program, listed))
        listed++;
    ptog_program_walk(program, draw_place, &where);
    bool known = line > 0 && where.before > 0 && where.functions == listed;
    if (known)
        return ptog_program_function_at(program, where.before - 1);
    return NULL;
}

/* A line that has nothing to draw, or a program without a line that is meant. */
static int choose_line(const struct draw_request *request, const ptog_program *program)
{
    struct draw_candidates candidates = {.line = (uint32_t)request->line};
    enum ptog_status status = ptog_program_walk(program, count_op, &candidates);
    if (status != PTOG_OK)
        return tool_fail("draw", "%s: %s", request->path, ptog_status_text(status));
    if (candidates.all == 0)
        return tool_fail("draw", "%s: no tile instruction to draw", request->path);
    if (request->line > 0 && !candidates.found) {
        if (candidates.other)
            tool_fail("draw", "line %lld: %s cannot be drawn; these instructions can:", (long long)request->line,
                      candidates.other);
        else
            tool_fail("draw",
                      "line %lld has no instruction; these instructions can be drawn:", (long long)request->line);
        list_lines(program, false);
        return TOOL_USAGE;
    }
    if (request->line == 0 && candidates.gathers == 0 && candidates.all > 1) {
        tool_fail("draw", "%s: no gather found; give --line with one of these:", request->path);
        list_lines(program, false);
        return TOOL_USAGE;
    }
    if (request->line == 0 && candidates.gathers > 1 && !request->quiet) {
        fputs("ptog draw: note: drawing the first gather that runs; there are\n", stderr);
        list_lines(program, true);
    }
    return TOOL_OK;
}

/* ---- drawing ---- */

/* The picture, to its file or to standard output. */
struct draw_picture {
    struct ptog_output bytes;
    struct ptog_sink sink;
};

static void start_picture(struct draw_picture *picture, const struct draw_request *request)
{
    bool streams = !request->to || strcmp(request->to, "-") == 0;
    *picture = (struct draw_picture){.bytes = {0}};
    picture->sink = ptog_output_sink(&picture->bytes);
    picture->sink.colour = request->text && streams && tool_shows_colour(stdout);
}

/* Writes the picture if it is complete, and frees it; the exit status. */
static int end_picture(struct draw_picture *picture, const struct draw_request *request, bool complete)
{
    int code = complete ? TOOL_OK : TOOL_USAGE;
    if (complete && picture->bytes.no_memory)
        code = tool_fail("draw", "out of memory");
    else if (complete && !tool_output_write("draw", &picture->bytes, request->to))
        code = TOOL_USAGE;
    ptog_output_free(&picture->bytes);
    return code;
}

/* Writes a drawing as SVG or text to where the request says; returns the exit status. */
static int write_drawing(const struct draw_request *request, const ptog_drawing *drawing)
{
    struct draw_picture picture;
    start_picture(&picture, request);
    enum ptog_status status = (request->text ? ptog_drawing_text : ptog_drawing_svg)(drawing, &picture.sink);
    if (status != PTOG_OK)
        tool_fail("draw", "%s: %s", request->path, ptog_status_text(status));
    return end_picture(&picture, request, status == PTOG_OK);
}

/* ---- examples ---- */

/* Prints the examples and what they show. */
static int list_examples(void)
{
    for (size_t i = 0; ptog_draw_example_at(i); i++) {
        printf("%-22s", ptog_draw_example_at(i)->id);
        tool_print_wrapped(22, ptog_draw_example_at(i)->what);
    }
    return TOOL_OK;
}

/* Prints that there is no such example, with the nearest one; returns the exit status. */
static int unknown_example(const char *id)
{
    struct tool_nearest nearest = {.word = id};
    for (size_t i = 0; ptog_draw_example_at(i); i++)
        tool_nearest_offer(&nearest, ptog_draw_example_at(i)->id);
    if (nearest.best)
        return tool_fail("draw", "unknown example '%s'; did you mean '%s'?", id, nearest.best);
    return tool_fail("draw", "unknown example '%s'; 'ptog draw --example list' lists them", id);
}

/* Draws an example by its name, or lists all; returns the exit status. */
static int draw_example(const struct draw_request *request)
{
    const struct ptog_draw_example *example = ptog_draw_example_find(request->example);
    struct draw_picture picture;
    if (strcmp(request->example, "list") == 0)
        return list_examples();
    if (!example)
        return unknown_example(request->example);
    start_picture(&picture, request);
    return end_picture(&picture, request, tool_draw_example("draw", example, request->text, &picture.sink));
}

/* ---- programs ---- */

static int never_runs(const struct draw_request *request)
{
    if (request->turn > 1)
        return tool_fail("draw", "%s: the instruction does not run %lld times with these inputs", request->path,
                         (long long)request->turn);
    return tool_fail("draw", "%s: the instruction does not run with these inputs; give others with --set and --in",
                     request->path);
}

/* Draws an instruction of the function that is executed; the exit status. */
static int draw_function(const struct draw_request *request, const ptog_program *program,
                         struct ptog_execution *execution, ptog_diags *diags)
{
    const struct ptog_draw_choice choice = {.line = (uint32_t)request->line, .turn = (uint64_t)request->turn};
    ptog_drawing *drawing;
    enum ptog_status status = ptog_program_draw(&drawing, program, execution, &choice, diags);
    if (status == PTOG_OK) {
        int code = write_drawing(request, drawing);
        ptog_drawing_free(drawing);
        return code;
    }
    if (status == PTOG_BAD_ARGUMENT)
        return never_runs(request);
    if (status == PTOG_NO_MEMORY)
        return tool_fail("draw", "%s: %s", request->path, ptog_status_text(status));
    return TOOL_WRONG;
}

/* Finds function, line and data for what is to be drawn, and draws it; the exit status. */
static int draw_program(struct draw_request *request, const ptog_program *program, ptog_diags *diags)
{
    if (!request->function && !ptog_program_entry(program)) /* else the line may be in a function that it calls */
        request->function = function_of_line(program, request->line);
    struct ptog_execution execution = {
        .target = request->target, .function = request->function, .max_steps = (uint64_t)request->max_steps};
    int status = run_choose_function("draw", program, request->function);
    if (status == TOOL_OK)
        status = choose_line(request, program);
    if (status != TOOL_OK)
        return status;
    request->items.made_up = !request->data_text;
    request->items.silent = request->quiet;
    if (!run_load(&request->items, program, request->function))
        return TOOL_USAGE;
    status = run_make_up(&request->items, program, &execution, NULL);
    if (status != TOOL_OK)
        return status;
    struct ptog_binding *bindings = run_bindings(&request->items, &execution.binding_count);
    if (!bindings)
        return tool_fail("draw", "out of memory");
    execution.bindings = bindings;
    status = draw_function(request, program, &execution, diags);
    free(bindings);
    return status;
}

/* Reads the program and draws; the exit status. */
static int draw_file(struct draw_request *request)
{
    ptog_program *program;
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        return tool_fail("draw", "out of memory");
    int status = tool_open("draw", request->path, &program, diags, NULL);
    if (status == TOOL_OK)
        status = draw_program(request, program, diags);
    if (status == TOOL_WRONG)
        tool_report(diags, TOOL_TEXT);
    ptog_program_free(program);
    ptog_diags_free(diags);
    return status;
}

/* ---- the command line ---- */

/* Reads the number of an option above 0; false, with a message, for anything else. */
static bool is_positive(const char *option, const char *text, int64_t *number)
{
    if (!text || (run_number(text, number) && *number > 0 && *number <= UINT32_MAX))
        return true;
    return tool_usage("draw", "%s %s: expected a number of 1 or more", option, text), false;
}

/* Reads and checks the options; TOOL_OK or TOOL_USAGE. */
static int take_draw_options(int argc, char **argv, struct draw_request *request)
{
    if (!tool_parse(argc, argv, &tool_draw, request, &request->path, 1) ||
        !is_positive("--line", request->line_text, &request->line) ||
        !is_positive("--turn", request->turn_text, &request->turn) ||
        !is_positive("--max-steps", request->steps_text, &request->max_steps))
        return TOOL_USAGE;
    if (!request->path && !request->example)
        return tool_usage("draw", "needs a file; '-' is standard input");
    if (request->example && (request->path || request->line_text || request->target_text || request->items.count > 0))
        return tool_usage("draw", "--example has its own program and data: only -o and --text can be added");
    if (request->target_text && !(request->target = tool_target("draw", request->target_text)))
        return TOOL_USAGE;
    if (request->data_text && strcmp(request->data_text, "none") != 0)
        return tool_usage("draw", "--data %s: expected none", request->data_text);
    if (request->path && request->to && strcmp(request->to, "-") != 0 && strcmp(request->to, request->path) == 0)
        return tool_usage("draw", "%s is the program and would be overwritten", request->to);
    if (run_items_agree(&request->items, request->path, TOOL_TEXT))
        return TOOL_OK;
    return TOOL_USAGE;
}

/* ptog draw: the exit status. */
static int draw_run(int argc, char **argv)
{
    struct draw_request request = {.items.command = "draw"};
    int status = take_draw_options(argc, argv, &request);
    if (status == TOOL_OK)
        status = request.example ? draw_example(&request) : draw_file(&request);
    run_items_free(&request.items);
    return status;
}

#define AT(field) .at = offsetof(struct draw_request, field)

static const struct tool_option options[] = {
    {"-o", "FILE", "the file to write; default: standard output", TOOL_FILES, AT(to)},
    {"--text", NULL, "draw with characters instead of SVG", NULL, AT(text)},
    {"--line", "N", "the instruction at line N; default: the first gather that runs", NULL, AT(line_text)},
    {"--turn", "N", "the N-th time that it runs, in a loop (default 1)", NULL, AT(turn_text)},
    {"--target", "T", "see 'ptog targets'; default: the target that the module names, or host", TOOL_TARGETS,
     AT(target_text)},
    {"--in", "NAME=FILE",
     "input data, as for 'ptog run': a file, or generated data: zeros, arange, full:3, random:7, all elements (1,2,3,4), or a repeated list (repeat:1,2)",
     TOOL_FILES, AT(items), run_take, RUN_IN},
    {"--set", "NAME=N", "a number argument: 7, 0x10, or 2.5 for floating point", NULL, AT(items), run_take, RUN_SET},
    {"--out", "NAME=16x32", "the shape of an output, if the program does not give it", NULL, AT(items), run_take_shape},
    {"--data", "none", "report missing arguments instead of generating data", "none", AT(data_text)},
    {"--func", "NAME", "the function to run, if there are several", NULL, AT(function)},
    {"--max-steps", "N", "stop after N operations (default 10,000,000)", NULL, AT(steps_text)},
    {"--example", "ID", "draw a built-in example such as mgather-row-clamp instead of a program; 'list' lists them",
     TOOL_EXAMPLES, AT(example)},
    {"--quiet", NULL, "do not print notes", NULL, AT(quiet)},
    {.name = NULL},
};

const struct tool_command tool_draw = {
    .name = "draw",
    .arguments = "FILE [--line N] [--text] [-o PICTURE] [OPTION]...",
    .summary = "draw an instruction and its operands: where each element comes from",
    .about =
        "Runs a program up to an instruction and draws it: tiles, the view of memory and indices as grids with their "
        "values, and an arrow from where each element was read to where it was written. Colours mark elements that were "
        "clamped, wrapped, zeroed, out of range or padding. Large operands are elided. '-' is standard input. Arguments "
        "that are not bound get generated data, as with 'ptog run'.",
    .options = options,
    .after =
        "The picture is written once it is complete; for a program that is refused, none is written. The exit status is "
        "1 if the program is refused, 2 if there is nothing to draw.",
    .offers = TOOL_FILES,
    .run = draw_run,
};
