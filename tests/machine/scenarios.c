/* machine tests: each fault of the machine in a kernel. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "machine/scenarios.h"

#define KIB 1024u

/* ---- pieces ---- */

static struct ptog_transfer row_at(uint64_t addr)
{
    return (struct ptog_transfer){.tile = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, TABLE_COLS), addr),
                                  .view = ptog_tensor_2d(PTOG_F32, 1, TABLE_COLS)};
}

static struct ptog_tgather move(uint64_t to, uint64_t from)
{
    return (struct ptog_tgather){
        .form = PTOG_BY_MASK, .dst = row_at(to).tile, .src = row_at(from).tile, .pattern = PTOG_P1111};
}

static void load(struct kernel *k, uint32_t line, uint64_t addr, int row)
{
    struct ptog_transfer op = row_at(addr);
    ptog_core_load(AT(k, line), &op, k->table, (uint64_t)row * ROW_BYTES);
}

static void store(struct kernel *k, uint32_t line, uint64_t addr)
{
    struct ptog_transfer op = row_at(addr);
    ptog_core_store(AT(k, line), &op, k->out, 0);
}

/* The index tile holds `ids`, and the gather follows. */
static void gather(struct kernel *k, struct ptog_mgather op, const int32_t *ids)
{
    ptog_core_preset(k->core, &op.idx, ids);
    ptog_core_mgather(AT(k, 3), &op, k->table, 0, NULL);
}

/* ---- races in UB: wrong without the flag or barrier of line 2 ---- */

static void race_raw(struct kernel *k, bool fixed)
{
    load(k, 1, 0, 1);
    if (fixed)
        flag(k, 2, PTOG_MTE2, PTOG_MTE3, 1);
    store(k, 3, 0);
}

static void race_war(struct kernel *k, bool fixed)
{
    struct ptog_transfer row = row_at(0);
    ptog_core_preset(k->core, &row.tile, kernel_table);
    store(k, 1, 0);
    if (fixed)
        flag(k, 2, PTOG_MTE3, PTOG_MTE2, 1);
    load(k, 3, 0, 1);
}

/* MTE2 brings row 1, V moves row 0 to the same tile. */
static void race_waw(struct kernel *k, bool fixed)
{
    struct ptog_tgather op = move(0, 0x1000);
    ptog_core_preset(k->core, &op.src, kernel_table);
    load(k, 1, 0, 1);
    if (fixed)
        flag(k, 2, PTOG_MTE2, PTOG_V, 1);
    ptog_core_tgather(AT(k, 3), &op, NULL);
    ptog_core_barrier(AT(k, 4), PTOG_ALL);
    store(k, 5, 0);
}

/* Row 0 is stored, and then row 1 loaded to its tile; or the store waits for the load. */
static void order_reversed(struct kernel *k, bool fixed)
{
    struct ptog_transfer row = row_at(0);
    ptog_core_preset(k->core, &row.tile, kernel_table);
    if (!fixed)
        ptog_core_wait_flag(AT(k, 1), PTOG_MTE2, PTOG_MTE3, 1);
    store(k, 2, 0);
    if (fixed)
        flag(k, 3, PTOG_MTE3, PTOG_MTE2, 1);
    load(k, 4, 0, 1);
    if (!fixed)
        ptog_core_set_flag(AT(k, 5), PTOG_MTE2, PTOG_MTE3, 1);
}

static void same_pipe_hazard(struct kernel *k, bool fixed)
{
    load(k, 1, 0, 0);
    if (fixed)
        ptog_core_barrier(AT(k, 2), PTOG_MTE2);
    load(k, 3, 0, 1);
    flag(k, 4, PTOG_MTE2, PTOG_MTE3, 1);
    store(k, 5, 0);
}

static void same_pipe_vector(struct kernel *k, bool fixed)
{
    struct ptog_tgather first = move(0x1000, 0), second = move(0x2000, 0x1000);
    ptog_core_preset(k->core, &first.src, kernel_table + TABLE_COLS);
    ptog_core_tgather(AT(k, 1), &first, NULL);
    if (fixed)
        ptog_core_barrier(AT(k, 2), PTOG_V);
    ptog_core_tgather(AT(k, 3), &second, NULL);
    flag(k, 4, PTOG_V, PTOG_MTE3, 1);
    store(k, 5, 0x2000);
}

