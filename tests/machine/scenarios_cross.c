/* machine tests: counters between the cube core and the vector cores of a block. The core of the kernel is vector core 0. */
#include "machine/scenarios.h"

static ptog_core *cube_core(struct kernel *k)
{
    ptog_core *cube;
    assert_int_equal(ptog_core_open_cube(&cube, k->device, 0), PTOG_OK);
    return cube;
}

static ptog_core *on_line(ptog_core *core, uint32_t line)
{
    ptog_core_at(core, "kernel.c", line);
    return core;
}

void scenario_deadlock(struct kernel *k, bool fixed)
{
    ptog_core *cube = cube_core(k);
    if (fixed)
        ptog_core_cross_set(on_line(cube, 1), PTOG_FIX, 0, 2);
    assert_int_equal(ptog_core_cross_wait(AT(k, 2), 0), fixed ? PTOG_OK : PTOG_BLOCKED);
    if (!fixed)
        ptog_device_deadlock(k->device);
    ptog_core_close(cube);
}

void scenario_xflag_overflow(struct kernel *k, bool fixed)
{
    ptog_core *cube = cube_core(k);
    int sets = fixed ? 15 : 16;
    for (int i = 0; i < sets; i++)
        ptog_core_cross_set(on_line(cube, 1), PTOG_FIX, 0, 2);
    for (int i = 0; i < sets; i++)
        assert_int_equal(ptog_core_cross_wait(AT(k, 2), 0), PTOG_OK);
    ptog_core_close(cube);
}

void scenario_xflag_clash(struct kernel *k, bool fixed)
{
    ptog_core *cube = cube_core(k);
    int id = fixed ? 10 : 12;
    ptog_core_cross_set(on_line(cube, 1), PTOG_FIX, id, 2);
    assert_int_equal(ptog_core_cross_wait(AT(k, 2), id), PTOG_OK);
    assert_int_equal(ptog_core_sync_all(on_line(cube, 3), PTOG_ALL_CORES), PTOG_BLOCKED);
    assert_int_equal(ptog_core_sync_all(AT(k, 4), PTOG_ALL_CORES), PTOG_OK);
    assert_int_equal(ptog_core_sync_all(on_line(cube, 3), PTOG_ALL_CORES), PTOG_OK);
    ptog_core_close(cube);
}

void scenario_xflag_left(struct kernel *k, bool fixed)
{
    ptog_core *cube = cube_core(k);
    ptog_core_cross_set(on_line(cube, 1), PTOG_FIX, 0, 2);
    if (fixed)
        assert_int_equal(ptog_core_cross_wait(AT(k, 2), 0), PTOG_OK);
    ptog_core_close(cube);
}

void scenario_xflag_reduce(struct kernel *k, bool fixed)
{
    ptog_core *cube = cube_core(k), *other;
    assert_int_equal(ptog_core_open_subblock(&other, k->device, 0, 1), PTOG_OK);
    ptog_core_cross_set(AT(k, 1), PTOG_MTE3, 0, 2);
    if (fixed) {
        ptog_core_cross_set(on_line(other, 1), PTOG_MTE3, 0, 2);
        assert_int_equal(ptog_core_cross_wait(on_line(cube, 2), 0), PTOG_OK);
    }
    ptog_core_close(other);
    ptog_core_close(cube);
}
