/* examples: the documents' kernels on the simulated core, as printed and as they are right. What the other seed
 * examples could not show: loads, flags, and index tiles that nobody loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/ptog.h>

/* A device with a table, an index array and an output, and one open core. */
struct kernel {
    ptog_device *device;
    ptog_core *core;
    int table, index, out;
};

static float table[65536 * 64 / 8], out[64 * 64];
static int32_t indices[1024];

static struct kernel start(const char *target)
{
    struct kernel k = {0};
    if (ptog_device_open(&k.device, ptog_target_find(target), NULL) != PTOG_OK)
        exit(2);
    k.table = ptog_device_input(k.device, "table", table, sizeof table);
    k.index = ptog_device_input(k.device, "indices", indices, sizeof indices);
    k.out = ptog_device_buffer(k.device, "out", out, sizeof out);
    if (ptog_core_open(&k.core, k.device, 0) != PTOG_OK)
        exit(2);
    return k;
}

/* Prints the ids of the report, notes apart, which must be `expected`. */
static void finish(struct kernel k, const char *title, const char *target, const char *expected)
{
    char ids[400] = "";
    const struct ptog_diag *diag;
    ptog_diags *diags = ptog_diags_new();
    ptog_core_close(k.core);
    ptog_device_report(k.device, diags);
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (diag->severity != PTOG_NOTE)
            snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%s", ids[0] ? " " : "", diag->id);
    printf("%-52s %-10s %s\n", title, target, ids[0] ? ids : "clean");
    if (strcmp(ids, expected) != 0) {
        printf("FAILED: expected %s\n", expected[0] ? expected : "clean");
        exit(1);
    }
    ptog_diags_free(diags);
    ptog_device_close(k.device);
}

static void load_flag(struct kernel k)
{
    ptog_core_set_flag(k.core, PTOG_MTE2, PTOG_V, 0);
    ptog_core_wait_flag(k.core, PTOG_MTE2, PTOG_V, 0);
}

/* 000: loads a 1xN view into an Nx1 tile, and has no flag between load and gather. */
static void custom_embedding(bool viewed, bool flagged, const char *title, const char *expected)
{
    struct kernel k = start("a5-custom");
    struct ptog_mgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 32), 0x1000),
                              .table = ptog_tensor_2d(PTOG_F32, 100, 32),
                              .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 16, 1), 0x0),
                              .oob = PTOG_OOB_WRAP};
    struct ptog_transfer load = {.tile = op.idx};
    load.view = viewed ? ptog_tensor_2d(PTOG_I32, 16, 1) : ptog_tensor_2d(PTOG_I32, 1, 16);
    ptog_core_load(k.core, &load, k.index, 0);
    if (flagged)
        load_flag(k);
    ptog_core_mgather(k.core, &op, k.table, 0, NULL);
    finish(k, title, "a5-custom", expected);
}

/* An element gather whose index tile nobody loaded, or one that holds something. */
static void elem(const char *title, const char *target, struct ptog_mgather op, bool preset, const char *expected)
{
    struct kernel k = start(target);
    if (preset)
        ptog_core_preset(k.core, &op.idx, indices);
    ptog_core_mgather(k.core, &op, k.table, 0, NULL);
    finish(k, title, target, expected);
}

static void embedding(const char *title, const char *target, struct ptog_mgather op, struct ptog_tensor view)
{
    struct kernel k = start(target);
    struct ptog_transfer load = {.tile = op.idx, .view = view};
    ptog_core_load(k.core, &load, k.index, 0);
    load_flag(k);
    ptog_core_mgather(k.core, &op, k.table, 0, NULL);
    finish(k, title, target, "");
}

static void tile_gather(const char *title, const char *target, bool preset, const char *expected)
{
    struct kernel k = start(target);
    struct ptog_tgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0x0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0x1000),
                              .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 16, 16), 0x2000)};
    if (preset) {
        ptog_core_preset(k.core, &op.src, table);
        ptog_core_preset(k.core, &op.idx, indices);
    }
    ptog_core_tgather(k.core, &op, NULL);
    finish(k, title, target, expected);
}

int main(void)
{
    struct ptog_mgather elem_2d = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 8, 32), 0x0),
                                   .table = ptog_tensor_2d(PTOG_F32, 1, 256),
                                   .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 8, 32), 0x800),
                                   .coalesce = PTOG_ELEM,
                                   .oob = PTOG_OOB_WRAP};
    struct ptog_mgather rows = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 64), 0x0),
                                .table = ptog_tensor_2d(PTOG_F32, 64, 64),
                                .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0x1000),
                                .oob = PTOG_OOB_CLAMP};
    struct ptog_mgather colidx = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F16, 8, 64), 0x0),
                                  .table = ptog_tensor_2d(PTOG_F16, 64, 64),
                                  .idx = ptog_tile_at(ptog_tile_col_major(ptog_tile_vec(PTOG_I32, 8, 1)), 0x1000)};
    struct ptog_tensor column = ptog_tensor_2d(PTOG_I32, 8, 1);
    column.layout = PTOG_DN;
    for (int i = 0; i < 1024; i++)
        indices[i] = i * 7 % 64;

    custom_embedding(false, false, "000 embedding, as printed", "race-raw");
    custom_embedding(true, false, "000 embedding, viewed as Nx1", "race-raw");
    custom_embedding(true, true, "000 embedding, viewed as Nx1 and flagged", "");
    elem("002 elem_2d, as printed", "a2a3", elem_2d, false, "uninit-read index-negative");
    elem("002 elem_2d, the index given", "a2a3", elem_2d, true, "");
    elem("002 elem_2d, as printed", "a5", elem_2d, false, "uninit-read index-negative");
    elem("002 elem_2d, the index given", "a5", elem_2d, true, "");
    elem_2d.dst = ptog_tile_valid(ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 0x0), 1, 1);
    elem_2d.idx = ptog_tile_valid(ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0x80), 1, 1);
    elem_2d.table = ptog_tensor_2d(PTOG_F32, 1, 32);
    elem("002 (1,1), the index given", "a2a3", elem_2d, true, "");
    elem("002 (1,1), the index given", "a5", elem_2d, true, "");
    embedding("002 embedding lookup", "a2a3", rows, ptog_tensor_2d(PTOG_I32, 1, 16));
    embedding("002 embedding lookup", "a5", rows, ptog_tensor_2d(PTOG_I32, 1, 16));
    embedding("002 row_colidx", "a5", colidx, column);
    tile_gather("004 auto, as printed", "a2a3", false, "uninit-read ub-outside-tile");
    tile_gather("004 auto, the tiles given", "a2a3", true, "");
    tile_gather("004 auto, the tiles given", "a5", true, "");
    return 0;
}
