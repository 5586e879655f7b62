/* unit: witnesses: for each kind of race, the run with the first instruction late shows the other order, the run with
 * nothing late shows the order of issue, and the report names the instruction. */
#include "machine/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#define FILL 0xAAAAAAAAu

static struct ptog_transfer tile_of(uint64_t addr, int64_t cols)
{
    return (struct ptog_transfer){.tile = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, cols), addr),
                                  .view = ptog_tensor_2d(PTOG_F32, 1, cols)};
}

static struct ptog_tgather mask_of(uint64_t dst, uint64_t src)
{
    return (struct ptog_tgather){.form = PTOG_BY_MASK,
                                 .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 32), dst),
                                 .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 32), src),
                                 .pattern = PTOG_P1111};
}

/* Kernels with one race; row i of kernel_table is a different one for every i. */
typedef void kernel_body(struct kernel *k);

static void load_then_store(struct kernel *k)
{
    struct ptog_transfer a = tile_of(0, 32);
    ptog_core_load(AT(k, 1), &a, k->table, 0);
    ptog_core_store(AT(k, 2), &a, k->out, 0);
}

static void store_then_load(struct kernel *k)
{
    struct ptog_transfer a = tile_of(0, 32);
    ptog_core_preset(k->core, &a.tile, kernel_table);
    ptog_core_store(AT(k, 1), &a, k->out, 0);
    ptog_core_load(AT(k, 2), &a, k->table, 128);
}

static void two_writes(struct kernel *k)
{
    struct ptog_transfer a = tile_of(0, 32), b = tile_of(0x1000, 32);
    struct ptog_tgather move = mask_of(0, 0x1000);
    ptog_core_preset(k->core, &b.tile, kernel_table + 32);
    ptog_core_load(AT(k, 1), &a, k->table, 0);
    ptog_core_tgather(AT(k, 2), &move, NULL);
    ptog_core_barrier(AT(k, 3), PTOG_ALL);
    ptog_core_store(AT(k, 4), &a, k->out, 0);
}

static void two_loads(struct kernel *k)
{
    struct ptog_transfer a = tile_of(0, 32);
    ptog_core_load(AT(k, 1), &a, k->table, 0);
    ptog_core_load(AT(k, 2), &a, k->table, 128);
    ptog_core_barrier(AT(k, 3), PTOG_ALL);
    ptog_core_store(AT(k, 4), &a, k->out, 0);
}

/* On A2/A3 V does not wait for itself. What the first instruction reads is written by a third, which V keeps in order.
 */
static void vector_after_vector(struct kernel *k)
{
    struct ptog_transfer c = tile_of(0x2000, 32), a = tile_of(0x1000, 32), d = tile_of(0x3000, 32);
    struct ptog_tgather first = mask_of(0, 0x1000), second = mask_of(0x2000, 0), third = mask_of(0x1000, 0x3000);
    ptog_core_preset(k->core, &a.tile, kernel_table);
    ptog_core_preset(k->core, &d.tile, kernel_table + 64);
    ptog_core_tgather(AT(k, 1), &first, NULL);
    ptog_core_tgather(AT(k, 2), &second, NULL);
    ptog_core_tgather(AT(k, 3), &third, NULL);
    ptog_core_barrier(AT(k, 4), PTOG_ALL);
    ptog_core_store(AT(k, 5), &c, k->out, 0);
    c = tile_of(0, 32);
    ptog_core_store(AT(k, 6), &c, k->out, 128);
}

/* The indices are not there when S reads them. */
static void scalar_reads(struct kernel *k)
{
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    struct ptog_transfer load = load_ids(), store = store_rows();
    ptog_core_preset(k->core, &load.tile, kernel_ids + 16);
    ptog_core_load(AT(k, 1), &load, k->ids, 0);
    ptog_core_mgather(AT(k, 2), &op, k->table, 0, NULL);
    ptog_core_store(AT(k, 3), &store, k->out, 0);
}

