/* tool: ptog gather, rows or elements of an array in a file, through an array of indices in another. */
#define _POSIX_C_SOURCE 200809L /* STDERR_FILENO */
#include "gather.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what the arrays make together ---- */

/* Appends an array's extents, from number `from` on, to those of the output; false, with a message, when there are too
 * many. */
static bool add_extents(struct gather_job *job, const struct tool_npy *array, int from)
{
    for (int d = from; d < array->rank; d++)
        job->shape[job->rank++] = array->shape[d];
    if (job->rank <= TOOL_NPY_MAX_RANK)
        return true;
    tool_fail("gather", "the output would have %d dimensions; an npy file has at most %d", job->rank,
              TOOL_NPY_MAX_RANK);
    return false;
}

/* How many elements an array has. */
static uint64_t element_count(const struct tool_npy *array)
{
    return array->bytes / array->item;
}

/* Row: output shape = index shape + row shape. Elem: the table is one long row. */
static bool plan_job(struct gather_job *job)
{
    const struct tool_npy *table = &job->table.array, *index = &job->index.array;
    uint64_t bytes;
    if (job->mode == PTOG_ROW && table->rank == 0) {
        tool_fail("gather", "%s: is a single number; a table needs at least one dimension", job->table.path);
        return false;
    }
    bool rows = job->mode == PTOG_ROW;
    job->capacity = rows ? (uint64_t)table->shape[0] : element_count(table);
    gather_table_place(&job->table, job->mode);
    job->lane = table->item;
    job->lanes = element_count(index);
    if (rows && !tool_shape_bytes(table->item, table->rank - 1, table->shape + 1, &job->lane)) {
        tool_fail("gather", "%s: the bytes of a row do not fit in 63 bits", job->table.path);
        return false;
    }
    if (!add_extents(job, index, 0) || (rows && !add_extents(job, table, 1)))
        return false;
    if (tool_shape_bytes(table->item, job->rank, job->shape, &bytes))
        return true;
    tool_fail("gather", "the bytes of the output do not fit in 63 bits");
    return false;
}

/* ---- the command line ---- */

struct gather_request {
    struct gather_specs tables;
    const char *index, *out, *mode, *oob, *threads, *io, *format;
    struct gather_bag_request bag;
    bool output_shards, quiet;
};

bool gather_take_table(void *at, const char *text, int kind)
{
    struct gather_specs *specs = at;
    (void)kind;
    if (specs->count == GATHER_MAX_SPECS) {
        tool_usage(specs->command, "--table is given more than %d times: name files by a pattern", GATHER_MAX_SPECS);
        return false;
    }
    specs->list[specs->count++] = text;
    return true;
}

/* How many arrays come from standard input. */
static int count_stdin(const struct gather_request *request)
{
    int count = strcmp(request->index, "-") == 0;
    for (size_t i = 0; i < request->tables.count; i++)
        count += strcmp(request->tables.list[i], "-") == 0;
    return count;
}

/* Reads --io into the job; false after an error, which is reported. */
static bool read_io(const struct gather_request *request, struct gather_job *job)
{
    static const char *const ways[] = {"auto", "mmap", "uring", NULL}; /* in the order of enum gather_io */
    int io = gather_find_word("gather", "--io", request->io, ways);
    job->io = (enum gather_io)io;
    if (io == GATHER_IO_URING && request->bag.mode) {
        tool_usage("gather", "not supported yet: --io uring with --bag");
        return false;
    }
    return io >= 0;
}

/* Reads --format into the job; false after an error, which is reported. */
static bool read_format(const struct gather_request *request, struct gather_job *job)
{
    static const char *const formats[] = {"text", "json", NULL};
    int format = gather_find_word("gather", "--format", request->format, formats);
    job->json = format == 1;
    if (job->json && strcmp(request->out, "-") == 0) {
        tool_usage("gather", "-o - and --format json cannot both use standard output");
        return false;
    }
    return format >= 0;
}

