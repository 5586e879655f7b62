/* examples: the three kernels of document 000, the custom A5 MGATHER, as calls of the C API.
 *
 * As printed, the embedding kernel also loads a 1xN view into an Nx1 tile and has no flag between load and gather, and
 * the other two never load their index tile; those outcomes need the machine. Here the index tiles are given. */
#include "seed.h"

enum { ROWS = 16, WIDTH = 32, TABLE_ROWS = 100 };

static float table[TABLE_ROWS][WIDTH];

/* Row-indexed gather with Wrap, "for hash tables": any number is an index. */
static void embedding_lookup(void)
{
    static const int32_t indices[ROWS] = {0, 99, 100, 101, 199, 200, 7, 1 << 30, 3, 3, 3, 98, 12345, 1000000, 50, 1};
    float dst[ROWS][WIDTH];
    struct ptog_mgather op = {
        .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, ROWS, WIDTH), 0x1000),
        .table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS, WIDTH),
        .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, ROWS, 1), 0x0),
        .oob = PTOG_OOB_WRAP,
    };
    struct ptog_run run = {.dst = {dst, sizeof dst}, .src = {table, sizeof table}, .idx = {indices, sizeof indices}};
    int same = 1;
    printf("000 embedding lookup, wrap\n");
    expect(mgather_on("a5-custom", &op, &run) == PTOG_OK, "it runs");
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < WIDTH; j++)
            same = same && dst[r][j] == table[(uint32_t)indices[r] % TABLE_ROWS][j];
    expect(same, "dst[r,j] = table[idx[r] mod 100, j]");
}

/* Element-indexed gather with Zero. */
static void sparse_gather(void)
{
    static float data[1024 * 64];
    int32_t indices[16][16];
    float dst[16][16];
    struct ptog_mgather op = {
        .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0x2000),
        .table = ptog_tensor_2d(PTOG_F32, 1024, 64),
        .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 16, 16), 0x0),
        .coalesce = PTOG_ELEM,
        .oob = PTOG_OOB_ZERO,
    };
    struct ptog_run run = {.dst = {dst, sizeof dst}, .src = {data, sizeof data}, .idx = {indices, sizeof indices}};
    int same = 1;
    for (int i = 0; i < 1024 * 64; i++)
        data[i] = (float)(i + 1);
    for (int i = 0; i < 256; i++)
        indices[i / 16][i % 16] = i * 300 - 5; /* some below zero, some past the end */
    printf("000 sparse access, zero\n");
    expect(mgather_on("a5-custom", &op, &run) == PTOG_OK, "it runs");
    for (int i = 0; i < 256; i++) {
        uint32_t index = (uint32_t)indices[i / 16][i % 16];
        same = same && dst[i / 16][i % 16] == (index < 1024 * 64 ? data[index] : 0);
    }
    expect(same, "dst[r,c] = data[idx[r,c]], or 0 past the end");
}

/* Halves, Clamp, tiles at fixed addresses. */
static void manual_assignment(void)
{
    static uint16_t rows[65536][64];
    static const int32_t indices[8] = {0, 65535, 65536, -1, 1, 2, 3, 4};
    uint16_t dst[8][64];
    struct ptog_mgather op = {
        .dst = ptog_tile_at(ptog_tile_vec(PTOG_F16, 8, 64), 0x1000),
        .table = ptog_tensor_2d(PTOG_F16, 65536, 64),
        .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 8, 1), 0x0),
        .oob = PTOG_OOB_CLAMP,
    };
    struct ptog_run run = {.dst = {dst, sizeof dst}, .src = {rows, sizeof rows}, .idx = {indices, sizeof indices}};
    int same = 1;
    for (int i = 0; i < 65536; i++)
        for (int j = 0; j < 64; j++)
            rows[i][j] = (uint16_t)(i ^ j << 10);
    printf("000 manual memory assignment, clamp\n");
    expect(mgather_on("a5-custom", &op, &run) == PTOG_OK, "it runs");
    for (int r = 0; r < 8; r++) {
        int32_t index = indices[r] < 65536 ? indices[r] : 65535;
        if (index < 0)
            index = 0;
        for (int j = 0; j < 64; j++)
            same = same && dst[r][j] == rows[index][j];
    }
    expect(same, "dst[r,j] = table[clamp(idx[r], 0, 65535), j]");
}

int main(void)
{
    for (int i = 0; i < TABLE_ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            table[i][j] = (float)i + (float)j / 64;
    embedding_lookup();
    sparse_gather();
    manual_assignment();
    return 0;
}
