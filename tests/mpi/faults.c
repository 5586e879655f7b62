/* What is wrong on one rank of libptog_mpi is known on all of them: arguments, files, memory that is not there, tables
 * about which the ranks differ. Every rank must return the same status; a rank that waits for ever is seen by whoever
 * started this.
 *
 * usage: faults PLACE; rank 0 prints the number of checks that passed and failed */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/mpi.h>

/* ---- allocations that fail: those of the libraries under test, from number `fail_at` on ---- */

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
static long fail_at = -1;
static size_t largest; /* allocation of the libraries, */
static long many;      /* and how many there were */

static int watching;

static int refuses(const void *caller, size_t bytes)
{
    Dl_info info;
    if ((fail_at < 0 && !watching) || !dladdr(caller, &info) || !info.dli_fname || !strstr(info.dli_fname, "libptog"))
        return 0;
    many++;
    largest = bytes > largest ? bytes : largest;
    return fail_at >= 0 && fail_at-- == 0;
}

void *malloc(size_t bytes)
{
    return refuses(__builtin_return_address(0), bytes) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return refuses(__builtin_return_address(0), count * bytes) ? NULL : __libc_calloc(count, bytes);
}

/* ---- checks ---- */

#define MAX_SECONDS 10 /* until all ranks know what is wrong on one */

static int rank, ranks, passed, failed;

static void check(const char *what, enum ptog_status found, enum ptog_status wanted)
{
    static double before;
    double since = before > 0 ? MPI_Wtime() - before : 0;
    int same[3] = {(int)found, -(int)found, since > MAX_SECONDS}, right;
    MPI_Allreduce(MPI_IN_PLACE, same, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    right = same[0] == (int)wanted && same[1] == -(int)wanted && !same[2];
    before = MPI_Wtime();
    passed += right;
    failed += !right;
    if (!right)
        fprintf(stderr, "%s: rank %d returned %d after %.1f s, expected %d\n", what, rank, (int)found, since,
                (int)wanted);
}

static void check_true(const char *what, int mine)
{
    check(what, mine ? PTOG_OK : PTOG_FAULT, PTOG_OK);
}

#define ROWS 40
#define COLS 3
static float rows_of_rank[ROWS * COLS];

static struct ptog_mpi_table sound(void)
{
    return (struct ptog_mpi_table){.dtype = PTOG_F32,
                                   .index = PTOG_I32,
                                   .rows = ROWS,
                                   .cols = COLS,
                                   .scatters = true,
                                   .at = rows_of_rank,
                                   .bytes = sizeof rows_of_rank};
}

/* One field is wrong on the last rank, or different there. */
struct change {
    const char *what;
    void (*make)(struct ptog_mpi_table *table);
};

static const int64_t falling[9] = {0, 30, 20, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS};

static void no_dtype(struct ptog_mpi_table *t)
{
    t->dtype = (enum ptog_dtype)99;
}
static void no_index(struct ptog_mpi_table *t)
{
    t->index = PTOG_F32;
}
static void no_rows(struct ptog_mpi_table *t)
{
    t->rows = 0;
}
static void huge(struct ptog_mpi_table *t)
{
    t->rows = INT64_MAX;
}
static void few_bytes(struct ptog_mpi_table *t)
{
    t->bytes = 3;
}
static void no_bounds(struct ptog_mpi_table *t)
{
    t->layout = PTOG_MPI_BOUNDS;
}
static void bad_bounds(struct ptog_mpi_table *t)
{
    t->layout = PTOG_MPI_BOUNDS, t->bounds = falling;
}
static void no_policy(struct ptog_mpi_table *t)
{
    t->oob = (enum ptog_oob)7;
}
static void big_chunk(struct ptog_mpi_table *t)
{
    t->chunk_bytes = UINT64_C(1) << 40;
}
static void first_reserved(struct ptog_mpi_table *t)
{
    t->reserved[0] = 1;
}
static void last_reserved(struct ptog_mpi_table *t)
{
    t->reserved[7] = UINT64_C(1) << 63;
}
static void more_rows(struct ptog_mpi_table *t)
{
    t->rows++;
}
static void more_cols(struct ptog_mpi_table *t)
{
    t->cols++;
}
static void other_type(struct ptog_mpi_table *t)
{
    t->dtype = PTOG_I32;
}
static void other_policy(struct ptog_mpi_table *t)
{
    t->oob = PTOG_OOB_WRAP;
}
static void other_layout(struct ptog_mpi_table *t)
{
    t->layout = PTOG_MPI_ROUND_ROBIN;
}
static void other_window(struct ptog_mpi_table *t)
{
    t->window = 5;
}

static const struct change changes[] = {{"dtype", no_dtype},
                                        {"index", no_index},
                                        {"no rows", no_rows},
                                        {"2^63 rows", huge},
                                        {"too few bytes", few_bytes},
                                        {"bounds missing", no_bounds},
                                        {"bounds fall", bad_bounds},
                                        {"policy", no_policy},
                                        {"chunk", big_chunk},
                                        {"the first reserved word", first_reserved},
                                        {"the last reserved word", last_reserved},
                                        {"rows differ", more_rows},
                                        {"cols differ", more_cols},
                                        {"types differ", other_type},
                                        {"policies differ", other_policy},
                                        {"layouts differ", other_layout},
                                        {"windows differ", other_window}};

static void wrong_tables(void)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct ptog_mpi_table table = sound();
        struct ptog_mpi_fault fault;
        ptog_mpi *plan = (ptog_mpi *)&table;
        if (ranks == 1 && strstr(changes[i].what, "differ"))
            continue;
        if (rank == ranks - 1)
            changes[i].make(&table);
        check(changes[i].what, ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, &fault), PTOG_BAD_ARGUMENT);
        check_true("no plan, and a reason", plan == NULL && fault.text[0] != '\0' && fault.rank >= 0);
    }
    struct ptog_mpi_table table = sound();
    ptog_mpi *plan = NULL;
    check("no table", ptog_mpi_plan(&plan, MPI_COMM_WORLD, rank == 0 ? NULL : &table, NULL), PTOG_BAD_ARGUMENT);
    table.combine = PTOG_MPI_ADD;
    table.dtype = PTOG_HIF8;
    check("no such sum", ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL), PTOG_ILLEGAL);
}

