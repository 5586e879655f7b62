/* examples: the kernels of document 002 as calls of the C API, on each target with the outcome it has there.
 *
 * Flags, and the index tiles that elem_2d and the (1,1) kernel never load, need the machine; here index tiles are
 * given. */
#include <string.h>

#include "seed.h"

static float table[64][64];
static float dst[64][64];

static struct ptog_run run_with(const int32_t *indices, size_t count)
{
    memset(dst, 0, sizeof dst);
    return (struct ptog_run){.dst = {dst, sizeof dst}, .src = {table, sizeof table}, .idx = {indices, 4 * count}};
}

/* Auto and Manual: a 16x16 index and no mode, so the default, Row. */
static void auto_and_manual(void)
{
    static int32_t indices[256];
    struct ptog_mgather op = {
        .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0x1000),
        .table = ptog_tensor_2d(PTOG_F32, 64, 64),
        .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 16, 16), 0x2000),
    };
    for (int i = 0; i < 256; i++)
        indices[i] = i * 11;
    struct ptog_run run = run_with(indices, 256);
    printf("002 Auto, Manual: a 16x16 index without a mode\n");
    expect(mgather_on("a2a3", &op, &run) == PTOG_ILLEGAL, "Row refuses it");
    expect(mgather_on("a5", &op, &run) == PTOG_ILLEGAL, "Row refuses it");
    op.coalesce = PTOG_ELEM;
    expect(mgather_on("cpu", &op, &run) == PTOG_OK, "the CPU form has no mode and takes it");
    expect(mgather_on("a2a3", &op, &run) == PTOG_OK, "with Elem it is fine");
}

static void embedding_lookup(void)
{
    static const int32_t indices[16] = {3, 1, 4, 1, 5, 9, 2, 6, 64, 1000, 63, 0, 8, 8, 8, 8};
    struct ptog_mgather op = {
        .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 64), 0x0),
        .table = ptog_tensor_2d(PTOG_F32, 64, 64),
        .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0x1000),
        .coalesce = PTOG_ROW,
        .oob = PTOG_OOB_CLAMP,
    };
    struct ptog_run run = run_with(indices, 16);
    int same = 1;
    printf("002 embedding lookup, 16x64 floats: exactly 4096 bytes before the index at 0x1000\n");
    expect(mgather_on("a2a3", &op, &run) == PTOG_OK, "clean");
    expect(mgather_on("a5", &op, &run) == PTOG_OK, "clean");
    for (int r = 0; r < 16; r++)
        same = same && memcmp(dst[r], table[indices[r] < 64 ? indices[r] : 63], sizeof dst[r]) == 0;
    expect(same, "dst[r,:] = table[min(idx[r], 63),:]");
    op.dst.rows = 17;
    op.dst.valid_row = 16;
    expect(mgather_on("a2a3", &op, &run) == PTOG_ILLEGAL, "one row more and dst reaches the index");
}

static void elem_2d(void)
{
    static int32_t indices[8 * 32];
    struct ptog_mgather op = {
        .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 8, 32), 0x0),
        .table = ptog_tensor_2d(PTOG_F32, 1, 256),
        .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 8, 32), 0x800),
        .coalesce = PTOG_ELEM,
        .oob = PTOG_OOB_WRAP,
    };
    const float *flat = &table[0][0], *out = &dst[0][0];
    int same = 1;
    for (int i = 0; i < 256; i++)
        indices[i] = i * 37;
    struct ptog_run run = run_with(indices, 256);
    printf("002 elem_2d, wrap\n");
    expect(mgather_on("a2a3", &op, &run) == PTOG_OK, "right when the index is given");
    expect(mgather_on("a5", &op, &run) == PTOG_OK, "right when the index is given");
    for (int i = 0; i < 256; i++)
        same = same && out[i] == flat[i * 37 % 256];
    expect(same, "dst[r,c] = table[idx[r,c] mod 256]");
}

/* [R,1] column-major index: A5 only. */
static void row_colidx(void)
{
    static const int32_t indices[8] = {7, 6, 5, 4, 3, 2, 1, 63};
    struct ptog_mgather op = {
        .dst = ptog_tile_at(ptog_tile_vec(PTOG_F16, 8, 64), 0x0),
        .table = ptog_tensor_2d(PTOG_F16, 64, 64),
        .idx = ptog_tile_at(ptog_tile_col_major(ptog_tile_vec(PTOG_I32, 8, 1)), 0x1000),
        .coalesce = PTOG_ROW,
    };
    struct ptog_run run = run_with(indices, 8);
    int same = 1;
    printf("002 row_colidx, [8,1] column-major index\n");
    expect(mgather_on("a5", &op, &run) == PTOG_OK, "clean");
    for (int r = 0; r < 8; r++)
        same = same && memcmp((char *)dst + r * 128, (char *)table + indices[r] * 128, 128) == 0;
    expect(same, "dst[r,:] = table[idx[r],:]");
    expect(mgather_on("a2a3", &op, &run) == PTOG_ILLEGAL, "A5 only");
}

static void scalar(void)
{
    static const int32_t indices[8] = {31};
    struct ptog_mgather op = {
        .dst = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_F32, 1, 8), 1, 1), 0x0),
        .table = ptog_tensor_2d(PTOG_F32, 1, 32),
        .idx = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 1), 0x80),
        .coalesce = PTOG_ELEM,
    };
    struct ptog_run run = run_with(indices, 8);
    printf("002 (1,1)\n");
    expect(mgather_on("a2a3", &op, &run) == PTOG_OK, "right when the index is given");
    expect(mgather_on("a5", &op, &run) == PTOG_OK, "right when the index is given");
    expect(dst[0][0] == table[0][31] && dst[0][1] == 0, "one element is written");
}

/* case_elem2d_dyn_user_float_1x9_in_1x16_3x10: everything but the padded tiles arrives at run time. */
static void dynamic_shapes(void)
{
    static const int32_t indices[16] = {29, 0, 15, 3, 3, 28, 1, 2, 10};
    struct ptog_mgather op = {
        .dst = ptog_tile_valid(ptog_tile_vec(PTOG_F32, 1, 16), PTOG_DYN, PTOG_DYN),
        .table = ptog_tensor_2d(PTOG_F32, PTOG_DYN, PTOG_DYN),
        .idx = ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 16), PTOG_DYN, PTOG_DYN),
        .coalesce = PTOG_ELEM,
    };
    struct ptog_run run = run_with(indices, 16);
    int same = 1;
    run.dst_valid[0] = run.idx_valid[0] = 1;
    run.dst_valid[1] = run.idx_valid[1] = 9;
    run.shape[3] = 3;
    run.shape[4] = 10;
    printf("002 dynamic shapes, 9 of 16 columns, a 3x10 table\n");
    expect(mgather_on("a2a3", &op, &run) == PTOG_OK, "it runs");
    for (int i = 0; i < 9; i++)
        same = same && dst[0][i] == (&table[0][0])[indices[i]];
    expect(same && dst[0][9] == 0, "nine elements are written, the padding is not");
}

int main(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            table[i][j] = (float)(i * 100 + j + 1);
    auto_and_manual();
    embedding_lookup();
    elem_2d();
    row_colidx();
    scalar();
    dynamic_shapes();
    return 0;
}
