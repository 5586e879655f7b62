/* bench: what the machine's checks cost. Four small kernels (row 64x128, elem 64x64, index 64x128, mask 64x128;
 * float32) with TLOAD of what they read and TSTORE of the result, on a2a3 and a5, with all checks and without any,
 * beside the unchecked C loop that does the same; then elementwise f32 with all checks, and a long loop.
 *
 * A line is what was measured, what was promised, and "held" or "MISSED".
 *
 * Processor time; the sides take turns, and the median over the rounds of the ratio within each counts. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ptog/core.h>
#include <ptog/ptog.h>

enum { ROWS = 64, TABLE_ROWS = 4096, WIDTH = 128, MOST = ROWS * WIDTH, ROUNDS = 15 };

/* One of the four; a tile without a type is not there. */
struct kernel {
    const char *name;
    double checked; /* at most so many times the loop's time; without checks at most UNCHECKED */
    struct ptog_mgather mgather;
    struct ptog_tgather tgather;
};
#define UNCHECKED 5.0

static float table[TABLE_ROWS * WIDTH], out[MOST], loaded[MOST], result[MOST];
static int32_t ids[MOST], loaded_ids[MOST];
static int missed;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int fail(const char *what)
{
    fprintf(stderr, "bench_checks: %s\n", what);
    exit(1);
}

static void judge(const char *what, double got, const char *unit, double wanted, bool held)
{
    missed += !held;
    printf("%-44s %9.1f %-22s wanted %g: %s\n", what, got, unit, wanted, held ? "held" : "MISSED");
    fflush(stdout);
}

/* ---- the loop: the same copies, and the gather of a program that checks nothing */

static void plain(const struct kernel *k)
{
    const struct ptog_mgather *m = &k->mgather;
    const struct ptog_tgather *t = &k->tgather;
    bool tile = m->dst.dtype == PTOG_DTYPE_NONE, mask = tile && t->form == PTOG_BY_MASK;
    size_t lanes = tile ? (size_t)(t->dst.rows * t->dst.cols) : (size_t)(m->dst.rows * m->dst.cols);
    if (!mask)
        memcpy(loaded_ids, ids, (!tile && m->coalesce == PTOG_ROW ? ROWS : lanes) * 4);
    if (tile)
        memcpy(loaded, table, (size_t)(t->src.rows * t->src.cols) * 4);
    if (mask)
        for (size_t i = 0; i < lanes; i++)
            result[i] = loaded[2 * i];
    else if (!tile && m->coalesce == PTOG_ROW)
        for (size_t r = 0; r < ROWS; r++)
            memcpy(result + r * WIDTH, table + (size_t)loaded_ids[r] * WIDTH, WIDTH * 4);
    else
        for (size_t i = 0; i < lanes; i++)
            result[i] = (tile ? loaded : table)[loaded_ids[i]];
    memcpy(out, result, lanes * 4);
    __asm__ volatile("" ::: "memory");
}

/* ---- the machine */

struct side {
    const struct kernel *kernel;
    ptog_device *device;
    ptog_core *core;
    int table, ids, out;
};

static void flag(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst)
{
    ptog_core_set_flag(core, src, dst, 1);
    ptog_core_wait_flag(core, src, dst, 1);
}

static void open_side(struct side *s, const struct kernel *k, const char *target, bool checks)
{
    struct ptog_device_options options = {.no_sanitize = !checks};
    s->kernel = k;
    if (ptog_device_open(&s->device, ptog_target_find(target), &options) != PTOG_OK)
        fail("no device");
    s->table = ptog_device_input(s->device, "table", table, sizeof table);
    s->ids = ptog_device_input(s->device, "ids", ids, sizeof ids);
    s->out = ptog_device_buffer(s->device, "out", out, sizeof out);
    if (ptog_core_open(&s->core, s->device, 0) != PTOG_OK)
        fail("no core");
}

static void close_side(struct side *s)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_core_close(s->core);
    ptog_device_report(s->device, diags);
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        if (ptog_diags_at(diags, i)->severity == PTOG_ERROR)
            fail(ptog_diags_at(diags, i)->message);
    ptog_diags_free(diags);
    ptog_device_close(s->device);
}

static struct ptog_transfer whole(struct ptog_tile tile)
{
    return (struct ptog_transfer){.tile = tile, .view = ptog_tensor_2d(tile.dtype, tile.rows, tile.cols)};
}

static void load(struct side *s, struct ptog_tile tile, int from)
{
    struct ptog_transfer transfer = whole(tile);
    if (tile.dtype != PTOG_DTYPE_NONE)
        ptog_core_load(s->core, &transfer, from, 0);
}

static void step(struct side *s)
{
    const struct kernel *k = s->kernel;
    bool tile = k->mgather.dst.dtype == PTOG_DTYPE_NONE;
    struct ptog_transfer store = whole(tile ? k->tgather.dst : k->mgather.dst);
    enum ptog_status status;
    ptog_core_at(s->core, "kernel.c", 1);
    flag(s->core, PTOG_V, PTOG_MTE2);
    load(s, tile ? k->tgather.idx : k->mgather.idx, s->ids);
    if (tile)
        load(s, k->tgather.src, s->table);
    flag(s->core, PTOG_MTE2, PTOG_V);
    flag(s->core, PTOG_MTE3, PTOG_V);
    if (tile)
        status = ptog_core_tgather(s->core, &k->tgather, NULL);
    else
        status = ptog_core_mgather(s->core, &k->mgather, s->table, 0, NULL);
    if (status != PTOG_OK)
        fail("a gather was refused");
    flag(s->core, PTOG_V, PTOG_MTE3);
    ptog_core_store(s->core, &store, s->out, 0);
    ptog_core_barrier(s->core, PTOG_MTE3);
}

