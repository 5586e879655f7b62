/* bench: measures a row of src/kernel/tune.def on the machine at hand.
 *
 *   bench_tune [FILE]      writes the row to FILE too, as PTOG_TUNE=FILE reads it
 *
 * A field is tried with one value after another, in files that PTOG_TUNE names while a plan is made. The plans of a
 * question take turns for many rounds, and the first quartile of a plan's processor times counts: a busy machine
 * disturbs all of them alike. What was found for one field holds while the next ones are measured. A value is taken
 * only when it is 3 % faster than the one that stands. */
#define _DEFAULT_SOURCE /* setenv, mkstemp */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ptog/ptog.h>

#define KiB ((size_t)1 << 10)
#define MiB ((size_t)1 << 20)
#define TABLE (512 * MiB)
#define DST (64 * MiB)
#define INDICES ((size_t)1 << 20)
#define ROUNDS 31
#define TURN 4e6   /* nanoseconds of a turn, at least */
#define WORTH 0.97 /* of the time of the value that stands */
#define NEVER "1125899906842624"
#define MAX_TRIED 8

/* What one line of a question measures: rows of `row_bytes`, elements (row_bytes 4), or a mask pattern (0). */
struct work {
    size_t table, row_bytes, lanes;
    enum ptog_oob oob;
    enum ptog_dtype mask_type;
};

struct setting {
    const char *field;
    char value[32];
};

static struct setting settings[16];
static size_t setting_count;
static char path[] = "/tmp/ptog-tune-XXXXXX";
static unsigned char *table, *dst;
static int32_t *indices;

static int fail(const char *what)
{
    fprintf(stderr, "bench_tune: %s\n", what);
    unlink(path);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- the file */

static void print_settings(FILE *file)
{
    for (size_t i = 0; i < setting_count; i++)
        fprintf(file, "%s = %s\n", settings[i].field, settings[i].value);
}

static void write_file(const char *field, const char *value)
{
    FILE *file = fopen(path, "w");
    if (!file)
        fail("no place for a file");
    print_settings(file);
    fprintf(file, "choose = 0\n");            /* or a long run would not do as the row says */
    fprintf(file, "%s = %s\n", field, value); /* a later line wins */
    fclose(file);
}

static void keep(const char *field, const char *value)
{
    struct setting *setting = &settings[setting_count++];
    setting->field = field;
    snprintf(setting->value, sizeof setting->value, "%s", value);
    printf("%-13s = %s\n", field, value);
    fflush(stdout);
}

/* ---- one plan of a work */

struct side {
    ptog_plan *plan;
    struct ptog_run run;
    long times; /* runs of a turn */
    double taken[ROUNDS];
};

static ptog_plan *plan_mask(enum ptog_dtype type)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_vec(type, 64, 64),
                              .src = ptog_tile_vec(type, 64, 128),
                              .pattern = PTOG_P0101};
    ptog_plan *plan = NULL;
    ptog_plan_tgather(&plan, ptog_target_find("host"), &op, NULL);
    return plan;
}

static ptog_plan *plan_gather(const struct work *w)
{
    int64_t width = (int64_t)w->row_bytes / 4, lanes = (int64_t)w->lanes, count = (int64_t)(w->table / w->row_bytes);
    bool rows = width > 1;
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, rows ? lanes : 1, rows ? width : lanes),
                              .table = ptog_tensor_2d(PTOG_F32, rows ? count : 1, rows ? width : count),
                              .idx = ptog_tile_vec(PTOG_I32, 1, lanes),
                              .coalesce = rows ? PTOG_ROW : PTOG_ELEM,
                              .oob = w->oob};
    ptog_plan *plan = NULL;
    ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL);
    return plan;
}

static double turn(struct side *side, long times)
{
    double start = now();
    for (long i = 0; i < times; i++)
        if (ptog_plan_run(side->plan, &side->run, NULL) != PTOG_OK)
            fail("a run failed");
    return (now() - start) / (double)times;
}

