/* machine tests: faults of instructions of V: elementwise, broadcasts, TGATHER. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "machine/scenarios.h"

#include <math.h>

/* Two tiles of i32: the sixth number of the second is wrong. */
static void pairwise(struct kernel *k, enum ptog_opcode opcode, int32_t sixth)
{
    struct ptog_tile tiles[3] = {ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0),
                                 ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0x400),
                                 ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0x800)};
    int32_t numbers[16];
    struct ptog_insn insn;
    for (int i = 0; i < 16; i++)
        numbers[i] = i == 5 ? sixth : 1;
    ptog_insn_tiles(&insn, opcode, tiles, 3);
    ptog_core_preset(k->core, &tiles[1], numbers);
    ptog_core_preset(k->core, &tiles[2], numbers);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

void scenario_div_by_zero(struct kernel *k, bool fixed)
{
    pairwise(k, PTOG_TDIV, fixed ? 1 : 0);
}

void scenario_shift_range(struct kernel *k, bool fixed)
{
    pairwise(k, PTOG_TSHL, fixed ? 31 : 32);
}

void scenario_count_zero(struct kernel *k, bool fixed)
{
    struct ptog_tile tiles[] = {
        ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 16), 0), ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 8), 0x400),
        ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 8), 0x800), ptog_tile_at(ptog_tile_vec(PTOG_I32, 2, 8), 0xC00),
        ptog_tile_at(ptog_tile_vec(PTOG_I32, 2, 8), 0xC40)};
    int32_t counts[16] = {[0] = 16, [8] = fixed ? 4 : 0};
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, PTOG_TCONCATIDX, tiles, 5);
    for (int i = 1; i < 5; i++)
        ptog_core_preset(k->core, &tiles[i], i < 3 ? (const void *)kernel_table : counts);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

void scenario_nan_order(struct kernel *k, bool fixed)
{
    const struct ptog_tile tiles[] = {ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 0),
                                      ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 8), 0x400)};
    float numbers[16] = {[3] = 7, [9] = 2};
    struct ptog_insn insn;
    if (!fixed)
        numbers[9] = NAN;
    ptog_insn_tiles(&insn, PTOG_TCOLMAX, tiles, 2);
    ptog_core_preset(k->core, &tiles[1], numbers);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

void scenario_sort_nan(struct kernel *k, bool fixed)
{
    const struct ptog_tile tiles[] = {ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 64), 0),
                                      ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 32), 0x400),
                                      ptog_tile_at(ptog_tile_vec(PTOG_U32, 1, 32), 0x800)};
    float numbers[32] = {[3] = 7, [9] = 2};
    struct ptog_insn insn;
    if (!fixed)
        numbers[9] = NAN;
    ptog_insn_tiles(&insn, PTOG_TSORT32, tiles, 3);
    ptog_core_preset(k->core, &tiles[1], numbers);
    ptog_core_preset(k->core, &tiles[2], kernel_ids);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

/* A row of 32 bytes stands for the column that is added; its elements differ. */
void scenario_expand_block(struct kernel *k, bool fixed)
{
    struct ptog_tile tiles[] = {ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 16), 0),
                                ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 16), 0x400),
                                ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 8), 0x800)};
    float numbers[16] = {[8] = 3, 3, 3, 3, 3, 3, 3, 3};
    struct ptog_insn insn;
    if (!fixed)
        numbers[13] = 4;
    ptog_insn_tiles(&insn, PTOG_TROWEXPANDADD, tiles, 3);
    ptog_core_preset(k->core, &tiles[1], kernel_table);
    ptog_core_preset(k->core, &tiles[2], numbers);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

void scenario_tmp_overrun(struct kernel *k, bool fixed)
{
    struct ptog_tgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F16, 4, 16), 0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F16, 1, 64), 0x400),
                              .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 4, 16), 0x800),
                              .tmp = ptog_tile_at(ptog_tile_vec(PTOG_I32, fixed ? 4 : 2, 16), 0xC00)};
    int32_t ids[64] = {0};
    ptog_core_preset(k->core, &op.src, kernel_table);
    ptog_core_preset(k->core, &op.idx, ids);
    ptog_core_tgather(AT(k, 1), &op, NULL);
}

void scenario_mask_overrun(struct kernel *k, bool fixed)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, fixed ? 16 : 1, fixed ? 8 : 16), 0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0x1000),
                              .pattern = PTOG_P0101};
    ptog_core_preset(k->core, &op.src, kernel_table);
    ptog_core_tgather(AT(k, 1), &op, NULL);
}
