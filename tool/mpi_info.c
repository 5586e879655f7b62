/* tool: ptog mpi-info, how a table would lie over the ranks of an MPI job. */
#define _POSIX_C_SOURCE 200809L /* STDERR_FILENO */
#include "gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/pick.h"

struct info_request {
    struct gather_specs tables;
    const char *ranks;
};

/* Reads --ranks; false, with a message, for what is no number of ranks. */
static bool read_ranks(const char *text, int *ranks)
{
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    if (!text)
        return true;
    if (*end || end == text || number < 1 || number > 1 << 20) {
        tool_usage("mpi-info", "--ranks %s: expected a number from 1 to 1048576", text);
        return false;
    }
    *ranks = (int)number;
    return true;
}

/* "1.5 GiB" */
static const char *size_name(char text[24], uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double size = (double)bytes;
    int unit = 0;
    for (; size >= 1024 && unit < 5; unit++)
        size /= 1024;
    snprintf(text, 24, unit > 0 ? "%.1f %s" : "%.0f %s", size, units[unit]);
    return text;
}

/* The files that have the rows of a rank: "a.npy", "a.npy and b.npy", "a.npy to c.npy". */
static void print_files(const struct gather_table *table, uint64_t first, uint64_t rows)
{
    const char *from = NULL, *to = NULL;
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct gather_part *part = &table->parts[i];
        if (part->first >= first + rows || part->first + part->count <= first)
            continue;
        if (!from)
            from = part->path;
        to = part->path;
        count++;
    }
    if (count > 0)
        printf("  %s", from);
    if (count > 1)
        printf(" %s %s", count > 2 ? "to" : "and", to);
}

/* Prints which rows, bytes and files of the table a rank has. */
static void print_rank(const struct gather_table *table, int rank, int ranks, const char *host)
{
    uint64_t rows = (uint64_t)table->array.shape[0], each = rows / (uint64_t)ranks, rest = rows % (uint64_t)ranks,
             number = (uint64_t)rank;
    uint64_t first = number * each + (tool_min(number, rest)), count = each + (number < rest);
    char bytes[24];
    printf("%6d%s%s  ", rank, tool_when(host[0], " "), host);
    if (count > 0)
        printf("%" PRIu64 "..%" PRIu64, first, first + count - 1);
    else
        fputs("no rows", stdout);
    printf("  %s", size_name(bytes, rows > 0 ? table->array.bytes / rows * count : 0));
    print_files(table, first, count);
    putchar('\n');
}

/* What a plan takes on a rank, when the library is there to ask. */
static void print_memory(const struct tool_ranks *loaded, const struct gather_table *table, int ranks)
{
    char bytes[24];
    uint64_t rows = (uint64_t)table->array.shape[0], row = rows > 0 ? table->array.bytes / rows : 0;
    if (row == 0)
        return;
    enum ptog_dtype unit = gather_unit(row);
    struct ptog_mpi_table as = {.dtype = unit,
                                .index = PTOG_I64,
                                .rows = (int64_t)rows,
                                .cols = (int64_t)(row / ptog_dtype_size(unit)),
                                .file_count = table->count};
    printf("A gather takes %s of memory on each rank, besides its part of the table.\n",
           size_name(bytes, loaded->world.plan_bytes(&as, ranks, 0)));
}