/* Counts are stored by S; S itself sees them at once, MTE3 does not. */
static void scalar_writes(struct kernel *k)
{
    struct ptog_transfer src = tile_of(0x1000, 32), counts = tile_of(0x3000, 8);
    struct ptog_tgather op = {.form = PTOG_BY_COMPARE,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 32), 0x2000),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 32), 0x1000),
                              .cdst = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0x3000),
                              .cmp = PTOG_CMP_GT};
    float limit = 15.5f;
    op.cdst.valid_col = 1;
    counts.tile.valid_col = 1;
    counts.view = ptog_tensor_2d(PTOG_F32, 1, 1);
    ptog_core_preset(k->core, &src.tile, kernel_table);
    assert_int_equal(ptog_core_tgather_scalar(AT(k, 1), &op, &limit, NULL), PTOG_OK);
    ptog_core_store(AT(k, 2), &counts, k->out, 0);
}

/* A scalar store to GM, and a load of the same bytes by MTE2. */
static void scalar_store(struct kernel *k)
{
    struct ptog_transfer a = tile_of(0, 32);
    uint32_t value = 7, seen = 0;
    ptog_core_store_scalar(AT(k, 1), k->out, 4096, 4, &value);
    ptog_core_load_scalar(AT(k, 2), k->out, 4096, 4, &seen);
    assert_int_equal(seen, 7);
    ptog_core_load(AT(k, 3), &a, k->out, 4096);
    ptog_core_barrier(AT(k, 4), PTOG_ALL);
    ptog_core_store(AT(k, 5), &a, k->out, 0);
}

/* A store to GM, and a load of the same bytes. */
static void through_gm(struct kernel *k)
{
    struct ptog_transfer a = tile_of(0, 32), b = tile_of(0x1000, 32);
    ptog_core_preset(k->core, &a.tile, kernel_table);
    ptog_core_store(AT(k, 1), &a, k->out, 4096);
    ptog_core_load(AT(k, 2), &b, k->out, 4096);
    ptog_core_barrier(AT(k, 3), PTOG_ALL);
    ptog_core_store(AT(k, 4), &b, k->out, 0);
}

