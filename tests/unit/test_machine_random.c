/* unit: random legal, correctly synchronised kernels. Under every schedule tried the machine's bytes equal those of the
 * chosen kernel and of the reference loop on the valid region, and the report is clean but for race-self,
 * index-negative and flag-redundant, and byte for byte the same. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "machine/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/pick.h"
#include "model/tile.h"

#define SCHEDULES 7

static uint64_t state_of_random, ran;

static uint64_t draw(uint64_t n)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (state_of_random >> 11) % n;
}

static int64_t between(int64_t from, int64_t to)
{
    return from + (int64_t)draw((uint64_t)(to - from + 1));
}

#define TABLE_BYTES 65536
static unsigned char table_data[TABLE_BYTES];
static int32_t index_data[4096];
static unsigned char plain_dst[65536], plain_idx[65536];
static unsigned char kernel_data[65536], reference_data[65536], stored_data[65536], tile_data[65536];

struct program {
    const struct ptog_target *target;
    struct ptog_mgather op;
    int rounds;
    bool barriers; /* between all instructions, instead of flags */
    uint64_t seed;
};

static enum ptog_dtype any_dtype(uint32_t set)
{
    for (;;) {
        int d = (int)draw(PTOG_DTYPE_COUNT);
        if (d > 0 && set >> d & 1)
            return (enum ptog_dtype)d;
    }
}

/* Tiles and a table that the target takes. */
static void draw_operands(struct program *p)
{
    struct ptog_mgather *op = &p->op;
    bool a2a3 = strcmp(p->target->name, "a2a3") == 0, custom = strcmp(p->target->name, "a5-custom") == 0;
    enum ptog_dtype dtype = any_dtype(ptog_target_types(p->target, PTOG_MGATHER, PTOG_FORM_ROW, "dst"));
    int64_t c0 = ptog_c0(dtype), rows = between(1, 12), cols = c0 * between(1, 3), blocks = between(1, 3);
    bool nz = a2a3 && draw(3) == 0, row = draw(2);
    *op = (struct ptog_mgather){.coalesce = row ? PTOG_ROW : PTOG_ELEM, .oob = (enum ptog_oob)draw(4)};
    if (nz)
        rows = 16, cols = c0 * blocks;
    int64_t valid_row = between(1, rows), valid_col = custom ? cols : between(1, cols);
    if (custom)
        valid_row = rows;
    op->dst = ptog_tile_valid(ptog_tile_vec(dtype, rows, cols), valid_row, valid_col);
    op->table = ptog_tensor_2d(dtype, between(1, 24), custom ? cols : valid_col);
    if (nz) {
        op->dst = ptog_tile_nz(op->dst);
        int64_t batches = blocks % 2 == 0 ? between(1, 2) : 1, padding = between(0, 1) * 16;
        op->table = ptog_tensor_nz(dtype, batches, blocks / batches, between(1, 2));
        op->table.stride[1] += padding;
        op->table.stride[0] += op->table.shape[1] * padding;
    } else if (a2a3 && row && draw(2)) {
        op->table = ptog_tensor_2d_pitch(dtype, between(1, 24), valid_col, valid_col + between(0, 5));
    } else if (!a2a3 && !custom && draw(3) == 0) {
        op->dst = ptog_tile_col_major(ptog_tile_valid(ptog_tile_vec(dtype, cols, rows), valid_col, valid_row));
        op->table = ptog_tensor_2d(dtype, between(1, 24), valid_row);
    }
    int64_t count = op->dst.valid_row, idx_cols = (op->dst.cols + 7) / 8 * 8;
    if (custom)
        op->idx = row ? ptog_tile_vec(PTOG_I32, rows, 1) : ptog_tile_vec(PTOG_I32, rows, cols);
    else if (row)
        op->idx = ptog_tile_valid(ptog_tile_vec(draw(2) ? PTOG_I32 : PTOG_U32, 1, (count + 7) / 8 * 8), 1, count);
    else
        op->idx = ptog_tile_valid(ptog_tile_vec(PTOG_I32, op->dst.rows, idx_cols), count, op->dst.valid_col);
    op->dst = ptog_tile_at(op->dst, 32 * draw(64));
    op->idx = ptog_tile_at(op->idx, 0x8000 + 32 * draw(64));
}

static void draw_indices(const struct program *p, uint64_t capacity)
{
    bool wild = p->op.oob != PTOG_OOB_UNDEFINED && draw(2);
    for (size_t i = 0; i < COUNT_OF(index_data); i++)
        index_data[i] = wild && draw(4) == 0 ? (int32_t)draw(UINT32_MAX) : (int32_t)draw(capacity);
}