/* Prints which rows and files each rank has. */
static int print_shards(const struct gather_table *table, struct tool_ranks *loaded, int ranks, bool is_rank)
{
    char shape[TOOL_SHAPE_NAME], type[24], bytes[24], host[PTOG_MPI_HOST] = "";
    bool speaks = !is_rank || loaded->world.rank == 0;
    tool_shape_name(shape, table->array.rank, table->array.shape);
    tool_npy_type_name(type, &table->array);
    if (speaks)
        printf("%s %s, %s in %zu file%s, on %d rank%s:\n", type, shape, size_name(bytes, table->array.bytes),
               table->count, tool_plural(table->count), ranks, tool_plural((uint64_t)ranks));
    if (speaks)
        printf("%6s%s  rows  bytes  files\n", "rank", tool_when(is_rank && ranks == loaded->world.ranks, " machine"));
    for (int rank = 0; rank < ranks; rank++) {
        if (is_rank && ranks == loaded->world.ranks)
            loaded->world.host(rank, host);
        if (speaks)
            print_rank(table, rank, ranks, host);
    }
    if (speaks && loaded->library)
        print_memory(loaded, table, ranks);
    if (speaks && is_rank)
        printf("MPI is %s. Ranks of one machine read each other's rows and send nothing.\n", loaded->world.library);
    return TOOL_OK;
}

/* Reads the options and opens the table; TOOL_OK or the exit status. */
static int prepare_table(const struct info_request *request, struct gather_table *table, int *ranks)
{
    if (request->tables.count == 0)
        return tool_usage("mpi-info", "needs --table");
    if (!read_ranks(request->ranks, ranks) || !gather_table_open(table, &request->tables) ||
        !gather_table_is_plain(table))
        return TOOL_USAGE;
    if (table->array.rank == 0)
        return tool_fail("mpi-info", "%s: is a single number; a table needs at least one dimension", table->path);
    gather_table_place(table, PTOG_ROW);
    return TOOL_OK;
}

/* ptog mpi-info: the exit status. */
static int mpi_info_run(int argc, char **argv)
{
    struct info_request request = {.tables.command = "mpi-info"};
    struct gather_table table = {0};
    struct tool_ranks loaded = {.visible = STDERR_FILENO};
    struct tool_why why;
    bool is_rank = tool_ranks_count() > 0;
    int ranks = is_rank ? tool_ranks_count() : 4;
    if (!gather_parse(argc, argv, &tool_mpi_info, &request, &request.tables))
        return TOOL_USAGE;
    if (is_rank && !tool_ranks_start(&loaded, "mpi-info"))
        return TOOL_USAGE;
    if (!is_rank && !tool_ranks_load(&loaded, &why))
        loaded.library = NULL;
    gather_guard("mpi-info", loaded.visible);
    int result = prepare_table(&request, &table, &ranks);
    if (is_rank)
        result = tool_ranks_agree(&loaded, result);
    if (is_rank)
        loaded.world.share(&ranks, sizeof ranks, 0); /* each row of what is printed is a call of all */
    if (result == TOOL_OK)
        result = print_shards(&table, &loaded, ranks, is_rank);
    gather_table_close(&table);
    if (is_rank)
        tool_ranks_end(&loaded);
    return result;
}

static const struct tool_option options[] = {
    {"--table", "T", "the table, as for ptog gather", TOOL_FILES, .at = offsetof(struct info_request, tables),
     .take = gather_take_table},
    {"--ranks", "N", "the number of ranks; default: those of the job under mpirun, otherwise 4", NULL,
     .at = offsetof(struct info_request, ranks)},
    {.name = NULL},
};

const struct tool_command tool_mpi_info = {
    .name = "mpi-info",
    .arguments = "--table T [--ranks N]",
    .summary = "show how a table is divided among the ranks of an MPI job",
    .about =
        "Shows which rows of a table each rank of an MPI job has, in which files they are, and how much memory a gather "
        "takes. Without mpirun it only calculates.",
    .options = options,
    .after =
        "'mpirun -n 4 ptog gather ...' is ptog gather, done by four ranks that share the work and write one file. With "
        "--output-shards each rank writes a file of its own, OUT-00001-of-00004.npy: its part of the output's first "
        "dimension. PTOG_MPI_LIBRARY names another libptog_mpi, for another MPI; PTOG_MPI_NEIGHBOURS=1 has ranks of one "
        "machine send rows to each other instead of reading them. See docs/explanation/scale.md.",
    .run = mpi_info_run,
};
