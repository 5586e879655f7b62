/* bench: one elementwise instruction on tiles of 64x128 on host, behind one call. bench/elementwise.py calls it in turn
 * with numpy. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdlib.h>
#include <time.h>

#include <ptog/ptog.h>

#define ROWS 64
#define COLS 128

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A plan for `name`, from tiles of type `from` to one of type `to`; NULL: there is none. `inputs`: how many tiles it
 * reads. tcvt cuts, as C casts do. */
PTOG_API void *elementwise_plan(const char *name, const char *from, const char *to, int inputs)
{
    struct ptog_tile tiles[3];
    struct ptog_insn insn;
    ptog_plan *plan = NULL;
    enum ptog_opcode opcode = ptog_opcode_find(name);
    for (int i = 0; i < 3; i++)
        tiles[i] = ptog_tile_vec(ptog_dtype_find(i == 0 ? to : from), ROWS, COLS);
    ptog_insn_tiles(&insn, opcode, tiles, 1 + inputs);
    if (opcode == PTOG_TCVT) {
        insn.attr[PTOG_TCVT_ROUND] = PTOG_ROUND_NONE;
        insn.attr[PTOG_TCVT_SATURATION] = PTOG_SATURATION_OFF;
    }
    ptog_plan_insn(&plan, ptog_target_find("host"), &insn, NULL);
    return plan;
}

/* Seconds of one run, on the average of `runs`; below 0: it did not run. */
PTOG_API double elementwise_time(const void *plan, void *dst, void *a, void *b, int runs)
{
    const uint64_t bytes = ROWS * COLS * 8;
    struct ptog_run run = {.dst = {dst, bytes}, .src = {a, bytes}, .src1 = {b, bytes}};
    double start = now();
    for (int i = 0; i < runs; i++)
        if (ptog_plan_run(plan, &run, NULL) != PTOG_OK)
            return -1;
    return (now() - start) / runs;
}
