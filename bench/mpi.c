/* How fast libptog_mpi gathers, next to what MPI itself takes for the same bytes. Run by bench/mpi.py; rank 0 prints
 * one line of JSON for each work.
 *
 * usage: mpi [--rows N] [--cols N] [--lanes N] [--chunk BYTES] [--window N] [--zipf S] [--rounds N] [--what WORDS]
 *
 *   sent      rows travel (neighbours = 1): the gather; MPI_Alltoallv of the same different rows, packed before;
 * MPI_Get for every row shared    rows are read directly: the gather of all ranks threads   one process with as many
 * threads as --threads says, on one rank */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/mpi.h>
#include <ptog/ptog.h>

struct bench_mpi {
    int rank, ranks;
    int64_t rows, cols, lanes, chunk, window, rounds, threads;
    double zipf;
    const char *what;
    int32_t *idx;
    float *out;
};

static double slowest(double seconds)
{
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static double start(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* ---- indices ---- */

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Zipf by the inverse of the sum of k^-s, with ranks of words spread over the table; or uniform. */
static void make_indices(struct bench_mpi *b)
{
    uint64_t state = 12345 + (uint64_t)b->rank;
    double *sum = b->zipf > 0 ? malloc((size_t)b->rows * sizeof *sum) : NULL, all = 0;
    for (int64_t k = 0; sum && k < b->rows; k++)
        sum[k] = all += pow((double)(k + 1), -b->zipf);
    for (int64_t i = 0; i < b->lanes; i++) {
        uint64_t row = draw(&state) % (uint64_t)b->rows;
        if (sum) {
            double at = (double)draw(&state) / 2147483648.0 * all;
            int64_t low = 0, high = b->rows - 1;
            while (low < high) {
                int64_t middle = (low + high) / 2;
                if (sum[middle] < at)
                    low = middle + 1;
                else
                    high = middle;
            }
            row = (uint64_t)low * 7919 % (uint64_t)b->rows;
        }
        b->idx[i] = (int32_t)row;
    }
    free(sum);
}

/* ---- what is compared ---- */

/* MPI_Alltoallv of the different rows that the gather fetches, its own included. */
struct bench_bare {
    int *send, *send_at, *receive, *receive_at;
    char *from, *to;
};

static int64_t count_different(const struct bench_mpi *b, int *of_owner)
{
    char *seen = calloc((size_t)b->rows, 1);
    int64_t count = 0, each = b->rows / b->ranks, rest = b->rows % b->ranks;
    for (int64_t i = 0; i < b->lanes; i++) {
        int64_t row = b->idx[i];
        if (seen[row]++)
            continue;
        seen[row] = 1;
        count++;
        int64_t owner = row < rest * (each + 1) ? row / (each + 1) : rest + (row - rest * (each + 1)) / each;
        of_owner[owner]++;
    }
    free(seen);
    return count;
}

static int places(const int *count, int *at, int ranks)
{
    int all = 0;
    for (int r = 0; r < ranks; all += count[r++])
        at[r] = all;
    return all;
}

static int64_t bare_open(struct bench_bare *bare, const struct bench_mpi *b)
{
    int *numbers = calloc((size_t)b->ranks * 4, sizeof *numbers);
    *bare =
        (struct bench_bare){numbers, numbers + b->ranks, numbers + 2 * b->ranks, numbers + 3 * b->ranks, NULL, NULL};
    int64_t different = count_different(b, bare->receive);
    for (int r = 0; r < b->ranks; r++)
        bare->receive[r] *= (int)(b->cols * 4);
    MPI_Alltoall(bare->receive, 1, MPI_INT, bare->send, 1, MPI_INT, MPI_COMM_WORLD);
    size_t sends = (size_t)places(bare->send, bare->send_at, b->ranks),
           receives = (size_t)places(bare->receive, bare->receive_at, b->ranks);
    bare->from = malloc(sends + 1);
    bare->to = malloc(receives + 1);
    memset(bare->from, 1, sends + 1);
    memset(bare->to, 1, receives + 1);
    return different;
}

static void bare_run(const struct bench_bare *bare)
{
    MPI_Alltoallv(bare->from, bare->send, bare->send_at, MPI_BYTE, bare->to, bare->receive, bare->receive_at, MPI_BYTE,
                  MPI_COMM_WORLD);
}

static void get_rows(const struct bench_mpi *b, MPI_Win window)
{
    int64_t each = b->rows / b->ranks, rest = b->rows % b->ranks;
    for (int64_t i = 0; i < b->lanes; i++) {
        int64_t row = b->idx[i], owner = rest + (row - rest * (each + 1)) / each;
        if (row < rest * (each + 1))
            owner = row / (each + 1);
        int64_t first = owner * each + (owner < rest ? owner : rest);
        MPI_Get(b->out + i * b->cols, (int)b->cols, MPI_FLOAT, (int)owner, (MPI_Aint)((row - first) * b->cols * 4),
                (int)b->cols, MPI_FLOAT, window);
    }
    MPI_Win_flush_all(window);
}

/* ---- works ---- */

static struct ptog_mpi_table describe(const struct bench_mpi *b)
{
    return (struct ptog_mpi_table){.dtype = PTOG_F32,
                                   .index = PTOG_I32,
                                   .rows = b->rows,
                                   .cols = b->cols,
                                   .chunk_bytes = (uint64_t)b->chunk,
                                   .window = b->window};
}

static void fill(float *rows, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        rows[i] = (float)i;
}

static void bench_sent(const struct bench_mpi *b)
{
    struct ptog_mpi_table table = describe(b);
    size_t bytes = (size_t)ptog_mpi_share(&table, b->ranks, b->rank) * (size_t)b->cols * 4;
    float *rows = NULL;
    MPI_Win window;
    struct bench_bare bare;
    ptog_mpi *plan = NULL;
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &rows, &window);
    MPI_Win_lock_all(0, window);
    fill(rows, (int64_t)(bytes / 4));
    table.at = rows;
    table.bytes = bytes;
    table.neighbours = 1;
    if (ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL) != PTOG_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int64_t different = bare_open(&bare, b);
    double gather = 1e9, alltoallv = 1e9, get = 1e9;
    for (int64_t round = 0; round <= b->rounds; round++) {
        double from = start();
        bare_run(&bare);
        alltoallv = least(alltoallv, slowest(MPI_Wtime() - from));
        from = start();
        ptog_mpi_gather(plan, b->idx, b->lanes, b->out);
        gather = least(gather, slowest(MPI_Wtime() - from));
        from = start();
        if (strstr(b->what, "get"))
            get_rows(b, window);
        get = least(get, slowest(MPI_Wtime() - from));
    }
    struct ptog_mpi_stats stats = ptog_mpi_plan_stats(plan);
    uint64_t sums[3] = {(uint64_t)different, stats.bytes_sent / stats.calls, stats.ids_sent / stats.calls};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (b->rank == 0)
        printf(
            "{\"work\": \"sent\", \"ranks\": %d, \"lanes\": %lld, \"row_bytes\": %lld, \"different\": %llu, \"bytes_sent\": %llu, "
            "\"ids_sent\": %llu, \"gather_s\": %.6f, \"alltoallv_s\": %.6f, \"get_s\": %.6f, \"rounds\": %llu}\n",
            b->ranks, (long long)b->lanes, (long long)b->cols * 4, (unsigned long long)sums[0],
            (unsigned long long)sums[1], (unsigned long long)sums[2], gather, alltoallv, get,
            (unsigned long long)(stats.rounds / stats.calls));
    ptog_mpi_plan_free(plan);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void bench_shared(const struct bench_mpi *b)
{
    struct ptog_mpi_table table = describe(b);
    int64_t share = ptog_mpi_share(&table, b->ranks, b->rank);
    ptog_mpi *plan = NULL;
    if (ptog_mpi_memory_new(&table.memory, MPI_COMM_WORLD, (size_t)(share * b->cols * 4), 0) != PTOG_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fill(ptog_mpi_memory_at(table.memory), share * b->cols);
    if (ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL) != PTOG_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double gather = 1e9;
    for (int64_t round = 0; round <= b->rounds; round++) {
        double from = start();
        ptog_mpi_gather(plan, b->idx, b->lanes, b->out);
        gather = least(gather, slowest(MPI_Wtime() - from));
    }
    if (b->rank == 0)
        printf("{\"work\": \"shared\", \"ranks\": %d, \"lanes\": %lld, \"gather_s\": %.6f}\n", b->ranks,
               (long long)b->lanes, gather);
    ptog_mpi_plan_free(plan);
    ptog_mpi_memory_free(table.memory);
}

/* The lanes of all ranks, by one process. */
static void bench_threads(const struct bench_mpi *b)
{
    float *rows = malloc((size_t)(b->rows * b->cols) * 4);
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, b->lanes, b->cols),
                              .table = ptog_tensor_2d(PTOG_F32, b->rows, b->cols),
                              .idx = ptog_tile_vec(PTOG_I32, 1, b->lanes)};
    ptog_plan *plan = NULL;
    ptog_pool *pool = NULL;
    ptog_pool_new(&pool, (int)b->threads);
    fill(rows, b->rows * b->cols);
    if (ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL) != PTOG_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    struct ptog_run run = {.dst = {b->out, (size_t)(b->lanes * b->cols) * 4},
                           .src = {rows, (size_t)(b->rows * b->cols) * 4},
                           .idx = {b->idx, (size_t)b->lanes * 4},
                           .pool = pool};
    double gather = 1e9;
    for (int64_t round = 0; round <= b->rounds; round++) {
        double from = MPI_Wtime();
        ptog_plan_run(plan, &run, NULL);
        gather = least(gather, MPI_Wtime() - from);
    }
    printf("{\"work\": \"threads\", \"threads\": %lld, \"lanes\": %lld, \"gather_s\": %.6f}\n", (long long)b->threads,
           (long long)b->lanes, gather);
    ptog_plan_free(plan);
    ptog_pool_free(pool);
    free(rows);
}

static void read_options(struct bench_mpi *b, int argc, char **argv)
{
    const struct {
        const char *name;
        int64_t *at;
    } numbers[] = {{"--rows", &b->rows},      {"--cols", &b->cols},     {"--lanes", &b->lanes},
                   {"--chunk", &b->chunk},    {"--window", &b->window}, {"--rounds", &b->rounds},
                   {"--threads", &b->threads}};
    for (int i = 1; i + 1 < argc; i += 2) {
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            if (strcmp(argv[i], numbers[n].name) == 0)
                *numbers[n].at = atoll(argv[i + 1]);
        if (strcmp(argv[i], "--zipf") == 0)
            b->zipf = atof(argv[i + 1]);
        if (strcmp(argv[i], "--what") == 0)
            b->what = argv[i + 1];
    }
}

int main(int argc, char **argv)
{
    struct bench_mpi b = {
        .rows = 200000, .cols = 128, .lanes = 100000, .rounds = 5, .threads = 1, .what = "sent get shared"};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
    read_options(&b, argc, argv);
    b.idx = malloc((size_t)b.lanes * 4);
    b.out = malloc((size_t)(b.lanes * b.cols) * 4);
    memset(b.out, 1, (size_t)(b.lanes * b.cols) * 4);
    make_indices(&b);
    if (strstr(b.what, "sent"))
        bench_sent(&b);
    if (strstr(b.what, "shared"))
        bench_shared(&b);
    if (strstr(b.what, "threads"))
        bench_threads(&b);
    MPI_Finalize();
    return 0;
}
