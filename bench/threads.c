/* bench: gathers on several threads: those of a pool, those that are started for one run, and one.
 *
 *   bench_threads [--threads N] [--rounds N] [LIBPTOG.so]
 *
 * Rows of 512 bytes and elements from a table of 64 MiB, with other indices in every run. The sides take turns, and
 * between two turns everybody sleeps, so that no side meets the threads of another. A figure is microseconds: the best
 * round, which is what the machine can do, and the median, which is what it does while others use it too. LIBPTOG.so is
 * another build of the library, of the same major version, which is measured as a side of its own. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ptog/ptog.h>

#define TABLE ((size_t)64 << 20)   /* bytes */
#define INDICES ((size_t)16 << 20) /* as many as the largest gather of elements has */
#define MAX_ROUNDS 1001

typedef enum ptog_status plan_fn(ptog_plan **, const struct ptog_target *, const struct ptog_mgather *, ptog_diags *);
typedef enum ptog_status run_fn(const ptog_plan *, const struct ptog_run *, struct ptog_fault *);
typedef const struct ptog_target *find_fn(const char *);

struct side {
    const char *name;
    plan_fn *plan;
    run_fn *run;
    find_fn *find;
    int threads;
    ptog_pool *pool;
    ptog_plan *planned;
    double times[MAX_ROUNDS];
};

static struct side sides[4] = {
    {.name = "one", .plan = ptog_plan_mgather, .run = ptog_plan_run, .find = ptog_target_find, .threads = 1},
    {.name = "pool", .plan = ptog_plan_mgather, .run = ptog_plan_run, .find = ptog_target_find},
    {.name = "started", .plan = ptog_plan_mgather, .run = ptog_plan_run, .find = ptog_target_find},
};
static int side_count = 3, threads = 2, rounds = 61;
static float *table, *dst;
static int32_t *indices;
static size_t window; /* where the next run's indices begin */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 8000000}, NULL);
}

static int fail(const char *what)
{
    fprintf(stderr, "bench_threads: %s\n", what);
    return 1;
}

/* A function of another library, by its name: ISO C has no cast for it. */
static bool take(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found;
}

static bool open_other(const char *path)
{
    struct side *side = &sides[side_count++];
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *side = (struct side){.name = "other", .threads = threads};
    return library && take(library, "ptog_plan_mgather", &side->plan) && take(library, "ptog_plan_run", &side->run) &&
           take(library, "ptog_target_find", &side->find);
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Microseconds of one run, of `often` in a row. */
static double turn(struct side *side, size_t bytes, int64_t lanes, int often)
{
    struct ptog_run run = {.dst = {dst, bytes}, .src = {table, TABLE}, .threads = side->threads, .pool = side->pool};
    double start = now();
    for (int i = 0; i < often; i++) {
        window = (window + (size_t)lanes) % (INDICES - (size_t)lanes + 1);
        run.idx = (struct ptog_cbuf){indices + window, (size_t)lanes * sizeof *indices};
        if (side->run(side->planned, &run, NULL) != PTOG_OK)
            exit(fail("a run failed"));
    }
    return (now() - start) / often;
}

static void measure(bool rows, size_t bytes)
{
    int64_t width = rows ? 128 : 1, lanes = (int64_t)(bytes / sizeof(float)) / width;
    int64_t capacity = (int64_t)(TABLE / sizeof(float)) / width;
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, rows ? lanes : 1, rows ? width : lanes),
                              .table = ptog_tensor_2d(PTOG_F32, rows ? capacity : 1, rows ? width : capacity),
                              .idx = ptog_tile_vec(PTOG_I32, 1, lanes),
                              .coalesce = rows ? PTOG_ROW : PTOG_ELEM};
    for (size_t i = 0; i < INDICES; i++)
        indices[i] = (int32_t)(((int64_t)rand() << 15 ^ rand()) % capacity);
    for (int s = 0; s < side_count; s++)
        if (sides[s].plan(&sides[s].planned, sides[s].find("host"), &op, NULL) != PTOG_OK)
            exit(fail("a plan was refused"));
    for (int r = 0; r < rounds; r++)
        for (int s = 0; s < side_count; s++) {
            sides[s].times[r] = turn(&sides[s], bytes, lanes, bytes < (1 << 20) ? 20 : 4);
            rest();
        }
    printf("%-4s %6zu KiB", rows ? "row" : "elem", bytes >> 10);
    for (int s = 0; s < side_count; s++) {
        qsort(sides[s].times, (size_t)rounds, sizeof(double), by_time);
        printf("  %9.1f %9.1f", sides[s].times[0], sides[s].times[rounds / 2]);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--threads") == 0 && has_value)
            threads = atoi(argv[++i]);
        else if (strcmp(argv[i], "--rounds") == 0 && has_value)
            rounds = atoi(argv[++i]);
        else if (side_count == 4 || !open_other(argv[i]))
            return fail(argv[i]);
    }
    table = calloc(TABLE, 1), dst = calloc(TABLE, 1), indices = calloc(INDICES, sizeof *indices);
    if (!table || !dst || !indices || rounds < 1 || rounds > MAX_ROUNDS)
        return fail("memory, or from 1 to 1001 rounds");
    memset(table, 1, TABLE), memset(dst, 1, TABLE);
    if (ptog_pool_new(&sides[1].pool, threads) != PTOG_OK)
        return fail("no pool");
    for (int s = 1; s < side_count; s++)
        sides[s].threads = threads;
    printf("%-15s", "us, best median");
    for (int s = 0; s < side_count; s++)
        printf("  %19s", sides[s].name);
    printf("\n");
    for (int rows = 1; rows >= 0; rows--)
        for (size_t bytes = (size_t)128 << 10; bytes <= TABLE; bytes *= 2)
            measure(rows, bytes);
    return 0;
}
