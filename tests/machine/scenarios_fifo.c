/* machine tests: FIFOs between the cube core and the vector cores of a block. The core of the kernel is vector core 0. */
#include <ptog/fifo.h>

#include "machine/scenarios.h"

#define LINE_OF_PUSH 2
#define LINE_OF_POP 3

static ptog_core *open_cube(struct kernel *k, const struct ptog_fifo_options *fifo)
{
    static float ones[16 * 16];
    struct ptog_tile acc = ptog_tile_at(ptog_tile_cube(PTOG_ACC, PTOG_F32, 16, 16), 0);
    ptog_core *cube;
    assert_int_equal(ptog_core_open_cube(&cube, k->device, 0), PTOG_OK);
    ptog_core_at(cube, "kernel.c", 1);
    assert_int_equal(ptog_core_preset(cube, &acc, ones), PTOG_OK);
    assert_int_equal(ptog_core_fifo_open(cube, fifo), PTOG_OK);
    assert_int_equal(ptog_core_fifo_open(AT(k, 1), fifo), PTOG_OK);
    return cube;
}

static struct ptog_fifo_options options_of(const struct kernel *k)
{
    return (struct ptog_fifo_options){.direction = PTOG_CUBE_TO_VECTOR, .slot_size = 1024, .gm = k->out};
}

static enum ptog_status push_acc(ptog_core *cube)
{
    struct ptog_tile acc = ptog_tile_at(ptog_tile_cube(PTOG_ACC, PTOG_F32, 16, 16), 0);
    ptog_core_at(cube, "kernel.c", LINE_OF_PUSH);
    return ptog_core_fifo_push(cube, 0, &acc, PTOG_SPLIT_NONE);
}

static enum ptog_status pop_vec(struct kernel *k, enum ptog_dtype dtype)
{
    struct ptog_tile vec = ptog_tile_vec(dtype, 16, 16);
    return ptog_core_fifo_pop(AT(k, LINE_OF_POP), 0, &vec, PTOG_SPLIT_NONE);
}

void scenario_fifo_overrun(struct kernel *k, bool fixed)
{
    struct ptog_fifo_options fifo = options_of(k);
    fifo.slots = fixed ? 6 : 5; /* of 5, the sixth push waits for nothing */
    ptog_core *cube = open_cube(k, &fifo);
    for (int i = 0; i < 6; i++)
        assert_int_equal(push_acc(cube), PTOG_OK);
    for (int i = 0; i < 6; i++)
        assert_int_equal(pop_vec(k, PTOG_F32), PTOG_OK);
    ptog_core_close(cube);
}

void scenario_fifo_slot(struct kernel *k, bool fixed)
{
    struct ptog_fifo_options fifo = options_of(k);
    fifo.slot_size = fixed ? 1024 : 512;
    ptog_core *cube = open_cube(k, &fifo);
    assert_int_equal(push_acc(cube), fixed ? PTOG_OK : PTOG_ILLEGAL);
    if (fixed)
        assert_int_equal(pop_vec(k, PTOG_F32), PTOG_OK);
    ptog_core_close(cube);
}

void scenario_fifo_mismatch(struct kernel *k, bool fixed)
{
    struct ptog_fifo_options fifo = options_of(k);
    ptog_core *cube = open_cube(k, &fifo);
    assert_int_equal(pop_vec(k, PTOG_F32), PTOG_BLOCKED);
    assert_int_equal(push_acc(cube), PTOG_OK);
    assert_int_equal(pop_vec(k, fixed ? PTOG_F32 : PTOG_I32), fixed ? PTOG_OK : PTOG_ILLEGAL);
    ptog_core_close(cube);
}

void scenario_fifo_unfreed(struct kernel *k, bool fixed)
{
    struct ptog_fifo_options fifo = options_of(k);
    fifo.local = true;
    ptog_core *cube = open_cube(k, &fifo);
    assert_int_equal(push_acc(cube), PTOG_OK);
    assert_int_equal(pop_vec(k, PTOG_F32), PTOG_OK);
    if (fixed)
        assert_int_equal(ptog_core_fifo_free(AT(k, 4), 0), PTOG_OK);
    ptog_core_close(cube);
}