/* What a plan makes of it: the valid region, in row-major order. */
static bool by_plan(const struct program *p, bool reference, unsigned char *packed)
{
    struct ptog_mgather op = p->op;
    ptog_plan *plan = NULL;
    struct ptog_fault fault;
    size_t size = ptog_dtype_size(op.dst.dtype);
    int64_t i = 0, idx_rows = ptog_given(op.idx.valid_row, op.idx.rows);
    int64_t idx_cols = ptog_given(op.idx.valid_col, op.idx.cols);
    if (ptog_plan_mgather(&plan, p->target, &op, NULL) != PTOG_OK)
        return false;
    for (int64_t r = 0; r < idx_rows; r++)
        for (int64_t c = 0; c < idx_cols; c++)
            memcpy(plain_idx + 4 * ptog_tile_offset(&op.idx, r, c), &index_data[i++], 4);
    struct ptog_run run = {.dst = {plain_dst, (size_t)ptog_tile_bytes(&op.dst)},
                           .src = {table_data, TABLE_BYTES},
                           .idx = {plain_idx, (size_t)ptog_tile_bytes(&op.idx)},
                           .reference = reference};
    memset(plain_dst, reference ? 0x55 : 0x33, sizeof plain_dst);
    enum ptog_status status = ptog_plan_run(plan, &run, &fault);
    ptog_plan_free(plan);
    for (int64_t r = 0; r < op.dst.valid_row; r++)
        for (int64_t c = 0; c < op.dst.valid_col; c++, packed += size)
            memcpy(packed, plain_dst + (size_t)ptog_tile_offset(&op.dst, r, c) * size, size);
    return status == PTOG_OK;
}

struct machine {
    ptog_device *device;
    ptog_core *core;
    int table, ids, out;
};

static void sync_to(const struct program *p, struct machine *m, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    if (p->barriers) {
        ptog_core_barrier(m->core, PTOG_ALL);
        return;
    }
    ptog_core_set_flag(m->core, src, dst, id);
    ptog_core_wait_flag(m->core, src, dst, id);
}

static struct ptog_transfer with_view(const struct ptog_tile *tile)
{
    struct ptog_tile known = *tile;
    ptog_tile_fill_defaults(&known);
    struct ptog_transfer op = {.tile = *tile, .view = ptog_tensor_2d(tile->dtype, known.valid_row, known.valid_col)};
    if (ptog_tile_order(tile) == PTOG_ORDER_COL)
        op.view.layout = PTOG_DN;
    return op;
}

/* The kernel: rounds of load, gather, store, each ordered after what it needs. */
static void issue(const struct program *p, struct machine *m)
{
    struct ptog_transfer load = with_view(&p->op.idx), store = with_view(&p->op.dst);
    for (int round = 1; round <= p->rounds; round++) {
        ptog_core_at(m->core, "random.c", 1);
        assert_int_equal(ptog_core_load(m->core, &load, m->ids, 0), PTOG_OK);
        sync_to(p, m, PTOG_MTE2, PTOG_V, round);
        ptog_core_at(m->core, "random.c", 2);
        assert_int_equal(ptog_core_mgather(m->core, &p->op, m->table, 0, NULL), PTOG_OK);
        sync_to(p, m, PTOG_V, PTOG_MTE3, round);
        ptog_core_at(m->core, "random.c", 3);
        if (ptog_tile_order(&p->op.dst) != PTOG_ORDER_NZ)
            assert_int_equal(ptog_core_store(m->core, &store, m->out, 0), PTOG_OK);
        if (round < p->rounds) {
            sync_to(p, m, PTOG_V, PTOG_MTE2, round);
            sync_to(p, m, PTOG_MTE3, PTOG_V, round);
            ptog_core_barrier(m->core, PTOG_MTE3);
        }
    }
}

struct text {
    char of[4096];
    size_t length;
};

static void put(void *user, const char *piece, size_t length)
{
    struct text *text = user;
    if (text->length + length < sizeof text->of)
        memcpy(text->of + text->length, piece, length);
    text->length += length;
}

/* One schedule; returns the report as text, and what lies in the tile. */
static bool is_witness(int schedule)
{
    return schedule == PTOG_SCHEDULE_WITNESS || schedule > 5;
}

