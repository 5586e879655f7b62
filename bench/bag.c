/* bench: embedding bags behind two calls. bench/bag.py calls them in turn with torch and numpy. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <time.h>

#include <ptog/ptog.h>

/* A plan for bags of i64 indices; NULL: there is none. */
PTOG_API void *bag_plan(const char *table, int mode, int64_t rows, int64_t cols)
{
    struct ptog_bag bag = {.table = ptog_dtype_find(table),
                           .dst = PTOG_F32,
                           .idx = PTOG_I64,
                           .mode = (enum ptog_bag_mode)mode,
                           .rows = rows,
                           .cols = cols};
    ptog_bag_plan *plan = NULL;
    ptog_plan_bag(&plan, &bag, NULL);
    return plan;
}

/* Seconds of the thread for one run, on the average of `runs`; below 0: it did not run. */
PTOG_API double bag_time(const void *plan, const struct ptog_bag_run *run, int runs)
{
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (int i = 0; i < runs; i++)
        if (ptog_bag_run(plan, run, NULL) != PTOG_OK)
            return -1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return ((double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9) / runs;
}
