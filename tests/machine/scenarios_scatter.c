/* machine tests: faults of scatters to global memory. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "machine/scenarios.h"

/* Two rows of 8 floats at 0, their indices at 0x400, to a table of 4 rows at the start of the output. */
static struct ptog_insn scatter_rows(struct kernel *k)
{
    struct ptog_tile src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 8), 0),
                     idx = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 2), 0x400);
    struct ptog_insn insn;
    ptog_insn_start(&insn, PTOG_MSCATTER);
    ptog_insn_set_tile(&insn, 0, &src);
    insn.of[1].kind = PTOG_IS_VIEW;
    insn.of[1].buffer = k->out;
    insn.of[1].view = ptog_tensor_2d(PTOG_F32, 4, 8);
    ptog_insn_set_tile(&insn, 2, &idx);
    return insn;
}

static void preset_rows(ptog_core *core, const struct ptog_insn *insn, const int32_t ids[8])
{
    const struct ptog_tile all = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0x400);
    ptog_core_preset(core, &insn->of[0].tile, kernel_table);
    ptog_core_preset(core, &all, ids);
}

/* Both rows go to row 2, and any of them may win. */
void scenario_scatter_conflict(struct kernel *k, bool fixed)
{
    struct ptog_insn insn = scatter_rows(k);
    preset_rows(k->core, &insn, (const int32_t[8]){2, 2});
    insn.attr[PTOG_MSCATTER_CONFLICT] = fixed ? PTOG_CONFLICT_LAST : PTOG_CONFLICT_DEFAULT;
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

/* Row 9 of a table of 4. */
void scenario_scatter_dropped(struct kernel *k, bool fixed)
{
    struct ptog_insn insn = scatter_rows(k);
    preset_rows(k->core, &insn, (const int32_t[8]){2, 9});
    insn.attr[PTOG_MSCATTER_OOB] = fixed ? PTOG_SCATTER_OOB_SKIP : PTOG_SCATTER_OOB_UNDEFINED;
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

/* Two blocks add to the same elements, one by one; by rows that is atomic. */
void scenario_scatter_not_atomic(struct kernel *k, bool fixed)
{
    struct ptog_insn insn = scatter_rows(k);
    ptog_core *other;
    insn.attr[PTOG_MSCATTER_ATOMIC] = PTOG_SCATTER_ADD;
    if (!fixed) {
        insn.of[0].tile = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 0);
        insn.of[2].tile = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0x400);
        insn.attr[PTOG_MSCATTER_COALESCE] = PTOG_ELEM;
    }
    preset_rows(k->core, &insn, (const int32_t[8]){0, 1, 2, 3, 4, 5, 6, 7});
    ptog_core_insn(AT(k, 1), &insn, NULL);
    assert_int_equal(ptog_core_open(&other, k->device, 1), PTOG_OK);
    preset_rows(other, &insn, (const int32_t[8]){0, 1, 2, 3, 4, 5, 6, 7});
    ptog_core_at(other, "k.c", 2);
    ptog_core_insn(other, &insn, NULL);
    ptog_core_close(other);
}

/* ---- scatters and gathers inside UB, and merges */

/* Two lanes of one vector step go to element `ids[1]`. */
static void scatter_tile(struct kernel *k, int32_t second)
{
    const struct ptog_tile tiles[] = {ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0x400),
                                      ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 0x800),
                                      ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0xC00)};
    int32_t ids[8] = {0, second, 2, 3, 4, 5, 6, 7};
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, PTOG_TSCATTER, tiles, 3);
    ptog_core_preset(k->core, &tiles[1], kernel_table);
    ptog_core_preset(k->core, &tiles[2], ids);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

void scenario_tile_scatter_conflict(struct kernel *k, bool fixed)
{
    scatter_tile(k, fixed ? 1 : 7);
}

void scenario_tile_scatter_outside(struct kernel *k, bool fixed)
{
    scatter_tile(k, fixed ? 1 : 16);
}

static void gather_blocks(struct kernel *k, int64_t cols, uint32_t first)
{
    const struct ptog_tile tiles[] = {ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, cols), 0),
                                      ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 64), 0x800),
                                      ptog_tile_at(ptog_tile_vec(PTOG_U32, 1, 8), 0x1000)};
    uint32_t offsets[8] = {first, 32, 64, 96, 128, 160, 192, 224};
    float numbers[64] = {0};
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, PTOG_TGATHERB, tiles, 3);
    ptog_core_preset(k->core, &tiles[1], numbers);
    ptog_core_preset(k->core, &tiles[2], offsets);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

void scenario_gatherb_misaligned(struct kernel *k, bool fixed)
{
    gather_blocks(k, 64, fixed ? 0 : 4);
}

/* 32 bytes are the rest of a step of 256: the library writes all of them. */
void scenario_gatherb_overrun(struct kernel *k, bool fixed)
{
    gather_blocks(k, fixed ? 64 : 8, 0);
}

void scenario_sort_unsorted(struct kernel *k, bool fixed)
{
    const struct ptog_tile dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0),
                           first = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 0x400),
                           second = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 0x800),
                           tmp = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0xC00);
    const float falling[8] = {9, 0, 7, 0, 5, 0, 1, 0};
    float other[8] = {8, 0, 6, 0, 4, 0, 2, 0};
    struct ptog_insn insn;
    if (!fixed)
        other[6] = 5;
    ptog_insn_tiles(&insn, PTOG_TMRGSORT, &dst, 1);
    ptog_insn_set_tile(&insn, 3, &first);
    ptog_insn_set_tile(&insn, 4, &second);
    ptog_insn_set_tile(&insn, 7, &tmp);
    ptog_core_preset(k->core, &first, falling);
    ptog_core_preset(k->core, &second, other);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}
