/* tool: ptog scatter, rows or elements of a file into a copy of a table, at the places that an array of indices says.
 */
#define _POSIX_C_SOURCE 200809L /* STDERR_FILENO */
#include "gather.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scatter_request {
    const char *into, *index, *from, *out, *mode, *oob, *threads;
    bool adds, quiet;
};

/* ---- the command line ---- */

/* The first option that a scatter needs and does not have; NULL: none. */
static const char *missing_option(const struct scatter_request *request)
{
    if (!request->into)
        return "--into";
    if (!request->index)
        return "--index";
    if (!request->from)
        return "--from";
    return request->out ? NULL : "-o";
}

/* Reads the options into the job; false after an error, which is reported. */
static bool read_request(const struct scatter_request *request, struct gather_job *job)
{
    static const char *const modes[] = {"row", "elem", NULL}, *const policies[] = {"undefined", "skip", "clamp", "wrap",
                                                                                   NULL};
    static const enum ptog_oob numbers[] = {PTOG_OOB_UNDEFINED, PTOG_OOB_ZERO, PTOG_OOB_CLAMP, PTOG_OOB_WRAP};
    const char *const inputs[] = {request->into, request->index, request->from}, *missing = missing_option(request);
    int from_stdin = 0;
    if (missing) {
        tool_usage("scatter", "needs %s", missing);
        return false;
    }
    for (int i = 0; i < 3; i++)
        from_stdin += strcmp(inputs[i], "-") == 0;
    if (from_stdin > 1) {
        tool_usage("scatter", "only one array can come from standard input");
        return false;
    }
    int mode = gather_find_word("scatter", "--mode", request->mode, modes);
    int oob = mode < 0 ? -1 : gather_find_word("scatter", "--oob", request->oob, policies);
    if (oob < 0 || !gather_read_threads("scatter", request->threads, &job->threads))
        return false;
    job->mode = (enum ptog_coalesce)mode; /* in the order of its enum */
    job->oob = numbers[oob];
    job->adds = request->adds;
    job->quiet = request->quiet;
    return true;
}

/* ---- what the arrays make together ---- */

static bool refuse_path(const char *path, const char *why)
{
    tool_fail("scatter", "%s: %s", path, why);
    return false;
}

static bool open_table(struct gather_table *table, const char *into, bool is_rank)
{
    const struct gather_specs specs = {.list = {into}, .count = 1, .command = "scatter", .converts = !is_rank};
    if (!gather_table_open(table, &specs) || (is_rank && !gather_table_is_plain(table)))
        return false;
    return table->count == 1 || refuse_path(into, "not supported yet: a table in several files");
}

/* Whether the rows have the table's element type; if not, that is printed. */
static bool types_agree(const struct gather_job *job)
{
    const struct tool_npy *table = &job->table.array, *rows = &job->rows->array;
    char wanted[24], found[24];
    if (table->kind == rows->kind && table->item == rows->item)
        return true;
    tool_npy_type_name(wanted, table);
    tool_npy_type_name(found, rows);
    tool_fail("scatter", "%s: holds %s, and the table %s: types must be equal", job->rows->path, found, wanted);
    return false;
}

/* Row: the shape of the rows is that of the indices, then that of a row. Elem: that of the indices. */
static bool shapes_agree(const struct gather_job *job)
{
    const struct tool_npy *table = &job->table.array, *index = &job->index.array, *rows = &job->rows->array;
    int tail = job->mode == PTOG_ROW ? table->rank - 1 : 0, rank = index->rank + tail;
    int64_t shape[2 * TOOL_NPY_MAX_RANK];
    char wanted[TOOL_SHAPE_NAME], found[TOOL_SHAPE_NAME];
    memcpy(shape, index->shape, (size_t)index->rank * sizeof *shape);
    memcpy(shape + index->rank, table->shape + 1, (size_t)tail * sizeof *shape);
    if (rows->rank == rank && memcmp(rows->shape, shape, (size_t)rank * sizeof *shape) == 0)
        return true;
    tool_shape_name(wanted, rank, shape);
    tool_shape_name(found, rows->rank, rows->shape);
    tool_fail("scatter", "%s: is %s; expected %s, %s", job->rows->path, found, wanted,
              job->mode == PTOG_ROW ? "the shape of the indices, then that of a row" : "the shape of the indices");
    return false;
}

/* Whether the table's element type can be added to, if that is wanted; if not, that is printed. */
static bool can_add(const struct gather_job *job)
{
    enum ptog_dtype dtype = gather_table_type(&job->table);
    char type[24];
    if (!job->adds || (dtype != PTOG_DTYPE_NONE && job->table.array.kind != 'b'))
        return true;
    tool_npy_type_name(type, &job->table.array);
    tool_fail("scatter", "%s: holds %s, which --add does not support", job->table.path, type);
    return false;
}