/* Row, NZ, Zero: S clears, MTE2 copies. Fixed by another policy. */
static void race_self(struct kernel *k, bool fixed)
{
    struct ptog_mgather op = gather_rows(fixed ? PTOG_OOB_CLAMP : PTOG_OOB_ZERO);
    int32_t ids[16] = {0};
    op.table = ptog_tensor_nz(PTOG_F32, 1, 4, 4);
    op.dst = ptog_tile_at(ptog_tile_nz(ptog_tile_vec(PTOG_F32, 16, 32)), 0);
    gather(k, op, ids);
    struct ptog_transfer first =
        row_at(0); /* row 0 of the first block column is its first 8 floats; so are its others */
    ptog_core_store(AT(k, 4), &first, k->out, 0);
}

/* The known traps around MGATHER: its index tile is read on S after V, so the caller owes MTE2 to V; Elem does not need
 * it. */
static void row_without_flag(struct kernel *k, bool fixed)
{
    struct ptog_transfer ids = load_ids(), rows = store_rows();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    ptog_core_load(AT(k, 1), &ids, k->ids, 0);
    if (fixed)
        flag(k, 2, PTOG_MTE2, PTOG_V, 1);
    ptog_core_mgather(AT(k, 3), &op, k->table, 0, NULL);
    ptog_core_store(AT(k, 4), &rows, k->out, 0);
}

/* ---- races in GM ---- */

static void gm_race_raw(struct kernel *k, bool fixed)
{
    struct ptog_transfer a = row_at(0), b = row_at(0x1000);
    ptog_core_preset(k->core, &a.tile, kernel_table + TABLE_COLS);
    ptog_core_store(AT(k, 1), &a, k->out, ROW_BYTES);
    if (fixed)
        flag(k, 2, PTOG_MTE3, PTOG_MTE2, 1);
    ptog_core_load(AT(k, 3), &b, k->out, ROW_BYTES);
    ptog_core_barrier(AT(k, 4), PTOG_ALL);
    store(k, 5, 0x1000);
}

static void gm_race_war(struct kernel *k, bool fixed)
{
    struct ptog_transfer a = row_at(0), b = row_at(0x1000);
    ptog_core_preset(k->core, &a.tile, kernel_table + TABLE_COLS);
    ptog_core_load(AT(k, 1), &b, k->out, ROW_BYTES);
    if (fixed)
        flag(k, 2, PTOG_MTE2, PTOG_MTE3, 1);
    ptog_core_store(AT(k, 3), &a, k->out, ROW_BYTES);
    ptog_core_barrier(AT(k, 4), PTOG_ALL);
    store(k, 5, 0x1000);
}

static void gm_same_pipe(struct kernel *k, bool fixed)
{
    struct ptog_transfer a = row_at(0), b = row_at(0x1000);
    ptog_core_preset(k->core, &a.tile, kernel_table);
    ptog_core_preset(k->core, &b.tile, kernel_table + TABLE_COLS);
    store(k, 1, 0);
    if (fixed)
        ptog_core_barrier(AT(k, 2), PTOG_MTE3);
    store(k, 3, 0x1000);
}

static void gm_block_overlap(struct kernel *k, bool fixed)
{
    struct ptog_transfer a = row_at(0);
    ptog_core *other;
    ptog_core_preset(k->core, &a.tile, kernel_table + TABLE_COLS);
    store(k, 1, 0);
    assert_int_equal(ptog_core_open(&other, k->device, 1), PTOG_OK);
    ptog_core_preset(other, &a.tile, kernel_table + TABLE_COLS);
    ptog_core_at(other, "k.c", 2);
    ptog_core_store(other, &a, k->out, fixed ? ROW_BYTES : 0);
    ptog_core_close(other);
}

/* ---- flags ---- */

static void flag_double_set(struct kernel *k, bool fixed)
{
    for (int round = 0; round < 3; round++) {
        if (fixed && round > 0)
            ptog_core_wait_flag(AT(k, 1), PTOG_V, PTOG_MTE2, 1);
        flag(k, 2, PTOG_MTE2, PTOG_V, 1);
        if (fixed && round < 2)
            ptog_core_set_flag(AT(k, 3), PTOG_V, PTOG_MTE2, 1);
    }
}

static void flag_left_set(struct kernel *k, bool fixed)
{
    ptog_core_set_flag(AT(k, 1), PTOG_MTE2, PTOG_V, 3);
    if (fixed)
        ptog_core_wait_flag(AT(k, 2), PTOG_MTE2, PTOG_V, 3);
}