static void wrong_calls(void)
{
    struct ptog_mpi_table table = sound();
    int32_t idx[4] = {0, 1, 2, ROWS};
    float out[4 * COLS];
    ptog_mpi *plan = NULL;
    int last = ranks - 1;
    check("a plan", ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL), PTOG_OK);
    check("n < 0", ptog_mpi_gather(plan, idx, rank == last ? -1 : 3, out), PTOG_BAD_ARGUMENT);
    check("no indices", ptog_mpi_gather(plan, rank == last ? NULL : idx, 3, out), PTOG_BAD_ARGUMENT);
    check("no output", ptog_mpi_gather(plan, idx, 3, rank == last ? NULL : out), PTOG_BAD_ARGUMENT);
    check("no rows", ptog_mpi_scatter(plan, idx, 3, rank == last ? NULL : out), PTOG_BAD_ARGUMENT);
    check("outside", ptog_mpi_gather(plan, idx, rank == last ? 4 : 3, out), PTOG_FAULT);
    const struct ptog_mpi_fault *fault = ptog_mpi_plan_fault(plan);
    check_true("the first lane",
               fault->rank == last && fault->position == 3 && fault->index == ROWS && fault->count == 1);
    check("a refusal hides a fault", ptog_mpi_gather(plan, rank == last ? NULL : idx, 4, out), PTOG_BAD_ARGUMENT);
    check("and then again", ptog_mpi_gather(plan, idx, 3, out), PTOG_OK);
    ptog_mpi_plan_free(plan);
}

/* Every allocation fails once, on the last rank only. */
static void no_memory(void)
{
    struct ptog_mpi_table table = sound();
    table.combine = PTOG_MPI_ADD;
    long tries = 0;
    for (int done = 0; !done && tries < 200; tries++) {
        ptog_mpi *plan = NULL;
        if (rank == ranks - 1)
            fail_at = tries;
        enum ptog_status status = ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL);
        done = rank == ranks - 1 && fail_at >= 0;
        fail_at = -1;
        MPI_Bcast(&done, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD);
        check("an allocation fails", status, done ? PTOG_OK : PTOG_NO_MEMORY);
        ptog_mpi_plan_free(plan);
    }
    check_true("there were allocations", tries > 3);
    ptog_mpi_memory *memory = NULL;
    if (rank == ranks - 1)
        fail_at = 0;
    check("shared memory", ptog_mpi_memory_new(&memory, MPI_COMM_WORLD, 100, 0), PTOG_NO_MEMORY);
    fail_at = -1;
}

/* The memory of a plan is what was said, in one block; calls take none. */
static void memory_is_said(void)
{
    for (int combine = 0; combine < 2; combine++) {
        struct ptog_mpi_table table = sound();
        int32_t idx[3] = {0, 1, ROWS - 1};
        float rows[3 * COLS] = {0};
        ptog_mpi *plan = NULL;
        table.combine = (enum ptog_mpi_combine)combine;
        table.neighbours = 1;
        table.window = 1000;
        watching = 1;
        largest = 0;
        check("a plan", ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL), PTOG_OK);
        check_true("its memory", largest == ptog_mpi_plan_bytes(&table, ranks, rank));
        many = 0;
        check("a gather", ptog_mpi_gather(plan, idx, 3, rows), PTOG_OK);
        check("a scatter", ptog_mpi_scatter(plan, idx, 3, rows), PTOG_OK);
        check_true("no memory for calls", many == 0);
        watching = 0;
        ptog_mpi_plan_free(plan);
    }
}

static void wrong_files(const char *place)
{
    char path[400], other[400];
    snprintf(path, sizeof path, "%s/table", place);
    snprintf(other, sizeof other, "%s/missing", place);
    FILE *file = rank == 0 ? fopen(path, "wb") : NULL;
    if (file) {
        fwrite(rows_of_rank, 1, sizeof rows_of_rank, file);
        fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    struct ptog_mpi_file part = {path, 0, ROWS};
    struct ptog_mpi_table table = sound();
    table.at = NULL;
    table.files = &part;
    table.file_count = 1;
    for (int neighbours = 0; neighbours < 2; neighbours++) {
        ptog_mpi *plan = NULL;
        table.neighbours = neighbours;
        part = (struct ptog_mpi_file){path, 0, ROWS};
        check("a file", ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL), PTOG_OK);
        ptog_mpi_plan_free(plan);
        part.path = rank == ranks - 1 ? other : path;
        check("no file", ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL), PTOG_BAD_ARGUMENT);
        part = (struct ptog_mpi_file){path, rank == ranks - 1 ? 12 : 0, ROWS};
        check("a file that is too short", ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL), PTOG_BAD_ARGUMENT);
        part = (struct ptog_mpi_file){path, 0, ROWS - 1};
        check("too few rows", ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL), PTOG_BAD_ARGUMENT);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    wrong_tables();
    wrong_calls();
    no_memory();
    memory_is_said();
    wrong_files(argc > 1 ? argv[1] : ".");
    if (rank == 0)
        printf("%d right, %d wrong\n", passed, failed);
    MPI_Finalize();
    return 0;
}
