/* bench: the kernels against plain loops, compiled by gcc and by clang with -O3 -march=native, and against memcpy of
 * the same bytes. The sides of a line take turns, and the best of many turns counts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ptog/ptog.h>

#include "plain.h"

#define SIDES 4
#define LARGEST ((size_t)1 << 30)

static double turns_ms = 300; /* per line */

/* One line of the table: what every side works on. */
struct work {
    struct ptog_run run;
    ptog_plan *plan;
    int64_t n, row_bytes, copied; /* lanes; Row: bytes; bytes that memcpy moves */
    int size, index_size;
    unsigned pattern;
    enum { ELEM, ROWS, MASK } kind;
};

static unsigned char *table, *out, *indices;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t draw(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return x;
}

/* The loops as a compiler made them, from the library next to this program. NULL: that compiler is not here. */
static const struct plain_loops *loops_of(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW);
    return handle ? dlsym(handle, "plain_loops") : NULL;
}

static const struct plain_loops *gcc, *clang;

static void loop_side(const struct plain_loops *loops, const struct work *w)
{
    if (w->kind == ELEM)
        loops->elem(out, table, indices, w->n, w->size, w->index_size);
    else if (w->kind == MASK)
        loops->mask(out, table, w->n, w->size, w->pattern);
    else
        loops->row(out, table, (const int32_t *)indices, w->n, w->row_bytes);
}

static void side(int which, const struct work *w)
{
    switch (which) {
    case 0:
        if (ptog_plan_run(w->plan, &w->run, NULL) != PTOG_OK)
            abort();
        break;
    case 1: loop_side(gcc, w); break;
    case 2: loop_side(clang, w); break;
    default: memcpy(out, table, (size_t)w->copied); break;
    }
}

static double time_of(int which, const struct work *w, long times)
{
    double start = now();
    for (long i = 0; i < times; i++) {
        side(which, w);
        __asm__ volatile("" ::: "memory");
    }
    return (now() - start) / (double)times;
}

static void line(const char *name, struct work *w)
{
    double best[SIDES];
    long times = 1;
    while (time_of(0, w, times) * (double)times < 50e3 && times < 1 << 20)
        times *= 2; /* a turn takes 50 us at least: reading the clock does not count */
    for (int s = 0; s < SIDES; s++)
        best[s] = 1e300;
    int least = 5;
    for (double start = now(); least-- > 0 || now() - start < turns_ms * 1e6;)
        for (int s = 0; s < SIDES; s++) {
            double took = time_of(s, w, times);
            best[s] = took < best[s] ? took : best[s];
        }
    double loop = best[1] < best[2] ? best[1] : best[2];
    printf("%-34s %10.1f ns %7.3f ns/lane | gcc %5.2f clang %5.2f  time/best loop %5.2f  time/memcpy %5.2f  %s\n", name,
           best[0], best[0] / (double)w->n, best[1] / best[0], best[2] / best[0], best[0] / loop, best[0] / best[3],
           ptog_plan_kernel(w->plan));
    ptog_plan_free(w->plan);
}

static void fill_indices(int64_t n, int index_size, uint64_t range)
{
    for (int64_t k = 0; k < n; k++) {
        uint64_t i = draw() % range;
        memcpy(indices + k * index_size, &i, (size_t)index_size);
    }
}

static const enum ptog_dtype by_size[] = {[1] = PTOG_U8, [2] = PTOG_F16, [4] = PTOG_F32, [8] = PTOG_I64};
static const enum ptog_dtype index_by_size[] = {[2] = PTOG_U16, [4] = PTOG_I32, [8] = PTOG_I64};

/* The indices of the plain loop are in range; with a policy a part of the plan's own are not. */
static void elem(const char *what, int size, int index_size, int64_t elements, int64_t n, enum ptog_oob oob,
                 double beyond)
{
    char name[64];
    struct ptog_mgather op = {.dst = ptog_tile_vec(by_size[size], 1, n),
                              .table = ptog_tensor_2d(by_size[size], 1, elements),
                              .idx = ptog_tile_vec(index_by_size[index_size], 1, n),
                              .coalesce = PTOG_ELEM,
                              .oob = oob};
    struct work w = {.n = n, .size = size, .index_size = index_size, .kind = ELEM, .copied = n * size};
    unsigned char *own = malloc((size_t)(n * index_size));
    fill_indices(n, index_size, (uint64_t)elements);
    memcpy(own, indices, (size_t)(n * index_size));
    for (int64_t k = 0; k < n; k++)
        if ((double)(draw() % 10000) < beyond * 10000) {
            uint64_t i = (uint64_t)elements + draw() % 1000000;
            memcpy(own + k * index_size, &i, (size_t)index_size);
        }
    w.run = (struct ptog_run){.dst = {out, LARGEST}, .src = {table, LARGEST}, .idx = {own, (size_t)(n * index_size)}};
    snprintf(name, sizeof name, "elem %s %dB i%d", what, size, index_size);
    if (ptog_plan_mgather(&w.plan, ptog_target_find("host"), &op, NULL) == PTOG_OK)
        line(name, &w);
    free(own);
}