/* V waits for MTE2 and MTE2 for V, each set behind the other's wait. */
static void flag_never_set(struct kernel *k, bool fixed)
{
    ptog_core_wait_flag(AT(k, 1), PTOG_MTE2, PTOG_V, 0);
    ptog_core_set_flag(AT(k, 2), PTOG_V, PTOG_MTE2, 0);
    if (fixed)
        ptog_core_set_flag(AT(k, 3), PTOG_MTE2, PTOG_V, 0);
    ptog_core_wait_flag(AT(k, 4), PTOG_V, PTOG_MTE2, 0);
    if (!fixed)
        ptog_core_set_flag(AT(k, 5), PTOG_MTE2, PTOG_V, 0);
}

static void flag_id_clash(struct kernel *k, bool fixed)
{
    int id = fixed ? 1 : 0;
    ptog_core_set_flag(AT(k, 2), PTOG_V, PTOG_S, id);
    gather(k, gather_rows(PTOG_OOB_CLAMP), kernel_ids);
    ptog_core_wait_flag(AT(k, 4), PTOG_V, PTOG_S, id);
}

static void flag_bad_pair(struct kernel *k, bool fixed)
{
    ptog_core_set_flag(AT(k, 1), PTOG_V, fixed ? PTOG_S : PTOG_V, 1);
    if (fixed)
        ptog_core_wait_flag(AT(k, 2), PTOG_V, PTOG_S, 1);
}

static void flag_bad_id(struct kernel *k, bool fixed)
{
    ptog_core_set_flag(AT(k, 1), PTOG_V, PTOG_S, fixed ? 5 : 8);
    if (fixed)
        ptog_core_wait_flag(AT(k, 2), PTOG_V, PTOG_S, 5);
}

static void flag_reserved_id(struct kernel *k, bool fixed)
{
    flag(k, 1, PTOG_V, PTOG_S, fixed ? 5 : 6);
}

static void barrier_on_scalar(struct kernel *k, bool fixed)
{
    ptog_core_barrier(AT(k, 1), fixed ? PTOG_V : PTOG_S);
}

static void barrier_on_cube(struct kernel *k, bool fixed)
{
    ptog_core_barrier(AT(k, 1), fixed ? PTOG_MTE3 : PTOG_FIX);
}

/* C++ does not build with it. */
static void barrier_on_v(struct kernel *k, bool fixed)
{
    ptog_core_barrier(AT(k, 1), fixed ? PTOG_ALL : PTOG_V);
}

/* ---- places ---- */

static void one_load(struct kernel *k, uint64_t addr)
{
    load(k, 1, addr, 0);
}

static void ub_overflow(struct kernel *k, bool fixed)
{
    one_load(k, 256 * KIB - (fixed ? 16 * KIB : 64));
}

static void ub_misaligned(struct kernel *k, bool fixed)
{
    struct ptog_transfer op = row_at(fixed ? 32 : 16);
    ptog_core_preset(k->core, &op.tile, kernel_table);
    one_load(k, fixed ? 32 : 16);
}

static void launch_and_load(struct kernel *k, uint64_t top)
{
    gather(k, gather_rows(PTOG_OOB_CLAMP), kernel_ids);
    load(k, 4, top - ROW_BYTES, 0);
}

static void ub_budget(struct kernel *k, bool fixed)
{
    launch_and_load(k, fixed ? 120 * KIB : 128 * KIB + 32);
}

static void ub_budget_216(struct kernel *k, bool fixed)
{
    (void)fixed;
    launch_and_load(k, 120 * KIB);
}

static void ub_reserved(struct kernel *k, bool fixed)
{
    launch_and_load(k, fixed ? 120 * KIB : 128 * KIB);
}

/* A tile that is loaded, and stored after an addition of a column that the library spreads in its scratch memory. */
static void ub_scratch_clash(struct kernel *k, bool fixed)
{
    uint64_t row = (fixed ? 100 : 184) * KIB;
    struct ptog_tile column = ptog_tile_at(ptog_tile_col_major(ptog_tile_vec(PTOG_F32, 8, 1)), 0x800);
    struct ptog_tile whole = ptog_tile_at(ptog_tile_vec(PTOG_F32, 8, 8), 0);
    struct ptog_insn add;
    ptog_insn_tiles(&add, PTOG_TROWEXPANDADD, (struct ptog_tile[]){ptog_tile_at(whole, 0x400), whole, column}, 3);
    ptog_core_preset(k->core, &whole, kernel_table);
    ptog_core_preset(k->core, &column, kernel_table);
    load(k, 1, row, 0);
    flag(k, 2, PTOG_MTE2, PTOG_V, 1);
    ptog_core_insn(AT(k, 3), &add, NULL);
    flag(k, 4, PTOG_V, PTOG_MTE3, 1);
    store(k, 5, row);
}

