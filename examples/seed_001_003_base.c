/* examples: the base form of documents 001 and 003, dst[i,j] = mem[idx[i,j]], on the CPU simulator's profile. */
#include "seed.h"

int main(void)
{
    static float mem[1000];
    static int32_t indices[8][16];
    float dst[8][16];
    struct ptog_mgather op = {
        .dst = ptog_tile_vec(PTOG_F32, 8, 16),
        .table = ptog_tensor_2d(PTOG_F32, 10, 100),
        .idx = ptog_tile_vec(PTOG_I32, 8, 16),
        .coalesce = PTOG_ELEM,
    };
    struct ptog_run run = {.dst = {dst, sizeof dst}, .src = {mem, sizeof mem}, .idx = {indices, sizeof indices}};
    int same = 1;
    for (int i = 0; i < 1000; i++)
        mem[i] = (float)i / 4;
    for (int i = 0; i < 128; i++)
        indices[i / 16][i % 16] = i * 7 % 1000;
    printf("001 and 003 base form\n");
    expect(mgather_on("cpu", &op, &run) == PTOG_OK, "it runs");
    for (int i = 0; i < 128; i++)
        same = same && dst[i / 16][i % 16] == mem[indices[i / 16][i % 16]];
    expect(same, "dst[i,j] = mem[idx[i,j]]");

    printf("003: a row mode in the program\n");
    op.coalesce = PTOG_ROW;
    op.oob = PTOG_OOB_CLAMP;
    expect(mgather_on("cpu", &op, &run) == PTOG_OK, "it runs element-wise all the same, with warnings");
    return 0;
}
