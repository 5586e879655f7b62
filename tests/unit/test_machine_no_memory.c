/* unit: the machine when memory runs out, at every allocation in turn, for good or just once: no crash, no leak, and
 * the report says so. */
#include "unit/check.h"

#include <ptog/core.h>

#include "unit/refusing.h"

static float table[64 * 32], out[64 * 32];
static int32_t ids[64];

/* Rounds with kept entries, races, padding, scalar stores and flags that are left set. */
static void issue(ptog_core *core, int table_gm, int ids_gm, int out_gm)
{
    for (uint32_t round = 0; round < 3; round++) {
        struct ptog_tile idx = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 16), 1, 13), 0x8000);
        struct ptog_transfer load = {.tile = idx, .view = ptog_tensor_2d(PTOG_I32, 1, 13)};
        struct ptog_mgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 13, 32), 0),
                                  .table = ptog_tensor_2d(PTOG_F32, 64, 32),
                                  .idx = idx,
                                  .oob = PTOG_OOB_ZERO};
        struct ptog_transfer store = {.tile = op.dst, .view = ptog_tensor_2d(PTOG_F32, 13, 32)};
        int32_t value = 3;
        ptog_core_at(core, "f.c", round + 1);
        ptog_core_wait_flag(core, PTOG_V, PTOG_MTE2, 3);
        ptog_core_load(core, &load, ids_gm, 0);
        ptog_core_store(core, &store, out_gm, round * 512);
        ptog_core_set_flag(core, PTOG_V, PTOG_MTE2, 3);
        ptog_core_set_flag(core, PTOG_MTE2, PTOG_V, (int)round);
        ptog_core_mgather(core, &op, table_gm, 0, NULL);
        ptog_core_store(core, &store, out_gm, round * 1024);
        ptog_core_store_scalar(core, out_gm, 4, 4, &value);
        ptog_core_load(core, &load, out_gm, 0);
    }
}

static void swallow(void *user, const char *text, size_t length)
{
    (void)text;
    *(size_t *)user += length;
}

/* Everything, with `allocations` of them; true when none was refused. A trace needs lanes for transfers that overtake
 * each other. */
static bool run(long allocations, bool traced)
{
    size_t length = 0;
    struct ptog_sink sink = {.write = swallow, .user = &length};
    struct ptog_device_options options = {.trace = &sink, .trace_drawings = true, .schedule = PTOG_SCHEDULE_RANDOM, .seed = 1};
    ptog_device *device = NULL;
    ptog_core *core = NULL;
    ptog_diags *diags = ptog_diags_new();
    enum ptog_status status = PTOG_NO_MEMORY;
    ran_out = false;
    allocations_left = allocations;
    if (ptog_device_open(&device, ptog_target_find("a2a3"), traced ? &options : NULL) == PTOG_OK) {
        int table_gm = ptog_device_input(device, "table", table, sizeof table);
        int ids_gm = ptog_device_input(device, "ids", ids, sizeof ids);
        int out_gm = ptog_device_buffer(device, "out", out, sizeof out);
        bool made = table_gm >= 0 && ids_gm >= 0 && out_gm >= 0;
        if (made && ptog_core_open(&core, device, 0) == PTOG_OK) {
            issue(core, table_gm, ids_gm, out_gm);
            ptog_core_close(core);
            status = ptog_device_report(device, diags);
        }
    }
    allocations_left = -1;
    ptog_device_close(device);
    ptog_diags_free(diags);
    assert_int_equal(status, ran_out ? PTOG_NO_MEMORY : PTOG_OK);
    return !ran_out;
}

static void every_allocation(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        long n = 0;
        refuses_once = kind >= 2;
        while (!run(n, kind % 2))
            n++;
        assert_true(n > 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