/* ---- measuring */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double time_of(struct side *s, const struct kernel *k, int times)
{
    double start = now();
    for (int i = 0; i < times; i++) {
        if (s)
            step(s);
        else
            plain(k);
    }
    return (now() - start) / times;
}

static void measure(const struct kernel *k, const char *target)
{
    struct side sides[2];
    double ratios[2][ROUNDS];
    char what[64];
    open_side(&sides[0], k, target, true);
    open_side(&sides[1], k, target, false);
    time_of(&sides[0], k, 3);
    time_of(&sides[1], k, 3);
    for (int r = 0; r < ROUNDS; r++) {
        double loop = time_of(NULL, k, 500);
        for (int s = 0; s < 2; s++)
            ratios[s][r] = time_of(&sides[s], k, 40) / loop;
    }
    for (int s = 0; s < 2; s++) {
        double wanted = s ? UNCHECKED : k->checked;
        qsort(ratios[s], ROUNDS, sizeof(double), by_size);
        snprintf(what, sizeof what, "%s, %s, %s", k->name, target, s ? "no checks" : "all checks");
        judge(what, ratios[s][ROUNDS / 2], "times the plain loop", wanted, ratios[s][ROUNDS / 2] <= wanted);
        close_side(&sides[s]);
    }
}

/* f32 + with all checks. */
static void elementwise(const char *target)
{
    struct ptog_tile tiles[3];
    struct ptog_insn add;
    struct side s;
    double rates[ROUNDS];
    char what[64];
    for (int i = 0; i < 3; i++)
        tiles[i] = ptog_tile_at(ptog_tile_vec(PTOG_F32, ROWS, WIDTH), (uint64_t)i * 0x8000);
    ptog_insn_tiles(&add, PTOG_TADD, tiles, 3);
    open_side(&s, NULL, target, true);
    load(&s, tiles[1], s.table);
    load(&s, tiles[2], s.table);
    ptog_core_barrier(s.core, PTOG_ALL);
    for (int r = 0; r < ROUNDS; r++) {
        double start = now();
        for (int i = 0; i < 100; i++) {
            ptog_core_at(s.core, "kernel.c", 2);
            if (ptog_core_insn(s.core, &add, NULL) != PTOG_OK)
                fail("an addition was refused");
            ptog_core_barrier(s.core, PTOG_V);
        }
        rates[r] = 100.0 * MOST / (now() - start) * 1e3;
    }
    close_side(&s);
    qsort(rates, ROUNDS, sizeof(double), by_size);
    snprintf(what, sizeof what, "elementwise f32, %s, all checks", target);
    judge(what, rates[ROUNDS / 2], "M elements/s", 100, rates[ROUNDS / 2] >= 100);
}

static double peak_mib(void)
{
    char line[128];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return (double)kib / 1024;
}

/* Half of the 4.6 s that it took when the promise was made; and the memory after a tenth of it is the memory at the
 * end. */
static void long_loop(void)
{
    enum { TIMES = 5000000 };
    struct ptog_tile tile = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0);
    struct side s;
    double early = 0, start = now();
    open_side(&s, NULL, "a2a3", true);
    for (int i = 0; i < TIMES; i++) {
        if (i == TIMES / 10)
            early = peak_mib();
        ptog_core_at(s.core, "kernel.c", 3);
        load(&s, tile, s.ids);
        ptog_core_barrier(s.core, PTOG_MTE2);
    }
    double took = (now() - start) / 1e9, grown = peak_mib() - early;
    close_side(&s);
    judge("ten million instructions, a2a3", took, "s", 2.3, took <= 2.3);
    judge("their memory, after the first million", grown, "MiB more", 1, grown <= 1);
}

int main(void)
{
    const struct ptog_tile wide = ptog_tile_vec(PTOG_F32, ROWS, WIDTH), ints = ptog_tile_vec(PTOG_I32, ROWS, WIDTH);
    const struct kernel kernels[] = {
        {"row 64x128", 15,
         .mgather = {.dst = ptog_tile_at(wide, 0),
                     .table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS, WIDTH),
                     .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, ROWS), 0x10000),
                     .oob = PTOG_OOB_CLAMP}},
        {"elem 64x64", 40,
         .mgather = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, ROWS, 64), 0),
                     .table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS, WIDTH),
                     .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, ROWS, 64), 0x10000),
                     .coalesce = PTOG_ELEM,
                     .oob = PTOG_OOB_CLAMP}},
        {"index 64x128", 40,
         .tgather = {.form = PTOG_BY_INDEX,
                     .dst = ptog_tile_at(wide, 0),
                     .src = ptog_tile_at(wide, 0x8000),
                     .idx = ptog_tile_at(ints, 0x10000),
                     .tmp = ptog_tile_at(ints, 0x18000)}},
        {"mask 64x128", 15,
         .tgather = {.form = PTOG_BY_MASK,
                     .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, ROWS, WIDTH / 2), 0),
                     .src = ptog_tile_at(wide, 0x8000),
                     .pattern = PTOG_P0101}},
    };
    for (size_t i = 0; i < TABLE_ROWS * WIDTH; i++)
        table[i] = (float)(i % 1000);
    for (size_t i = 0; i < MOST; i++)
        ids[i] = (int32_t)(i * 2654435761u % 4096u);
    printf("The machine with and without its checks, beside an unchecked C loop (the same loads and stores)\n");
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        measure(&kernels[k], "a2a3");
        measure(&kernels[k], "a5");
    }
    elementwise("a2a3");
    elementwise("a5");
    long_loop();
    printf("%d missed\n", missed);
    return 0;
}