static void on_machine(const struct program *p, int schedule, struct text *report, unsigned char *packed)
{
    struct ptog_latency late = {
        .block = 0, .instruction = (uint32_t)((p->seed + (uint64_t)schedule) % 12 + 1), .cycles = PTOG_LATE};
    enum ptog_schedule other = is_witness(schedule) ? PTOG_SCHEDULE_WITNESS : PTOG_SCHEDULE_RANDOM;
    struct ptog_device_options options = {.schedule = schedule < 5 ? (enum ptog_schedule)schedule : other,
                                          .seed = p->seed + (uint64_t)schedule,
                                          .late = &late,
                                          .late_count = 1};
    struct machine m;
    ptog_diags *diags = ptog_diags_new();
    assert_int_equal(ptog_device_open(&m.device, p->target, &options), PTOG_OK);
    m.table = p->seed % 2 ? ptog_device_input(m.device, "table", table_data, TABLE_BYTES)
                          : ptog_device_buffer(m.device, "table", table_data, TABLE_BYTES);
    m.ids = ptog_device_input(m.device, "ids", index_data, sizeof index_data);
    m.out = ptog_device_buffer(m.device, "out", stored_data, sizeof stored_data);
    assert_int_equal(ptog_core_open(&m.core, m.device, 0), PTOG_OK);
    issue(p, &m);
    ptog_core_peek(m.core, &p->op.dst, packed);
    ptog_core_close(m.core);
    assert_int_equal(ptog_device_report(m.device, diags), PTOG_OK);
    memset(report, 0, sizeof *report);
    ptog_report_text(diags, &(struct ptog_sink){.write = put, .user = report, .colour = false});
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        const char *id = ptog_diags_at(diags, i)->id;
        if (strcmp(id, "race-self") != 0 && strcmp(id, "index-negative") != 0 && strcmp(id, "flag-redundant") != 0) {
            fprintf(stderr, "%s on %s, seed %llu:\n%s", id, p->target->name, (unsigned long long)p->seed, report->of);
            fail();
        }
    }
    ptog_diags_free(diags);
    ptog_device_close(m.device);
}

static void one_program(uint64_t seed)
{
    static const char *const targets[] = {"a2a3", "a5", "a5-custom"};
    static struct text first, other;
    struct program p = {.seed = seed};
    state_of_random = seed * 0x9E3779B97F4A7C15u | 1;
    p.target = ptog_target_find(targets[draw(COUNT_OF(targets))]);
    p.rounds = (int)between(1, 3);
    p.barriers = draw(2);
    draw_operands(&p);
    if (ptog_verify_mgather(p.target, &p.op, NULL) != PTOG_OK)
        return;
    bool row = ptog_mgather_mode(p.target, &p.op) == PTOG_ROW;
    const int64_t *shape = p.op.table.shape;
    int64_t logical = p.op.table.layout == PTOG_NZ ? shape[2] * 16 : shape[3];
    draw_indices(&p, (uint64_t)(row ? logical : shape[0] * shape[1] * shape[2] * shape[3] * shape[4]));
    bool good = by_plan(&p, false, kernel_data);
    assert_int_equal(by_plan(&p, true, reference_data), good);
    if (!good)
        return;
    ran++;
    size_t bytes = (size_t)(p.op.dst.valid_row * p.op.dst.valid_col) * ptog_dtype_size(p.op.dst.dtype);
    for (int schedule = 0; schedule < SCHEDULES; schedule++) {
        on_machine(&p, schedule, schedule == 0 ? &first : &other, tile_data);
        bool stored = ptog_tile_order(&p.op.dst) == PTOG_ORDER_ROW;
        /* where S is late, the zeros of race-self come after the rows: that is what it says */
        bool may_differ = is_witness(schedule) && strstr(other.of, "race-self");
        bool same = memcmp(tile_data, kernel_data, bytes) == 0 && memcmp(tile_data, reference_data, bytes) == 0;
        if ((!same && !may_differ) || (stored && !may_differ && memcmp(stored_data, tile_data, bytes) != 0) ||
            (schedule > 0 && strcmp(first.of, other.of) != 0)) {
            fprintf(stderr, "seed %llu on %s, schedule %d\n", (unsigned long long)seed, p.target->name, schedule);
            fail();
        }
    }
}

static void random_kernels(void **state)
{
    uint64_t kernels = number_from("PTOG_RANDOM_KERNELS", 1000), seed = number_from("PTOG_SEED", 1);
    (void)state;
    for (size_t i = 0; i < TABLE_BYTES; i++)
        table_data[i] = (unsigned char)(i * 2654435761u >> 13);
    printf("%llu kernels from seed %llu\n", (unsigned long long)kernels, (unsigned long long)seed);
    for (uint64_t i = 0; i < kernels; i++)
        one_program(seed + i);
    printf("%llu of them are legal and were run\n", (unsigned long long)ran);
    assert_true(ran >= kernels / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
