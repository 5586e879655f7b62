/* machine tests: faults of tiles in the memories of a cube core, and of an instruction on the wrong core. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "machine/scenarios.h"

#define KIB UINT64_C(1024)

static struct ptog_tile matrix_at(enum ptog_loc loc, uint64_t addr)
{
    return ptog_tile_at(ptog_tile_cube(loc, PTOG_F16, 16, 16), addr);
}

/* A tile of 512 bytes, whose second half lies past the 512 KiB of L1. */
void scenario_l1_overflow(struct kernel *k, bool fixed)
{
    const struct ptog_transfer load = {.tile = matrix_at(PTOG_MAT, fixed ? 0 : 512 * KIB - 256),
                                       .view = ptog_tensor_2d(PTOG_F16, 16, 16)};
    ptog_core_load(AT(k, 1), &load, k->table, 0);
}

static void copy_from_l1(struct kernel *k, struct ptog_tile dst, struct ptog_tile src)
{
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, PTOG_TMOV, (struct ptog_tile[]){dst, src}, 2);
    ptog_core_preset(k->core, &src, kernel_table);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

/* Two boxes of 512 bytes: the second one lies past the 64 KiB. */
static struct ptog_tile two_boxes(enum ptog_loc loc, bool fixed)
{
    return ptog_tile_at(ptog_tile_cube(loc, PTOG_F16, 32, 16), fixed ? 0 : 64 * KIB - 512);
}

void scenario_l0a_overflow(struct kernel *k, bool fixed)
{
    copy_from_l1(k, two_boxes(PTOG_LEFT, fixed), ptog_tile_at(ptog_tile_cube(PTOG_MAT, PTOG_F16, 32, 16), 0));
}

void scenario_l0b_overflow(struct kernel *k, bool fixed)
{
    copy_from_l1(k, two_boxes(PTOG_RIGHT, fixed), ptog_tile_at(ptog_tile_cube(PTOG_MAT, PTOG_F16, 32, 16), 0));
}

/* Two boxes of 1,024 bytes, stored; L0C has 128 KiB. */
void scenario_l0c_overflow(struct kernel *k, bool fixed)
{
    const struct ptog_tile acc = ptog_tile_at(ptog_tile_cube(PTOG_ACC, PTOG_F32, 32, 16), fixed ? 0 : 127 * KIB);
    const struct ptog_transfer store = {.tile = acc, .view = ptog_tensor_2d(PTOG_F32, 32, 16), .store = true};
    if (fixed)
        ptog_core_preset(k->core, &acc, kernel_table);
    ptog_core_store(AT(k, 1), &store, k->out, 0);
}

/* 128 bytes in a table of 1,024. */
void scenario_bias_overflow(struct kernel *k, bool fixed)
{
    struct ptog_tile bias = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 32), fixed ? 0 : KIB - 64), mat = bias;
    bias.loc = PTOG_BIAS;
    mat.loc = PTOG_MAT;
    mat.addr = 0;
    copy_from_l1(k, bias, mat);
}

void scenario_cube_misaligned(struct kernel *k, bool fixed)
{
    copy_from_l1(k, matrix_at(PTOG_LEFT, fixed ? 512 : 256), matrix_at(PTOG_MAT, 0));
}

/* A store that waits for the end of a chain of products, and there is none. */
void scenario_unit_flag(struct kernel *k, bool fixed)
{
    const struct ptog_tile acc = ptog_tile_at(ptog_tile_cube(PTOG_ACC, PTOG_F32, 16, 16), 0);
    const struct ptog_transfer store = {.tile = acc, .view = ptog_tensor_2d(PTOG_F32, 16, 16), .store = true};
    struct ptog_insn insn;
    ptog_core_preset(k->core, &acc, kernel_table);
    ptog_insn_transfer(&insn, &store);
    insn.attr[PTOG_TSTORE_PHASE] = fixed ? PTOG_PHASE_NONE : PTOG_PHASE_FINAL;
    insn.of[1].buffer = k->out;
    ptog_core_insn(AT(k, 1), &insn, NULL);
}

/* A vector instruction; the scenario says on which core. */
void scenario_wrong_core(struct kernel *k, bool fixed)
{
    const struct ptog_tile dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0),
                           src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0x400);
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, PTOG_TADD, (struct ptog_tile[]){dst, src, src}, 3);
    if (fixed)
        ptog_core_preset(k->core, &src, kernel_table);
    ptog_core_insn(AT(k, 1), &insn, NULL);
}
