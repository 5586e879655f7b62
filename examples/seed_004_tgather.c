/* examples: the two kernels of document 004, TGATHER, as calls of the C API. */
#include "seed.h"

static float src[16][16];

static void by_index(void)
{
    static int32_t indices[16][16];
    float dst[16][16];
    struct ptog_tgather op = {
        .form = PTOG_BY_INDEX,
        .dst = ptog_tile_vec(PTOG_F32, 16, 16),
        .src = ptog_tile_vec(PTOG_F32, 16, 16),
        .idx = ptog_tile_vec(PTOG_I32, 16, 16),
    };
    struct ptog_run run = {.dst = {dst, sizeof dst}, .src = {src, sizeof src}, .idx = {indices, sizeof indices}};
    int same = 1;
    for (int i = 0; i < 256; i++)
        indices[i / 16][i % 16] = 255 - i;
    printf("004 auto: by index\n");
    expect(tgather_on("a2a3", &op, &run) == PTOG_OK, "fine when the tiles are given");
    expect(tgather_on("a5", &op, &run) == PTOG_OK, "fine when the tiles are given");
    for (int i = 0; i < 256; i++)
        same = same && dst[i / 16][i % 16] == (float)(255 - i);
    expect(same, "dst[i,j] = src[idx[i,j]]");
}

static void by_mask(void)
{
    float dst[16][16];
    struct ptog_tgather op = {
        .form = PTOG_BY_MASK,
        .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0x2000),
        .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0x1000),
        .pattern = PTOG_P0101,
    };
    struct ptog_run run = {.dst = {dst, 64}, .src = {src, sizeof src}};
    int same = 1;
    printf("004 manual: by mask P0101, 16x16 into 1x16\n");
    expect(tgather_on("a2a3", &op, &run) == PTOG_FAULT, "16 elements are written; 112 more would overrun dst");
    for (int i = 0; i < 16; i++)
        same = same && dst[0][i] == (float)(2 * i);
    expect(same, "those that fit are every second element");
    printf("004 manual, with the room it needs\n");
    op.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 8), 0x2000);
    run.dst.bytes = 512;
    expect(tgather_on("a2a3", &op, &run) == PTOG_OK, "fine");
    for (int i = 0; i < 128; i++)
        same = same && (&dst[0][0])[i] == (float)(2 * i);
    expect(same, "every second element, in one stream");
}

int main(void)
{
    for (int i = 0; i < 256; i++)
        src[i / 16][i % 16] = (float)i;
    by_index();
    by_mask();
    return 0;
}