static void bad_argument(struct kernel *k, bool fixed)
{
    struct ptog_transfer op = {.tile = ptog_tile_vec(PTOG_I32, 1, 16), .view = ptog_tensor_2d(PTOG_I32, 1, 16)};
    if (fixed)
        op.tile = ptog_tile_at(op.tile, 0);
    ptog_core_load(AT(k, 1), &op, k->ids, 0);
}

static void ub_overlap(struct kernel *k, bool fixed)
{
    load(k, 1, fixed ? 0x1000 : 64, 0);
    ptog_core_barrier(AT(k, 2), PTOG_MTE2);
    load(k, 3, 0, 1);
    flag(k, 4, PTOG_MTE2, PTOG_MTE3, 1);
    store(k, 5, fixed ? 0x1000 : 64);
}

static void dma_field_overflow(struct kernel *k, bool fixed)
{
    int64_t rows = fixed ? 4095 : 4096;
    struct ptog_transfer op = {.tile = ptog_tile_at(ptog_tile_vec(PTOG_U8, rows, 32), 0),
                               .view = ptog_tensor_2d_pitch(PTOG_U8, rows, 32, 48)};
    ptog_core_load(AT(k, 1), &op, k->out, 0);
}

/* ---- bytes ---- */

static void uninit_read(struct kernel *k, bool fixed)
{
    if (fixed) {
        load(k, 1, 0, 0);
        flag(k, 2, PTOG_MTE2, PTOG_MTE3, 1);
    }
    store(k, 3, 0);
}

/* Five floats are loaded, eight are stored. */
static void pad_read(struct kernel *k, bool fixed)
{
    struct ptog_transfer op = {.tile = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_F32, 1, 8), 1, 5), 0),
                               .view = ptog_tensor_2d(PTOG_F32, 1, 5)};
    ptog_core_load(AT(k, 1), &op, k->table, 0);
    flag(k, 2, PTOG_MTE2, PTOG_MTE3, 1);
    op.tile.valid_col = fixed ? 5 : 8;
    op.view = ptog_tensor_2d(PTOG_F32, 1, op.tile.valid_col);
    ptog_core_store(AT(k, 3), &op, k->out, 0);
}

/* ---- lanes ---- */

static void one_wrong_index(struct kernel *k, struct ptog_mgather op, int32_t index)
{
    int32_t ids[16] = {0};
    ids[5] = index;
    gather(k, op, ids);
}

static void gm_out_of_bounds(struct kernel *k, bool fixed)
{
    one_wrong_index(k, gather_rows(fixed ? PTOG_OOB_ZERO : PTOG_OOB_UNDEFINED), TABLE_ROWS);
}

static void gm_outside_view(struct kernel *k, bool fixed)
{
    struct ptog_mgather op = gather_rows(PTOG_OOB_UNDEFINED);
    op.table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS - (fixed ? 0 : 1), TABLE_COLS);
    one_wrong_index(k, op, TABLE_ROWS - 1);
}

static void index_negative(struct kernel *k, bool fixed)
{
    one_wrong_index(k, gather_rows(fixed ? PTOG_OOB_ZERO : PTOG_OOB_CLAMP), -1);
}

static void pitch_mismatch(struct kernel *k, bool fixed)
{
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    if (!fixed) {
        op.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0);
        op.table = ptog_tensor_2d_pitch(PTOG_F32, TABLE_ROWS, 16, TABLE_COLS);
    }
    gather(k, op, kernel_ids);
}

static void product_overflow(struct kernel *k, bool fixed)
{
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    if (!fixed)
        op.table = ptog_tensor_2d(PTOG_F32, (int64_t)1 << 28, TABLE_COLS);
    one_wrong_index(k, op, 1 << 27);
}

static void no_simt_context(struct kernel *k, bool fixed)
{
    (void)fixed;
    gather(k, gather_rows(PTOG_OOB_CLAMP), kernel_ids);
}

