/* bench: sorts behind a few calls: TSORT32, and merges of its groups until a row is one list. bench/sort.py calls them.
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdlib.h>
#include <time.h>

#include <ptog/ptog.h>

#define MAX_STEPS 8

/* The plans of a row of `cols` numbers, or of `rows` rows of which only the groups of 32 are sorted. */
struct sort {
    ptog_plan *of[MAX_STEPS];
    int steps;
};

static void add_sort(struct sort *sort, int64_t rows, int64_t cols)
{
    const struct ptog_tile tiles[] = {ptog_tile_vec(PTOG_F32, rows, 2 * cols), ptog_tile_vec(PTOG_F32, rows, cols),
                                      ptog_tile_vec(PTOG_U32, 1, cols)};
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, PTOG_TSORT32, tiles, 3);
    if (ptog_plan_insn(&sort->of[sort->steps], ptog_target_at(PTOG_TARGET_HOST), &insn, NULL) == PTOG_OK)
        sort->steps++;
}

static void add_merge(struct sort *sort, int64_t cols, int64_t block)
{
    const struct ptog_tile row = ptog_tile_vec(PTOG_F32, 1, 2 * cols);
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, PTOG_TMRGSORT, &row, 1);
    ptog_insn_set_tile(&insn, 1, &row);
    insn.of[2] =
        (struct ptog_operand){.kind = PTOG_IS_SCALAR, .bits = (uint64_t)block, .tile = ptog_tile_vec(PTOG_I32, 1, 1)};
    if (ptog_plan_insn(&sort->of[sort->steps], ptog_target_at(PTOG_TARGET_HOST), &insn, NULL) == PTOG_OK)
        sort->steps++;
}

/* `merges`: 128, 512, 2048, ... columns of one row become one list. NULL: there is no such plan. */
PTOG_API void *sort_plan(int64_t rows, int64_t cols, int merges)
{
    struct sort *sort = calloc(1, sizeof *sort);
    if (!sort)
        return NULL;
    add_sort(sort, rows, cols);
    for (int i = 0; i < merges && sort->steps == i + 1; i++)
        add_merge(sort, cols, (int64_t)64 << 2 * i);
    return sort->steps == merges + 1 ? sort : NULL;
}

/* Seconds of the thread for one run; below 0: it did not run. The pairs are in `out` for an even number of merges, else
 * in `other`. */
PTOG_API double sort_time(const void *plan, const void *numbers, const void *ids, void *out, void *other, size_t count,
                          size_t id_bytes)
{
    const struct sort *sort = plan;
    struct timespec start, end;
    size_t bytes = count * 8;
    struct ptog_run run = {.dst = {out, bytes}, .src = {numbers, count * 4}, .idx = {ids, id_bytes}, .threads = 1};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (int i = 0; i < sort->steps; i++) {
        if (ptog_plan_run(sort->of[i], &run, NULL) != PTOG_OK)
            return -1;
        run = (struct ptog_run){.dst = {i % 2 ? out : other, bytes}, .src = {i % 2 ? other : out, bytes}, .threads = 1};
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
}