static uint32_t out_at(size_t element)
{
    uint32_t bits;
    memcpy(&bits, kernel_out + 4 * element, sizeof bits);
    return bits;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t table_at(size_t element)
{
    return bits_of(kernel_table[element]);
}

/* The first word of `out` in a run with one instruction late, or none (0); the report's own instruction in *late. */
static uint32_t run(kernel_body *body, const char *target, const char *id, uint32_t late, uint32_t *told)
{
    struct ptog_latency latency = {.block = 0, .instruction = late, .cycles = PTOG_LATE};
    struct ptog_device_options options = {
        .schedule = PTOG_SCHEDULE_WITNESS, .late = &latency, .late_count = late > 0 ? 1 : 0};
    struct kernel k = kernel_open(target, &options);
    body(&k);
    kernel_finish(&k);
    *told = 0;
    for (size_t i = 0; i < ptog_diags_count(k.diags); i++) {
        const struct ptog_diag *d = ptog_diags_at(k.diags, i);
        if (strcmp(d->id, id) != 0)
            continue;
        assert_non_null(d->witness);
        assert_int_equal(d->late_block, 0);
        *told = d->late_instruction;
    }
    kernel_close(&k);
    return out_at(0);
}

static void each_kind(void **state)
{
    const struct {
        kernel_body *body;
        const char *target, *id;
        uint32_t instruction, late, in_order;
    } kinds[] = {
        {load_then_store, "a2a3", "race-raw", 1, FILL, table_at(0)},
        {load_then_store, "a5", "race-raw", 1, FILL, table_at(0)},
        {store_then_load, "a2a3", "race-war", 1, table_at(32), table_at(0)},
        {store_then_load, "a5", "race-war", 1, table_at(32), table_at(0)},
        {two_writes, "a2a3", "race-waw", 1, table_at(0), table_at(32)},
        {two_writes, "a5", "race-waw", 1, table_at(0), table_at(32)},
        {two_loads, "a2a3", "same-pipe-hazard", 1, table_at(0), table_at(32)},
        {two_loads, "a5-custom", "same-pipe-hazard", 1, table_at(0), table_at(32)},
        {vector_after_vector, "a2a3", "same-pipe-hazard", 1, FILL, table_at(0)},
        {scalar_reads, "a2a3", "race-raw", 1, table_at((size_t)kernel_ids[16] * 32), table_at(0)},
        {scalar_writes, "a2a3", "race-raw", 1, FILL, 16},
        {scalar_store, "a2a3", "race-raw", 1, 0, 7},
        {through_gm, "a5", "race-raw", 1, 0, table_at(0)},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        uint32_t told;
        uint32_t in_order = run(kinds[i].body, kinds[i].target, kinds[i].id, 0, &told);
        if (told != kinds[i].instruction || in_order != kinds[i].in_order)
            fprintf(stderr, "kind %zu: instruction %u, in order %08x\n", i, (unsigned)told, (unsigned)in_order);
        assert_int_equal(told, kinds[i].instruction);
        assert_int_equal(in_order, kinds[i].in_order);
        uint32_t late = run(kinds[i].body, kinds[i].target, kinds[i].id, told, &told);
        if (late != kinds[i].late)
            fprintf(stderr, "kind %zu: late %08x\n", i, (unsigned)late);
        assert_int_equal(late, kinds[i].late);
        if (kinds[i].body == vector_after_vector) /* it was late, and had read in time */
            assert_int_equal(out_at(32), table_at(0));
    }
}

/* Wrong latencies are refused, those of other blocks and instructions change nothing. */
static void latencies(void **state)
{
    struct ptog_latency late[] = {{.block = 1, .instruction = 1, .cycles = PTOG_LATE}, {.block = 0, .instruction = 99, .cycles = PTOG_LATE}},
                        wrong = {.block = 0, .instruction = 2, .cycles = -1};
    struct ptog_device_options options = {.schedule = PTOG_SCHEDULE_WITNESS, .late_count = 1};
    ptog_device *device;
    (void)state;
    assert_int_equal(ptog_device_open(&device, ptog_target_find("a5"), &options), PTOG_BAD_ARGUMENT);
    options.schedule = (enum ptog_schedule)(PTOG_SCHEDULE_WITNESS + 1);
    options.late_count = 0;
    assert_int_equal(ptog_device_open(&device, ptog_target_find("a5"), &options), PTOG_BAD_ARGUMENT);
    options = (struct ptog_device_options){.schedule = PTOG_SCHEDULE_WITNESS, .late = &wrong, .late_count = 1};
    assert_int_equal(ptog_device_open(&device, ptog_target_find("a5"), &options), PTOG_BAD_ARGUMENT);
    options = (struct ptog_device_options){.schedule = PTOG_SCHEDULE_WITNESS, .late = late, .late_count = 2};
    struct kernel k = kernel_open("a5", &options);
    memset(late, 0, sizeof late); /* they were copied */
    load_then_store(&k);
    EXPECT(&k, "race-raw 2 1");
    assert_int_equal(out_at(0), table_at(0));
    assert_string_equal(ptog_diags_at(k.diags, 0)->witness,
                        "if tload at line 1 completes late (instruction 1 of block 0), tstore comes first");
    kernel_close(&k);
}

/* In a loop the first race of a pair of places is shown; what is late there is the instruction of that turn. */
static void in_a_loop(void **state)
{
    struct ptog_transfer a = tile_of(0, 32);
    struct kernel k = kernel_open("a2a3", NULL);
    (void)state;
    for (int i = 0; i < 3; i++) {
        ptog_core_load(AT(&k, 1), &a, k.table, 0);
        ptog_core_barrier(AT(&k, 2), i == 0 ? PTOG_ALL : PTOG_MTE2);
        ptog_core_store(AT(&k, 3), &a, k.out, (uint64_t)i * 128);
        ptog_core_barrier(AT(&k, 4), PTOG_ALL);
    }
    EXPECT(&k, "race-raw 3 2");
    assert_int_equal(ptog_diags_at(k.diags, 0)->late_instruction, 5);
    kernel_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind),
        cmocka_unit_test(latencies),
        cmocka_unit_test(in_a_loop),
    };
    struct kernel k = kernel_open("a2a3", NULL); /* fills the table */
    kernel_close(&k);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
