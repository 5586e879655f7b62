/* bench: scatters of rows behind two calls. bench/scatter.py calls them in turn with torch and numpy. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <time.h>

#include <ptog/ptog.h>

/* A plan for `count` rows of `cols` floats to a table, by i64 indices; NULL: there is none. */
PTOG_API void *scatter_plan(int64_t rows, int64_t cols, int64_t count, int adds)
{
    struct ptog_tile src = ptog_tile_vec(PTOG_F32, count, cols), idx = ptog_tile_vec(PTOG_I64, 1, count);
    struct ptog_insn insn;
    ptog_plan *plan = NULL;
    ptog_insn_start(&insn, PTOG_MSCATTER);
    ptog_insn_set_tile(&insn, 0, &src);
    insn.of[1].kind = PTOG_IS_VIEW;
    insn.of[1].view = ptog_tensor_2d(PTOG_F32, rows, cols);
    ptog_insn_set_tile(&insn, 2, &idx);
    insn.attr[PTOG_MSCATTER_ATOMIC] = adds ? PTOG_SCATTER_ADD : PTOG_SCATTER_NONE;
    ptog_plan_insn(&plan, ptog_target_at(PTOG_TARGET_HOST), &insn, NULL);
    return plan;
}

/* Seconds of the thread for one run; below 0: it did not run. */
PTOG_API double scatter_time(const void *plan, void *table, size_t table_bytes, const void *rows, size_t row_bytes,
                             const void *idx, size_t idx_bytes, int threads)
{
    struct ptog_run run = {
        .dst = {table, table_bytes}, .src = {rows, row_bytes}, .idx = {idx, idx_bytes}, .threads = threads};
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    if (ptog_plan_run(plan, &run, NULL) != PTOG_OK)
        return -1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
}