/* Reads the options into the job; false after an error, which is reported. */
static bool read_request(const struct gather_request *request, struct gather_job *job)
{
    static const char *const modes[] = {"row", "elem", NULL}, *const policies[] = {"undefined", "clamp", "wrap", "zero",
                                                                                   NULL};
    const char *missing = NULL;
    if (request->tables.count == 0)
        missing = "--table";
    else if (!request->index)
        missing = "--index";
    else if (!request->out)
        missing = "-o";
    if (missing) {
        tool_usage("gather", "needs %s", missing);
        return false;
    }
    int mode = gather_find_word("gather", "--mode", request->mode, modes);
    int oob = mode < 0 ? -1 : gather_find_word("gather", "--oob", request->oob, policies);
    if (oob < 0 || !gather_read_threads("gather", request->threads, &job->threads))
        return false;
    job->mode = (enum ptog_coalesce)mode; /* both lists are in the order of their enums */
    job->oob = (enum ptog_oob)oob;
    job->output_shards = request->output_shards;
    job->quiet = request->quiet;
    if (!read_io(request, job) || !read_format(request, job))
        return false;
    if (count_stdin(request) < 2)
        return true;
    tool_usage("gather", "the table and the index cannot both come from standard input");
    return false;
}

/* Ranks map the files. */
static bool is_ready(const struct gather_job *job, bool is_rank)
{
    if (is_rank && job->io == GATHER_IO_URING) {
        tool_fail("gather", "not supported yet: --io uring under mpirun");
        return false;
    }
    return true;
}

/* Makes the job of the arrays: of bags, or of single rows and elements. */
static bool plan_arrays(struct gather_job *job, struct gather_bag *bag, const struct gather_request *request,
                        bool is_rank)
{
    if (!bag->is_wanted)
        return plan_job(job);
    job->bag = bag;
    if (is_rank) {
        tool_fail("gather", "not supported yet: --bag under mpirun");
        return false;
    }
    return gather_bag_plan(bag, job, &request->bag);
}

/* Reads everything but the table's rows and the indices. TOOL_OK: the job can be done. */
static int prepare_job(int argc, char **argv, bool is_rank, struct gather_job *job, struct gather_output *out,
                       struct gather_bag *bag)
{
    struct gather_request request = {.tables = {.command = "gather", .converts = !is_rank}};
    if (!gather_parse(argc, argv, &tool_gather, &request, &request.tables) || !read_request(&request, job) ||
        !gather_bag_read(bag, &request.bag))
        return TOOL_USAGE;
    if (is_ready(job, is_rank) && gather_table_open(&job->table, &request.tables) &&
        (!is_rank || gather_table_is_plain(&job->table)) && gather_open_index(&job->index, request.index, "gather") &&
        plan_arrays(job, bag, &request, is_rank) && gather_output_read(out, job, request.out))
        return TOOL_OK;
    return TOOL_USAGE;
}

/* All of it by this process. */
static int run_alone(struct gather_job *job, struct gather_output *out, const struct gather_bag *bag)
{
    if (job->output_shards && !gather_output_shard(out, job, 0, 1))
        return TOOL_USAGE;
    gather_note_inputs(job);
    if (bag->is_wanted)
        return gather_bag_run(bag, job, out);
    return gather_run(job, out);
}

/* ptog gather, in one process or as one of several ranks; the exit status. */
static int gather_command(int argc, char **argv)
{
    struct gather_job job = {.command = "gather", .start = tool_seconds()};
    struct gather_output out = {0};
    struct gather_bag bag = {0};
    struct tool_ranks ranks = {.visible = STDERR_FILENO};
    bool is_rank = tool_ranks_count() > 0;
    if (is_rank && !tool_ranks_start(&ranks, "gather"))
        return TOOL_USAGE;
    gather_guard("gather", ranks.visible);
    int result = prepare_job(argc, argv, is_rank, &job, &out, &bag);
    if (is_rank)
        result = gather_run_ranks(&job, &out, &ranks, result);
    else if (result == TOOL_OK)
        result = run_alone(&job, &out, &bag);
    gather_name_free(&out.name);
    gather_bag_close(&bag);
    gather_close(&job.index);
    gather_table_close(&job.table);
    if (is_rank)
        tool_ranks_end(&ranks);
    return result;
}

#define AT(field) .at = offsetof(struct gather_request, field)