/* The output is the table again: its type and shape. */
static bool plan_job(struct gather_job *job)
{
    const struct tool_npy *table = &job->table.array, *index = &job->index.array;
    bool is_row = job->mode == PTOG_ROW;
    if (is_row && table->rank == 0)
        return refuse_path(job->table.path, "is a single number; a table needs at least one dimension");
    if (!types_agree(job) || !shapes_agree(job) || !can_add(job))
        return false;
    gather_table_place(&job->table, job->mode);
    job->capacity = is_row ? (uint64_t)table->shape[0] : table->bytes / table->item;
    job->lanes = index->bytes / index->item;
    job->lane = table->item;
    if (is_row && !tool_shape_bytes(table->item, table->rank - 1, table->shape + 1, &job->lane))
        return refuse_path(job->table.path, "the bytes of a row do not fit in 63 bits");
    job->rank = table->rank;
    memcpy(job->shape, table->shape, sizeof table->shape);
    return true;
}

/* Reads everything but the rows and the indices. TOOL_OK: the job can be done. */
static int prepare_job(int argc, char **argv, bool is_rank, struct gather_job *job, struct gather_source *rows,
                       struct gather_output *out)
{
    struct scatter_request request = {0};
    const char *argument[1] = {NULL};
    if (!tool_parse(argc, argv, &tool_scatter, &request, argument, 0) || !read_request(&request, job))
        return TOOL_USAGE;
    job->rows = rows;
    if (open_table(&job->table, request.into, is_rank) && gather_open_index(&job->index, request.index, "scatter") &&
        gather_open(rows, request.from, "scatter") && gather_convert(rows) && plan_job(job) &&
        gather_output_read(out, job, request.out))
        return TOOL_OK;
    return TOOL_USAGE;
}

/* ptog scatter, in one process or as one of several ranks; the exit status. */
static int scatter_command(int argc, char **argv)
{
    struct gather_job job = {.command = "scatter", .start = tool_seconds()};
    struct gather_source rows = {0};
    struct gather_output out = {0};
    struct tool_ranks ranks = {.visible = STDERR_FILENO};
    bool is_rank = tool_ranks_count() > 0;
    if (is_rank && !tool_ranks_start(&ranks, "scatter"))
        return TOOL_USAGE;
    gather_guard("scatter", ranks.visible);
    int result = prepare_job(argc, argv, is_rank, &job, &rows, &out);
    if (is_rank) {
        result = gather_scatter_ranks(&job, &out, &ranks, result);
    } else if (result == TOOL_OK) {
        gather_note_inputs(&job);
        result = gather_scatter_run(&job, &out);
    }
    gather_name_free(&out.name);
    gather_close(&rows);
    gather_close(&job.index);
    gather_table_close(&job.table);
    if (is_rank)
        tool_ranks_end(&ranks);
    return result;
}

#define AT(field) .at = offsetof(struct scatter_request, field)

static const struct tool_option options[] = {
    {"--into", "T",
     "the table: T.npy, or T.safetensors#TENSOR; the only tensor of a file needs no #TENSOR. The file stays as it is",
     TOOL_FILES, AT(into)},
    {"--index", "I", "integers of any type and shape, from a file that is named in the same way, or 1,2,3", TOOL_FILES,
     AT(index)},
    {"--from", "R", "the rows: of the table's type, with the shape of the indices and then that of a row", TOOL_FILES,
     AT(from)},
    {"-o", "OUT",
     "the output, of the table's type and shape, written once it is complete: OUT.npy, OUT.safetensors, or '-' for npy "
     "on standard output",
     TOOL_FILES, AT(out)},
    {"--add", NULL, "add to what is there instead of replacing it; every addition is rounded", AT(adds)},
    {"--mode", "row", "out[index[i],...] = rows[i,...] (the default)", "row elem", AT(mode)},
    {"--mode", "elem", "flat(out)[index[i]] = rows[i]", .offers = NULL},
    {"--oob", "undefined",
     "an index outside the table is an error: exit 1, no file, the first one is named (the default)",
     "undefined skip clamp wrap", AT(oob)},
    {"--oob", "skip", "write nothing for it", .offers = NULL},
    {"--oob", "clamp", "use the last row instead", .offers = NULL},
    {"--oob", "wrap", "use the index modulo the number of rows", .offers = NULL},
    {"--threads", "N", "use at most N threads (default 1)", NULL, AT(threads)},
    {"--quiet", NULL, "print warnings and errors only", AT(quiet)},
    {.name = NULL},
};

const struct tool_command tool_scatter = {
    .name = "scatter",
    .arguments = "--into T --index I --from R -o OUT [OPTION]...",
    .summary = "write rows or elements of a file into a table in a file",
    .about =
        "The inverse of ptog gather: copies the table, and writes the rows to the places that the indices name.\n"
        "Of equal indices the last one wins, and sums are added in the order of the indices, for any number of "
        "threads and of MPI ranks. Files are mapped, and the output is made a part at a time: a table may be larger "
        "than memory.",
    .options = options,
    .after = "Indices are unsigned, as in MSCATTER: a negative index is a very large one, which skip leaves out. Under "
             "clamp and wrap a warning shows how many there are.",
    .run = scatter_command,
};