static void ub_outside_tile(struct kernel *k, bool fixed)
{
    struct ptog_tgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0x400),
                              .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0x800)};
    struct ptog_tile beside = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0x440);
    int32_t ids[16] = {0};
    ids[5] = fixed ? 15 : 16;
    ptog_core_preset(k->core, &op.src, kernel_table);
    ptog_core_preset(k->core, &beside, kernel_table);
    ptog_core_preset(k->core, &op.idx, ids);
    ptog_core_tgather(AT(k, 1), &op, NULL);
}

/* ---- all of them ---- */

const struct scenario scenarios[] = {
    {"race-raw", race_raw, "race-raw", "a2a3", ROW_1, UNWRITTEN, {0}, {0}},
    {"race-raw-row", row_without_flag, "race-raw", "a2a3", ROW_0, LAST_ROW, {0}, {0}},
    {"race-war", race_war, "race-war", "a2a3", ROW_1, ROW_0, {0}, {0}},
    {"race-waw", race_waw, "race-waw", "a5", ROW_0, ROW_1, {0}, {0}},
    {"order-reversed", order_reversed, "order-reversed", "a5", ROW_1, ROW_1, {0}, {0}},
    {"race-self", race_self, "race-self", "a2a3", FIRST_BLOCKS, FIRST_BLOCKS, {0}, {0}},
    {"same-pipe-hazard", same_pipe_hazard, "same-pipe-hazard", "a5", ROW_1, ROW_1, {0}, {0}},
    {"same-pipe-vector", same_pipe_vector, "same-pipe-hazard", "a2a3", ROW_1, ROW_1, {0}, {0}},
    {"gm-race-raw", gm_race_raw, "race-raw", "a2a3", ZEROS, ROW_1, {0}, {0}},
    {"gm-race-war", gm_race_war, "race-war", "a2a3", ZEROS, ROW_1, {0}, {0}},
    {"gm-same-pipe", gm_same_pipe, "same-pipe-hazard", "a5", ROW_1, ROW_1, {0}, {0}},
    {"gm-block-overlap", gm_block_overlap, "gm-block-overlap", "a2a3", ROW_1, ROW_1, {0}, {0}},
    {"deadlock", scenario_deadlock, "deadlock", "a2a3", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"xflag-overflow", scenario_xflag_overflow, "xflag-overflow", "a2a3", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"xflag-clash", scenario_xflag_clash, "xflag-clash", "a2a3", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"xflag-left", scenario_xflag_left, "xflag-left", "a2a3", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"xflag-reduce", scenario_xflag_reduce, "xflag-reduce", "a2a3", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"fifo-overrun", scenario_fifo_overrun, "fifo-overrun", "a2a3", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"fifo-slot", scenario_fifo_slot, "fifo-slot", "a2a3", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"fifo-mismatch", scenario_fifo_mismatch, "fifo-mismatch", "a2a3", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"fifo-unfreed", scenario_fifo_unfreed, "fifo-unfreed", "a5", NO_BYTES, NO_BYTES, {.linked = true}, {.linked = true}},
    {"flag-double-set", flag_double_set, "flag-double-set", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"flag-left-set", flag_left_set, "flag-left-set", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"flag-never-set", flag_never_set, "flag-never-set", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"flag-id-clash", flag_id_clash, "flag-id-clash", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"flag-bad-pair", flag_bad_pair, "flag-bad-pair", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"flag-bad-id", flag_bad_id, "flag-bad-id", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"flag-reserved-id", flag_reserved_id, "flag-reserved-id", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"barrier-on-scalar", barrier_on_scalar, "barrier-on-scalar", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"barrier-bad-pipe", barrier_on_cube, "barrier-bad-pipe", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"barrier-bad-pipe-v",
     barrier_on_v,
     "barrier-bad-pipe",
     "a5",
     NO_BYTES,
     NO_BYTES,
     {.spelling = PTOG_SPELL_CXX},
     {.spelling = PTOG_SPELL_CXX}},
    {"gm-out-of-bounds", gm_out_of_bounds, "gm-out-of-bounds", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"gm-outside-view", gm_outside_view, "gm-outside-view", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"index-negative", index_negative, "index-negative", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"pitch-mismatch", pitch_mismatch, "pitch-mismatch", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"product-overflow", product_overflow, "product-overflow", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"ub-outside-tile", ub_outside_tile, "ub-outside-tile", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"div-by-zero", scenario_div_by_zero, "div-by-zero", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"shift-range", scenario_shift_range, "shift-range", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"tconcat-zero", scenario_count_zero, "tconcat-zero", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"nan-order", scenario_nan_order, "nan-order", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"sort-nan", scenario_sort_nan, "sort-nan", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"expand-block-differs", scenario_expand_block, "expand-block-differs", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"scatter-conflict", scenario_scatter_conflict, "scatter-conflict", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"scatter-dropped", scenario_scatter_dropped, "scatter-dropped", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"scatter-not-atomic", scenario_scatter_not_atomic, "scatter-not-atomic", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"scalar-stale", scenario_scalar_stale, "scalar-stale", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"scalar-unflushed", scenario_scalar_unflushed, "scalar-unflushed", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"scalar-unflushed-end", scenario_scalar_unflushed_end, "scalar-unflushed", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"line-shared", scenario_line_shared, "line-shared", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"line-mixed", scenario_line_mixed, "line-mixed", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"scatter-conflict-tile", scenario_tile_scatter_conflict, "scatter-conflict", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"ub-outside-tile-scatter", scenario_tile_scatter_outside, "ub-outside-tile", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"gatherb-misaligned", scenario_gatherb_misaligned, "gatherb-misaligned", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"tile-overrun-gatherb", scenario_gatherb_overrun, "tile-overrun", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"sort-unsorted", scenario_sort_unsorted, "sort-unsorted", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"tile-overrun-tmp", scenario_tmp_overrun, "tile-overrun", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"tile-overrun-mask", scenario_mask_overrun, "tile-overrun", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"ub-overflow", ub_overflow, "ub-overflow", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"ub-misaligned-tile", ub_misaligned, "ub-misaligned-tile", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"dma-misaligned", ub_misaligned, "dma-misaligned", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"dma-field-overflow", dma_field_overflow, "dma-field-overflow", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"ub-budget", ub_budget, "ub-budget", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"ub-budget-216",
     ub_budget_216,
     "ub-budget",
     "a5",
     NO_BYTES,
     NO_BYTES,
     {.dyn_ub = 216 * KIB + 1},
     {.dyn_ub = 216 * KIB}},
    {"ub-reserved", ub_reserved, "ub-reserved", "a5", NO_BYTES, NO_BYTES, {0}, {0}},
    {"ub-scratch-clash", ub_scratch_clash, "ub-scratch-clash", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"bad-argument", bad_argument, "bad-argument", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"ub-partial-overlap", ub_overlap, "ub-partial-overlap", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"uninit-read", uninit_read, "uninit-read", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"pad-read", pad_read, "pad-read", "a2a3", NO_BYTES, NO_BYTES, {0}, {0}},
    {"no-simt-context",
     no_simt_context,
     "no-simt-context",
     "a5",
     NO_BYTES,
     NO_BYTES,
     {.launch = PTOG_LAUNCH_DIRECT},
     {0}},
    {"l1-overflow",
     scenario_l1_overflow,
     "l1-overflow",
     "a2a3",
     NO_BYTES,
     NO_BYTES,
     {.cube = true},
     {.cube = true}},
    {"l0a-overflow",
     scenario_l0a_overflow,
     "l0a-overflow",
     "a2a3",
     NO_BYTES,
     NO_BYTES,
     {.cube = true},
     {.cube = true}},
    {"l0b-overflow",
     scenario_l0b_overflow,
     "l0b-overflow",
     "a2a3",
     NO_BYTES,
     NO_BYTES,
     {.cube = true},
     {.cube = true}},
    {"l0c-overflow",
     scenario_l0c_overflow,
     "l0c-overflow",
     "a2a3",
     NO_BYTES,
     NO_BYTES,
     {.cube = true},
     {.cube = true}},
    {"bias-overflow",
     scenario_bias_overflow,
     "bias-overflow",
     "a2a3",
     NO_BYTES,
     NO_BYTES,
     {.cube = true},
     {.cube = true}},
    {"cube-misaligned",
     scenario_cube_misaligned,
     "cube-misaligned",
     "a2a3",
     NO_BYTES,
     NO_BYTES,
     {.cube = true},
     {.cube = true}},
    {"unit-flag-mismatch",
     scenario_unit_flag,
     "unit-flag-mismatch",
     "a5",
     NO_BYTES,
     NO_BYTES,
     {.cube = true},
     {.cube = true}},
    {"wrong-core",
     scenario_wrong_core,
     "wrong-core",
     "a2a3",
     NO_BYTES,
     NO_BYTES,
     {.cube = true},
     {0}},
};
const size_t scenario_count = sizeof scenarios / sizeof scenarios[0];
