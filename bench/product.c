/* bench: matrix products on host behind a few calls. bench/product.py calls them. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <time.h>

#include <ptog/ptog.h>

/* A product of two n x n matrices of a type into f32. NULL: there is no such plan. */
PTOG_API void *product_plan(int64_t n, int dtype)
{
    const struct ptog_tile tiles[] = {ptog_tile_cube(PTOG_ACC, PTOG_F32, n, n),
                                      ptog_tile_cube(PTOG_LEFT, (enum ptog_dtype)dtype, n, n),
                                      ptog_tile_cube(PTOG_RIGHT, (enum ptog_dtype)dtype, n, n)};
    struct ptog_insn insn;
    ptog_plan *plan = NULL;
    ptog_insn_tiles(&insn, PTOG_TMATMUL, tiles, 3);
    ptog_plan_insn(&plan, ptog_target_at(PTOG_TARGET_HOST), &insn, NULL);
    return plan;
}

/* Seconds of the thread for one run; below 0: it did not run. The matrices lie as the tiles have them. */
PTOG_API double product_time(const void *plan, const void *left, const void *right, size_t bytes, void *out,
                             size_t out_bytes)
{
    struct timespec start, end;
    struct ptog_run run = {.dst = {out, out_bytes}, .src = {left, bytes}, .src1 = {right, bytes}, .threads = 1};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    if (ptog_plan_run(plan, &run, NULL) != PTOG_OK)
        return -1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
}