static void open_side(struct side *side, const struct work *w, const char *field, const char *value)
{
    write_file(field, value);
    side->plan = w->row_bytes ? plan_gather(w) : plan_mask(w->mask_type);
    if (!side->plan)
        fail("a plan was refused");
    side->run = (struct ptog_run){
        .dst = {dst, DST}, .src = {table, TABLE}, .idx = {w->row_bytes ? indices : NULL, w->lanes * sizeof *indices}};
    double once = turn(side, 1);
    side->times = once < TURN ? (long)(TURN / (once + 1)) + 1 : 1;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nanoseconds of a work with each value, in turns. */
static void measure(const struct work *w, const char *field, const char *const *values, int count, double *figures)
{
    static uint32_t seed = 1;
    struct side sides[MAX_TRIED];
    for (size_t i = 0; w->row_bytes && i < w->lanes; i++) {
        seed = seed * 1664525u + 1013904223u;
        indices[i] = (int32_t)((uint64_t)seed * (w->table / w->row_bytes) >> 32);
    }
    for (int s = 0; s < count; s++)
        open_side(&sides[s], w, field, values[s]);
    for (int r = 0; r < ROUNDS; r++)
        for (int s = 0; s < count; s++)
            sides[s].taken[r] = turn(&sides[s], sides[s].times);
    for (int s = 0; s < count; s++) {
        qsort(sides[s].taken, ROUNDS, sizeof(double), by_time);
        figures[s] = sides[s].taken[ROUNDS / 4];
        ptog_plan_free(sides[s].plan);
    }
}

/* ---- questions */

/* The value with the least time over all works, relative to the first value, which stands until another is better. */
static void choose(const char *field, const struct work *works, int work_count, const char *const *values, int count)
{
    double product[MAX_TRIED], figures[MAX_TRIED];
    int best = 0;
    for (int s = 0; s < count; s++)
        product[s] = 1;
    for (int w = 0; w < work_count; w++) {
        measure(&works[w], field, values, count, figures);
        for (int s = 0; s < count; s++)
            product[s] *= figures[s] / figures[0];
    }
    double worth = 1;
    for (int w = 0; w < work_count; w++)
        worth *= WORTH;
    for (int s = 1; s < count; s++)
        if (product[s] < worth && product[s] < product[best])
            best = s;
    printf("#");
    for (int s = 0; s < count; s++)
        printf(" %s %.2f", values[s], product[s]);
    printf("   time of %d works, multiplied\n", work_count);
    keep(field, values[best]);
}

/* From which size on it is better to fetch ahead (tables), or to write past the caches (destinations): the cut with the
 * least time over all sizes, where what is above it is done so and what is below it is not. */
static void threshold(const char *field, struct work w, size_t least, size_t most, bool of_dst)
{
    const char *const values[] = {NEVER, "0"}; /* without, with */
    double figures[2], sum = 0, best = 0;
    size_t found = most;
    char text[32];
    for (size_t size = most; size >= least; size /= 2) {
        if (of_dst)
            w.lanes = size / w.row_bytes;
        else
            w.table = size;
        measure(&w, field, values, 2, figures);
        printf("# %zu KiB: %.2f of the time without\n", size / KiB, figures[1] / figures[0]);
        sum += log(figures[1] / figures[0] / WORTH);
        if (sum < best) {
            best = sum;
            found = size / 2;
        }
    }
    snprintf(text, sizeof text, "%zu", found);
    keep(field, text);
}

/* Sets that run here and are no slower in general than plain loops, the one that stands first. */
static int sets_here(const char **names)
{
    struct ptog_kernel_set set;
    int count = 0;
    for (int chosen = 1; chosen >= 0; chosen--)
        for (size_t i = 0; ptog_kernel_set_at(i, &set) && count < MAX_TRIED; i++)
            if (set.runs && set.chosen == (bool)chosen)
                names[count++] = set.name;
    return count;
}

static void ask_sets(void)
{
    static const struct work elems[] = {{16 * KiB, 4, 4096, PTOG_OOB_UNDEFINED, 0},
                                        {16 * KiB, 4, 4096, PTOG_OOB_CLAMP, 0}};
    static const struct work held[] = {{256 * KiB, 4, 4096, PTOG_OOB_UNDEFINED, 0},
                                       {16 * KiB, 4, 4096, PTOG_OOB_WRAP, 0}};
    static const struct work rows[] = {{256 * KiB, 512, 64, PTOG_OOB_UNDEFINED, 0},
                                       {256 * KiB, 64, 512, PTOG_OOB_UNDEFINED, 0}};
    static const struct work masks[] = {{.mask_type = PTOG_U8}, {.mask_type = PTOG_F16}, {.mask_type = PTOG_F32}};
    const char *names[MAX_TRIED];
    int count = sets_here(names);
    choose("row_set", rows, 2, names, count);
    choose("elem_set", elems, 2, names, count);
    choose("gather_set", held, 2, names, count);
    choose("mask_set", masks, 3, names, count);
}

static void ask_elements(void)
{
    static const struct work far[] = {{64 * MiB, 4, 1 << 18, PTOG_OOB_UNDEFINED, 0},
                                      {TABLE, 4, 1 << 18, PTOG_OOB_UNDEFINED, 0}};
    static const char *const hints[] = {"0", "1", "2"}, *const ahead[] = {"32", "8", "16", "64", "128"};
    choose("elem_hint", far, 2, hints, 3);
    choose("elem_ahead", far, 2, ahead, 5);
    threshold("elem_far", far[0], MiB, 64 * MiB, false);
}

static void ask_rows(void)
{
    static const struct work far[] = {{TABLE, 64, 1 << 16, PTOG_OOB_UNDEFINED, 0},
                                      {TABLE, 512, 1 << 14, PTOG_OOB_UNDEFINED, 0},
                                      {TABLE, 2048, 1 << 12, PTOG_OOB_UNDEFINED, 0}};
    static const char *const hints[] = {"0", "1", "2"}, *const ahead[] = {"4096", "2048", "8192"},
                             *const least[] = {"4", "2", "8"}, *const most[] = {"16", "8", "32", "64"};
    choose("row_hint", far, 3, hints, 3);
    choose("row_ahead", far + 1, 1, ahead, 3);
    choose("row_least", far + 2, 1, least, 3);
    choose("row_most", far, 1, most, 4);
    threshold("short_far", far[0], MiB, 64 * MiB, false);
    threshold("row_far", far[1], 512 * KiB, 64 * MiB, false);
    threshold("stream_above", (struct work){TABLE, 512, 0, PTOG_OOB_UNDEFINED, 0}, MiB, DST, true);
}

static void print_row(void)
{
    printf("\nA row of src/kernel/tune.def:\nTUNE_ROW(\"%s\", ..., \"...\"", ptog_tuning(NULL));
    for (size_t i = 0; i < setting_count; i++)
        printf(", .%s = %s", settings[i].field, settings[i].value);
    printf(")\n");
}

int main(int argc, char **argv)
{
    int fd = mkstemp(path);
    if (fd < 0)
        fail("no place for a file");
    close(fd);
    unsetenv("PTOG_TUNE");
    unsetenv("PTOG_ISA");
    printf("# measured from the row '%s'\n", ptog_tuning(NULL));
    table = aligned_alloc(4096, TABLE), dst = aligned_alloc(4096, DST), indices = calloc(INDICES, sizeof *indices);
    if (!table || !dst || !indices)
        fail("no memory");
    memset(table, 1, TABLE), memset(dst, 1, DST);
    setenv("PTOG_TUNE", path, 1);
    ask_sets();
    ask_elements();
    ask_rows();
    unlink(path);
    unsetenv("PTOG_TUNE");
    print_row();
    FILE *file = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !file)
        return fail(argv[1]);
    if (file) {
        print_settings(file);
        fclose(file);
        printf("\nwritten to %s: PTOG_TUNE=%s uses it\n", argv[1], argv[1]);
    }
    return 0;
}
