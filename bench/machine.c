/* bench: the machine with all checks on: row gathers of 512-byte rows and elem gathers, from a large table. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <ptog/core.h>
#include <ptog/ptog.h>

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

struct bench {
    ptog_device *device;
    ptog_core *core;
    int table, ids, out;
    void *data;
};

static struct bench begin(const char *target, bool writable)
{
    struct bench b = {0};
    static int32_t ids[1 << 14];
    static float out[1 << 16];
    size_t bytes = (size_t)65536 * 128 * 4;
    b.data = calloc(1, bytes);
    for (int i = 0; i < 1 << 14; i++)
        ids[i] = (int32_t)(i * 2654435761u % 65536u);
    ptog_device_open(&b.device, ptog_target_find(target), NULL);
    b.table = writable ? ptog_device_buffer(b.device, "table", b.data, bytes)
                       : ptog_device_input(b.device, "table", b.data, bytes);
    b.ids = ptog_device_input(b.device, "ids", ids, sizeof ids);
    b.out = ptog_device_buffer(b.device, "out", out, sizeof out);
    ptog_core_open(&b.core, b.device, 0);
    return b;
}

static void end(struct bench *b)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_core_close(b->core);
    ptog_device_report(b->device, diags);
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        if (ptog_diags_at(diags, i)->severity == PTOG_ERROR)
            printf("  REPORT NOT CLEAN: %s\n", ptog_diags_at(diags, i)->message);
    ptog_diags_free(diags);
    ptog_device_close(b->device);
    free(b->data);
}

static void flag(struct bench *b, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    ptog_core_set_flag(b->core, src, dst, id);
    ptog_core_wait_flag(b->core, src, dst, id);
}

/* Lanes per second of the same gather by a plan, unchecked. */
static double on_host(const struct ptog_mgather *op)
{
    static float dst[64 * 128];
    static int32_t ids[64 * 128];
    size_t bytes = (size_t)65536 * 128 * 4;
    ptog_plan *plan = NULL;
    struct ptog_run run = {.dst = {dst, sizeof dst}, .src = {calloc(1, bytes), bytes}, .idx = {ids, sizeof ids}};
    struct ptog_mgather free_of_place = *op;
    free_of_place.dst.placed = free_of_place.idx.placed = false;
    for (int i = 0; i < 64 * 128; i++)
        ids[i] = (int32_t)(i * 2654435761u % 65536u);
    double start = seconds();
    int times = 2000;
    if (ptog_plan_mgather(&plan, ptog_target_find("host"), &free_of_place, NULL) == PTOG_OK)
        for (int i = 0; i < times; i++)
            ptog_plan_run(plan, &run, NULL);
    double took = seconds() - start;
    ptog_plan_free(plan);
    free((void *)(uintptr_t)run.src.data);
    return times * 64.0 * 128.0 / took;
}

static void gather(const char *target, const char *what, const struct ptog_mgather *op, int times, bool writable)
{
    struct bench b = begin(target, writable);
    struct ptog_transfer load = {.tile = op->idx, .view = ptog_tensor_2d(PTOG_I32, op->idx.rows, op->idx.cols)};
    struct ptog_transfer store = {.tile = op->dst, .view = ptog_tensor_2d(PTOG_F32, op->dst.rows, op->dst.cols)};
    double start = seconds();
    for (int i = 0; i < times; i++) {
        ptog_core_at(b.core, "bench.c", 1);
        flag(&b, PTOG_V, PTOG_MTE2, 1);
        ptog_core_load(b.core, &load, b.ids, 0);
        flag(&b, PTOG_MTE2, PTOG_V, 1);
        flag(&b, PTOG_MTE3, PTOG_V, 1);
        ptog_core_mgather(b.core, op, b.table, 0, NULL);
        flag(&b, PTOG_V, PTOG_MTE3, 1);
        ptog_core_store(b.core, &store, b.out, 0);
        ptog_core_barrier(b.core, PTOG_MTE3);
    }
    double took = seconds() - start, lanes = (double)times * (double)(op->dst.rows * op->dst.cols);
    end(&b);
    printf("%-9s %-24s %8.1f MB/s %8.1f M lanes/s   host path: %.0f times as fast\n", target, what,
           lanes * 4 / took / 1e6, lanes / took / 1e6, on_host(op) / (lanes / took));
}

int main(int argc, char **argv)
{
    int scale = argc > 1 ? atoi(argv[1]) : 1;
    struct ptog_mgather row = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 64, 128), 0),
                               .table = ptog_tensor_2d(PTOG_F32, 65536, 128),
                               .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 64), 0x10000),
                               .oob = PTOG_OOB_CLAMP};
    struct ptog_mgather elem = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 64, 128), 0),
                                .table = ptog_tensor_2d(PTOG_F32, 65536, 128),
                                .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 64, 128), 0x10000),
                                .coalesce = PTOG_ELEM,
                                .oob = PTOG_OOB_CLAMP};
    for (int t = 0; t < 2; t++) {
        const char *target = t ? "a5" : "a2a3";
        gather(target, "row, 512 bytes", &row, 2000 * scale, false);
        gather(target, "row, writable table", &row, 500 * scale, true);
        gather(target, "elem", &elem, 500 * scale, false);
    }
    return 0;
}
