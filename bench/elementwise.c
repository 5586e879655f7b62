/* bench: elementwise instructions on tiles of 64x128 on host, one line each: the best time of a run by a plan, in
 * microseconds. docs/performance.md has the times beside those of numpy. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ptog/ptog.h>

#define ROWS 64
#define COLS 128
#define RUNS 200
#define TURNS 9

static const struct work {
    const char *name;
    enum ptog_dtype dtype;
} works[] = {
    {"tadd", PTOG_F32},  {"tsub", PTOG_F32}, {"tmul", PTOG_F32},  {"tdiv", PTOG_F32}, {"tmax", PTOG_F32},
    {"tmin", PTOG_F32},  {"tadd", PTOG_I32}, {"tand", PTOG_I32},  {"tor", PTOG_I32},  {"tadd", PTOG_I8},
    {"tadd", PTOG_F16},  {"tmul", PTOG_F16}, {"tadd", PTOG_BF16}, {"texp", PTOG_F32}, {"tlog", PTOG_F32},
    {"tsqrt", PTOG_F32}, {"tpow", PTOG_F32},
};

static unsigned char *buffer(enum ptog_dtype dtype)
{
    unsigned char *bytes = malloc(ROWS * COLS * 8);
    for (size_t i = 0; bytes && i < ROWS * COLS; i++) {
        uint64_t bits = ptog_dtype_from_real(dtype, 0.5 + (double)(i % 100) / 100);
        memcpy(bytes + i * ptog_dtype_size(dtype), &bits, ptog_dtype_size(dtype));
    }
    return bytes;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double time_of(const ptog_plan *plan, const struct ptog_run *run)
{
    double best = 1e9;
    for (int turn = 0; turn < TURNS; turn++) {
        double start = now();
        for (int i = 0; i < RUNS; i++)
            ptog_plan_run(plan, run, NULL);
        double each = (now() - start) / RUNS * 1e6;
        best = each < best ? each : best;
    }
    return best;
}

static bool measure(const struct work *work)
{
    struct ptog_tile tile = ptog_tile_vec(work->dtype, ROWS, COLS);
    const struct ptog_tile tiles[] = {tile, tile, tile};
    unsigned char *of[3] = {buffer(work->dtype), buffer(work->dtype), buffer(work->dtype)};
    struct ptog_run run = {
        .dst = {of[0], ROWS * COLS * 8}, .src = {of[1], ROWS * COLS * 8}, .src1 = {of[2], ROWS * COLS * 8}};
    struct ptog_insn insn;
    ptog_plan *plan = NULL;
    enum ptog_opcode opcode = ptog_opcode_find(work->name);
    ptog_insn_tiles(&insn, opcode, tiles, opcode == PTOG_TEXP || opcode == PTOG_TLOG || opcode == PTOG_TSQRT ? 2 : 3);
    bool planned = of[0] && of[1] && of[2] && ptog_plan_insn(&plan, ptog_target_find("host"), &insn, NULL) == PTOG_OK;
    if (planned)
        printf("%-6s %-5s %8.2f us\n", work->name, ptog_dtype_name(work->dtype), time_of(plan, &run));
    ptog_plan_free(plan);
    for (int i = 0; i < 3; i++)
        free(of[i]);
    return planned;
}

int main(void)
{
    bool all = true;
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        all = measure(&works[i]) && all;
    return all ? 0 : 1;
}
