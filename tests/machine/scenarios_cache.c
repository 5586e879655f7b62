/* machine tests: faults of the data cache of S. */
#include "machine/scenarios.h"

static const uint32_t seven = 7;

static void put(struct kernel *k, unsigned line, uint64_t at)
{
    ptog_core_store_scalar(AT(k, line), k->out, at, sizeof seven, &seven);
}

static void flush(struct kernel *k, unsigned line)
{
    ptog_core_dcci(AT(k, line), -1, 0);
    ptog_core_dsb(AT(k, line));
}

/* A row of 8 floats at 0, to or from the start of the output. */
static struct ptog_transfer row_of_output(void)
{
    return (struct ptog_transfer){.tile = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 0),
                                  .view = ptog_tensor_2d(PTOG_F32, 1, 8)};
}

/* S has the line, and MTE3 writes to it. */
void scenario_scalar_stale(struct kernel *k, bool fixed)
{
    struct ptog_transfer row = row_of_output();
    uint32_t value;
    ptog_core_preset(k->core, &row.tile, kernel_table);
    ptog_core_load_scalar(AT(k, 1), k->out, 32, sizeof value, &value);
    ptog_core_store(AT(k, 2), &row, k->out, 0);
    ptog_core_barrier(AT(k, 3), PTOG_ALL);
    if (fixed)
        ptog_core_dcci(AT(k, 4), k->out, 8);
    ptog_core_load_scalar(AT(k, 5), k->out, 0, sizeof value, &value);
}

void scenario_scalar_unflushed(struct kernel *k, bool fixed)
{
    struct ptog_transfer row = row_of_output();
    put(k, 1, 4);
    ptog_core_barrier(AT(k, 2), PTOG_ALL);
    if (fixed)
        flush(k, 3);
    ptog_core_load(AT(k, 4), &row, k->out, 0);
    flush(k, 5);
}

/* Two blocks store next to each other, or 64 bytes apart. */
void scenario_line_shared(struct kernel *k, bool fixed)
{
    ptog_core *other;
    put(k, 1, 0);
    flush(k, 2);
    assert_int_equal(ptog_core_open(&other, k->device, 1), PTOG_OK);
    ptog_core_at(other, "k.c", 3);
    ptog_core_store_scalar(other, k->out, fixed ? 64 : 60, sizeof seven, &seven);
    ptog_core_dcci(other, k->out, fixed ? 64 : 60);
    ptog_core_dsb(other);
    ptog_core_close(other);
}

void scenario_line_mixed(struct kernel *k, bool fixed)
{
    struct ptog_transfer row = row_of_output();
    ptog_core_preset(k->core, &row.tile, kernel_table);
    ptog_core_store(AT(k, 1), &row, k->out, 0);
    ptog_core_barrier(AT(k, 2), PTOG_ALL);
    put(k, 3, fixed ? 64 : 32);
    flush(k, 4);
}

/* At the end of a kernel it is a note. */
void scenario_scalar_unflushed_end(struct kernel *k, bool fixed)
{
    put(k, 1, 4);
    if (fixed)
        flush(k, 2);
}