static void rows(int64_t bytes, int64_t table_bytes, int64_t n)
{
    char name[64];
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, n, bytes / 4),
                              .table = ptog_tensor_2d(PTOG_F32, table_bytes / bytes, bytes / 4),
                              .idx = ptog_tile_vec(PTOG_I32, 1, n)};
    struct work w = {.n = n, .row_bytes = bytes, .kind = ROWS, .copied = n * bytes};
    fill_indices(n, 4, (uint64_t)(table_bytes / bytes));
    w.run = (struct ptog_run){.dst = {out, LARGEST}, .src = {table, LARGEST}, .idx = {indices, (size_t)n * 4}};
    snprintf(name, sizeof name, "row %d B, table %.2f MiB, n %d", (int)bytes, (double)table_bytes / 1048576, (int)n);
    if (ptog_plan_mgather(&w.plan, ptog_target_find("host"), &op, NULL) == PTOG_OK)
        line(name, &w);
}

static void masks(int size)
{
    static const unsigned kept[] = {[PTOG_P0101] = 5, [PTOG_P1010] = 10, [PTOG_P0001] = 1, [PTOG_P0010] = 2,
                                    [PTOG_P0100] = 4, [PTOG_P1000] = 8,  [PTOG_P1111] = 15};
    for (int p = PTOG_P0101; p <= PTOG_P1111; p++) {
        char name[64];
        struct ptog_tgather op = {.form = PTOG_BY_MASK,
                                  .dst = ptog_tile_vec(by_size[size], 64, 128),
                                  .src = ptog_tile_vec(by_size[size], 64, 128),
                                  .pattern = (enum ptog_pattern)p};
        struct work w = {.n = 64 * 128, .size = size, .kind = MASK, .pattern = kept[p], .copied = 64 * 128 * size};
        w.run = (struct ptog_run){.dst = {out, LARGEST}, .src = {table, LARGEST}};
        snprintf(name, sizeof name, "mask %d, %dB, 64x128", p, size);
        if (ptog_plan_tgather(&w.plan, ptog_target_find("host"), &op, NULL) == PTOG_OK)
            line(name, &w);
    }
}

static void tile_index(int size, int index_size)
{
    char name[64];
    struct ptog_tgather op = {.dst = ptog_tile_vec(by_size[size], 64, 64),
                              .src = ptog_tile_vec(by_size[size], 64, 64),
                              .idx = ptog_tile_vec(index_by_size[index_size], 64, 64)};
    struct work w = {.n = 64 * 64, .size = size, .index_size = index_size, .kind = ELEM, .copied = 64 * 64 * size};
    fill_indices(64 * 64, index_size, 64 * 64);
    w.run = (struct ptog_run){.dst = {out, LARGEST}, .src = {table, LARGEST}, .idx = {indices, LARGEST}};
    snprintf(name, sizeof name, "tgather 64x64 %dB u%d", size, index_size * 8);
    if (ptog_plan_tgather(&w.plan, ptog_target_find("host"), &op, NULL) == PTOG_OK)
        line(name, &w);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    if (argc > 2)
        turns_ms = atof(argv[2]);
    gcc = loops_of("libbench_plain_gcc.so"), clang = loops_of("libbench_plain_clang.so");
    if (!gcc || !clang)
        printf("%s is not here: its column is the other one's again\n", gcc ? "clang" : "gcc");
    gcc = gcc ? gcc : clang, clang = clang ? clang : gcc;
    if (!gcc)
        return 2;
    table = aligned_alloc(4096, LARGEST), out = aligned_alloc(4096, LARGEST),
    indices = aligned_alloc(4096, LARGEST / 8);
    for (size_t i = 0; i < LARGEST / 8; i++)
        ((uint64_t *)(void *)table)[i] = draw();
    memset(out, 1, LARGEST);
    if (strstr("small", only))
        rows(32, 1024, 1);
    if (strstr("elem", only)) {
        elem("L1", 4, 4, 4096, 4096, PTOG_OOB_UNDEFINED, 0);
        elem("L2", 4, 4, 65536, 65536, PTOG_OOB_UNDEFINED, 0);
        elem("L1 clamp 5%", 4, 4, 4096, 4096, PTOG_OOB_CLAMP, 0.05);
        elem("L1 zero 5%", 4, 4, 4096, 4096, PTOG_OOB_ZERO, 0.05);
        elem("L1 wrap 5%", 4, 4, 4095, 4096, PTOG_OOB_WRAP, 0.05);
        elem("L1", 4, 8, 4096, 4096, PTOG_OOB_UNDEFINED, 0);
        elem("L1 wrap 5%", 4, 8, 4095, 4096, PTOG_OOB_WRAP, 0.05);
        elem("L1 zero 5%", 4, 8, 4095, 4096, PTOG_OOB_ZERO, 0.05);
        elem("L1", 1, 4, 4096, 4096, PTOG_OOB_UNDEFINED, 0);
        elem("L1", 2, 4, 4096, 4096, PTOG_OOB_UNDEFINED, 0);
        elem("L1", 8, 4, 2048, 4096, PTOG_OOB_UNDEFINED, 0);
    }
    if (strstr("tile", only)) {
        rows(512, 256 << 10, 64);
        for (int size = 1; size <= 8; size *= 2)
            for (int index_size = 2; index_size <= 8; index_size *= 2)
                tile_index(size, index_size);
    }
    if (strstr("mask", only))
        for (int size = 1; size <= 4; size *= 2)
            masks(size);
    if (strstr("large", only)) {
        elem("64 MiB", 4, 4, 16 << 20, 4 << 20, PTOG_OOB_UNDEFINED, 0);
        elem("1 GiB", 4, 4, 256 << 20, 4 << 20, PTOG_OOB_UNDEFINED, 0);
        for (int64_t bytes = 64; bytes <= 2048; bytes *= 2)
            rows(bytes, LARGEST, (64 << 20) / bytes);
    }
    return 0;
}
