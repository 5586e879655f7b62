/* The batch program of programs.py: programs and their data come in on stdin, what the library did goes out on stdout.
 *
 * Each program is parsed, printed in every form and read again, and run: as it came, as each form, and under other
 * schedules of the machine, which may change neither a byte nor a letter of the report. Buffers are
 * allocated to the exact byte so that a sanitizer sees an access past the end. The format is native 64-bit words and
 * raw bytes, as in the batch program of tests/conform; programs.py is its other side, and the order of the fields is
 * the format. Any I/O error ends the program with a message and exit status 2. */
#include <string.h>

#include <ptog/ptog.h>

#include "base/pick.h"
#include "pto/case.h"

#define FORMS (PTOG_AS_ASM + 1)

/* ---- writing ---- */

static void write_diags(const ptog_diags *diags)
{
    size_t count = ptog_diags_count(diags);
    write_word((int64_t)count);
    for (size_t i = 0; i < count; i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        write_word(diag->severity);
        write_word(diag->where.line);
        write_word(diag->related_count > 0 ? diag->related[0].where.line : 0);
        write_text(diag->id, strlen(diag->id));
        write_text(diag->message, strlen(diag->message));
    }
}

/* ---- printing and reading again ---- */

static enum ptog_status print_program(const ptog_program *program, enum ptog_form_text form, struct text *to)
{
    struct ptog_sink sink = {.write = append, .user = to};
    *to = (struct text){0};
    return ptog_program_print(program, form, &sink, NULL);
}

static bool same(const struct text *a, const struct text *b)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

enum trip { TRIP_GOOD, TRIP_NO_FORM, TRIP_NOT_PRINTED, TRIP_NOT_READ, TRIP_DIFFERENT, TRIP_LOSSY };

/* Prints in a form, reads that, and prints again: the same text, and the same program in DPS as the one it came from.
 */
static enum trip round_trip(const ptog_program *program, enum ptog_form_text form, const struct text *dps,
                            struct text *first)
{
    ptog_program *again = NULL;
    struct text second = {0}, back = {0};
    enum ptog_status status = print_program(program, form, first);
    enum trip trip = TRIP_GOOD;
    if (status != PTOG_OK)
        trip = status == PTOG_ILLEGAL ? TRIP_NO_FORM : TRIP_NOT_PRINTED;
    if (trip == TRIP_GOOD && ptog_program_parse(&again, "again", first->bytes, first->length, NULL) != PTOG_OK)
        trip = TRIP_NOT_READ;
    if (again) {
        if (print_program(again, form, &second) != PTOG_OK || !same(first, &second))
            trip = TRIP_DIFFERENT;
        else if (print_program(again, PTOG_AS_DPS, &back) != PTOG_OK || !same(dps, &back))
            trip = TRIP_LOSSY;
    }
    ptog_program_free(again);
    free(second.bytes);
    free(back.bytes);
    return trip;
}

static void write_trips(const ptog_program *program, struct text texts[FORMS])
{
    struct text dps;
    write_word(print_program(program, PTOG_AS_DPS, &dps));
    for (int form = 0; form < FORMS; form++) {
        write_word(round_trip(program, (enum ptog_form_text)form, &dps, &texts[form]));
        write_text(texts[form].bytes, texts[form].length);
    }
    free(dps.bytes);
}

/* ---- running ---- */

static void write_dump(const ptog_result *result, const char *name)
{
    struct ptog_result_tile tile = {0};
    enum ptog_status status = result ? ptog_result_tile(result, name, &tile) : PTOG_BAD_ARGUMENT;
    write_word(status);
    write_word(tile.dtype);
    write_word(tile.rows);
    write_word(tile.cols);
    size_t bytes = status == PTOG_OK ? (size_t)(tile.rows * tile.cols) * ptog_dtype_size(tile.dtype) : 0;
    char *data = malloc(ptog_max(bytes, 1));
    if (!data)
        fail("out of memory");
    if (status == PTOG_OK && ptog_result_copy(result, name, data, bytes) != PTOG_OK)
        fail("a tile of a result cannot be copied");
    write_text(data, bytes);
    free(data);
}

struct schedule {
    enum ptog_schedule kind;
    uint64_t seed;
};
static const struct schedule usual;

static enum ptog_status execute(const ptog_program *program, const struct program_case *c, struct schedule schedule,
                                const struct ptog_binding *bindings, ptog_diags *diags, ptog_result **result)
{
    struct ptog_execution execution = {.target = ptog_target_find(c->target.bytes),
                                       .bindings = bindings,
                                       .binding_count = c->binding_count,
                                       .blocks = c->blocks,
                                       .schedule = schedule.kind,
                                       .seed = schedule.seed};
    if (!execution.target)
        fail("a case names an unknown target");
    return ptog_program_run(program, &execution, diags, result);
}

/* What a run leaves behind: its status, its report as people and as programs read it, and its tiles. */
struct outcome {
    enum ptog_status status;
    struct text report, tiles;
};

static void keep_tile(struct text *tiles, const ptog_result *result, const char *name)
{
    struct ptog_result_tile tile = {0};
    if (!result || ptog_result_tile(result, name, &tile) != PTOG_OK)
        return;
    size_t bytes = (size_t)(tile.rows * tile.cols) * ptog_dtype_size(tile.dtype);
    char *data = allocate(bytes);
    if (ptog_result_copy(result, name, data, bytes) != PTOG_OK)
        fail("a tile of a result cannot be copied");
    append(tiles, data, bytes);
    free(data);
}