static const struct tool_option options[] = {
    {"--table", "T",
     "the table: T.npy, T.safetensors#TENSOR, or safetensors:FILE#TENSOR for any name of a file; the only tensor of a "
     "file needs no #TENSOR, and \\# is a # in a name",
     TOOL_FILES, AT(tables), gather_take_table},
    {"--table", "M.index.json#T", "the tensor T of a model in several safetensors files, of which this is the list",
     .offers = NULL},
    {"--table", "PATTERN",
     "all files that match a quoted pattern (*, ?, []), in the order of the numbers in their names: s2.npy before "
     "s10.npy. --table may also be repeated. The rows of all files are concatenated; types and row shapes must be "
     "equal",
     .offers = NULL},
    {"--index", "I", "integers of any type and shape, from a file that is named in the same way", TOOL_FILES,
     AT(index)},
    {"--index", "1,2,3", "the numbers themselves", .offers = NULL},
    {"-o", "OUT",
     "the output, written once it is complete: OUT.npy, OUT.safetensors, or '-' for npy on standard output. A tensor "
     "has the name of the table's tensor ('data' if the table is npy), or NAME in OUT.safetensors#NAME",
     TOOL_FILES, AT(out)},
    {"--mode", "row", "out[i,...] = table[index[i],...]: index shape + row shape (the default)", "row elem", AT(mode)},
    {"--mode", "elem", "out[i] = flat(table)[index[i]]: index shape", .offers = NULL},
    {"--oob", "undefined",
     "an index outside the table is an error: exit 1, no file, the first one is named (the default)",
     "undefined clamp wrap zero", AT(oob)},
    {"--oob", "clamp", "use the last row instead", .offers = NULL},
    {"--oob", "wrap", "use the index modulo the number of rows", .offers = NULL},
    {"--oob", "zero", "use a row of zeros instead", .offers = NULL},
    {"--bag", "sum",
     "out[b,...] = the sum of the rows of bag b, in double precision and rounded once; a table of 1-byte elements gives "
     "float32. Rows are float32, float16, bfloat16, int8 or 1-byte floats",
     "sum mean max", AT(bag.mode)},
    {"--bag", "mean|max", "their mean, or their maximum", .offers = NULL},
    {"--offsets", "F",
     "where each bag starts in the indices: whole numbers in a file, or 0,2,3. Without it the indices have two "
     "dimensions, a bag in each row",
     TOOL_FILES, AT(bag.offsets)},
    {"--weights", "W", "float32, one for each index: multiplies its row. For --bag sum", TOOL_FILES, AT(bag.weights)},
    {"--scales", "S", "float32, one for each row of the table, or one for all: multiplies the rows of a bag",
     TOOL_FILES, AT(bag.scales)},
    {"--threads", "N", "use at most N threads (default 1)", NULL, AT(threads)},
    {"--io", "auto",
     "how rows are read: with io_uring, where the table is larger than 1 GiB or a quarter of memory, a row has 64 bytes or "
     "more, and the system allows it, else from mapped files (the default)",
     "auto mmap uring", AT(io)},
    {"--io", "mmap", "from mapped files always", .offers = NULL},
    {"--io", "uring", "with io_uring always; an error where there is none", .offers = NULL},
    {"--output-shards", NULL,
     "each rank of an MPI job writes a file of its own, OUT-00001-of-00004.npy: its part of the output's first "
     "dimension; a single process writes OUT-00001-of-00001.npy",
     AT(output_shards)},
    {"--format", "F",
     "output format: text (one line on standard error) or json (rows, bytes and seconds on standard output)",
     "text json", AT(format)},
    {"--quiet", NULL, "print warnings and errors only", AT(quiet)},
    {.name = NULL},
};

const struct tool_command tool_gather = {
    .name = "gather",
    .arguments = "--table T --index I -o OUT [OPTION]...",
    .summary = "gather rows or elements of an array in a file",
    .about =
        "Reads the table and the indices from npy or safetensors files, '-' from standard input, and writes a file of the "
        "table's type. Files are mapped, not loaded: a table may be larger than memory. npy files that are big-endian or "
        "in Fortran order are converted in memory first.",
    .options = options,
    .after =
        "Indices are unsigned, as in MGATHER: a negative index is a very large one. Under clamp and wrap, where numpy behaves differently, a warning shows how many there are.\nTypes that numpy does not have (bf16, 1-byte floats) are stored as uint16 and uint8 in an npy file.",
    .run = gather_command,
};