static struct outcome outcome_of(enum ptog_status status, const ptog_result *result, const struct program_case *c,
                                 const ptog_diags *diags)
{
    struct outcome outcome = {.status = status};
    ptog_report_text(diags, &(struct ptog_sink){.write = append, .user = &outcome.report});
    ptog_report_json(diags, c->target.bytes, &(struct ptog_sink){.write = append, .user = &outcome.report});
    for (size_t i = 0; i < c->dump_count; i++)
        keep_tile(&outcome.tiles, result, c->dumps[i].bytes);
    return outcome;
}

static void free_outcome(struct outcome *outcome)
{
    free(outcome->report.bytes);
    free(outcome->tiles.bytes);
}

static struct outcome run_program(const ptog_program *program, const struct program_case *c, struct ptog_binding *after,
                                  ptog_diags *diags)
{
    ptog_result *result = NULL;
    ptog_diags_clear(diags);
    enum ptog_status status = execute(program, c, usual, after, diags, &result);
    struct outcome outcome = outcome_of(status, result, c, diags);
    write_word(status);
    write_diags(diags);
    for (size_t i = 0; i < c->binding_count; i++)
        write_text(after[i].data.data, after[i].data.bytes);
    for (size_t i = 0; i < c->dump_count; i++)
        write_dump(result, c->dumps[i].bytes);
    ptog_result_free(result);
    return outcome;
}

static bool same_memory(const struct program_case *c, const struct ptog_binding *a, const struct ptog_binding *b)
{
    for (size_t i = 0; i < c->binding_count; i++)
        if (memcmp(a[i].data.data, b[i].data.data, a[i].data.bytes) != 0)
            return false;
    return true;
}

/* ---- other schedules ---- */

static struct schedule schedule_of(const struct program_case *c, size_t i)
{
    if (i < 2)
        return (struct schedule){i == 0 ? PTOG_SCHEDULE_FAST : PTOG_SCHEDULE_SLOW, 0};
    return (struct schedule){PTOG_SCHEDULE_RANDOM, c->seed + i};
}

enum difference { SAME, OTHER_STATUS = 1, OTHER_MEMORY = 2, OTHER_TILES = 4, OTHER_REPORT = 8 };

/* Writes how the run differs from the usual one, and its report where that is another one. */
static void run_schedule(const ptog_program *program, const struct program_case *c, size_t i,
                         const struct outcome *first, const struct ptog_binding *after)
{
    struct ptog_binding bindings[MAX_COUNT];
    ptog_result *result = NULL;
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        fail("out of memory");
    copy_bindings(bindings, c);
    enum ptog_status status = execute(program, c, schedule_of(c, i), bindings, diags, &result);
    struct outcome other = outcome_of(status, result, c, diags);
    int difference = status == first->status ? SAME : OTHER_STATUS;
    difference |= same_memory(c, bindings, after) ? SAME : OTHER_MEMORY;
    difference |= same(&other.tiles, &first->tiles) ? SAME : OTHER_TILES;
    difference |= same(&other.report, &first->report) ? SAME : OTHER_REPORT;
    write_word(difference);
    write_text(other.report.bytes, difference & OTHER_REPORT ? other.report.length : 0);
    free_outcome(&other);
    free_bindings(bindings, c->binding_count);
    ptog_result_free(result);
    ptog_diags_free(diags);
}

/* ---- other forms ---- */

/* Does a printed form leave the same bytes as the program it was printed from? */
static bool runs_alike(const struct text *text, const struct program_case *c, const struct ptog_binding *after)
{
    ptog_program *program = NULL;
    struct ptog_binding bindings[MAX_COUNT];
    if (text->length == 0 || ptog_program_parse(&program, "again", text->bytes, text->length, NULL) != PTOG_OK)
        return true; /* round_trip has said so */
    copy_bindings(bindings, c);
    execute(program, c, usual, bindings, NULL, NULL);
    bool alike = same_memory(c, bindings, after);
    free_bindings(bindings, c->binding_count);
    ptog_program_free(program);
    return alike;
}

static void print_and_run(const ptog_program *program, const struct program_case *c, ptog_diags *diags)
{
    struct text texts[FORMS];
    struct ptog_binding after[MAX_COUNT];
    write_trips(program, texts);
    copy_bindings(after, c);
    struct outcome first = run_program(program, c, after, diags);
    for (size_t i = 0; i < c->schedules; i++)
        run_schedule(program, c, i, &first, after);
    free_outcome(&first);
    for (int form = 0; form < FORMS; form++) {
        write_word(runs_alike(&texts[form], c, after));
        free(texts[form].bytes);
    }
    free_bindings(after, c->binding_count);
}

static void run_case(const struct program_case *c, ptog_diags *diags)
{
    ptog_program *program = NULL;
    write_word(BATCH_RESULT_MARK);
    write_word(ptog_program_parse(&program, "case.pto", c->source.bytes, c->source.length, diags));
    write_diags(diags);
    write_word(program != NULL);
    if (program)
        print_and_run(program, c, diags);
    ptog_program_free(program);
}

static bool next_case(ptog_diags *diags)
{
    static struct program_case c;
    if (!read_case(&c))
        return false;
    run_case(&c, diags);
    free_case(&c);
    return true;
}

int main(void)
{
    return run_batch(next_case);
}
